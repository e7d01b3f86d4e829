// engines.mjs - the table of engines.
//
// An engine has a name, the family that it is a setting of, its settings in words, and `start`, which
// loads it and gives a function that makes a world of an open scene. A world has
//   step()       one step of scene.step
//   poses(out)   position and w x y z of every body, POSE numbers each, in the scene's order
//   contacts()   contact points of the last step, where the engine tells; else null
//   report()     only of a certified engine: {residual, met, iterations} of the last step
//   free()
// All get the same scene (density, one friction coefficient, gravity), no sleeping, one thread, and
// otherwise their own defaults.
import { JOLT, JOLT_SIMD } from "./engine_jolt.mjs";
import { MUJOCO, MUJOCO_CG } from "./engine_mujoco.mjs";
import { RAPIER } from "./engine_rapier.mjs";
import { RIGOR_DEFAULT, RIGOR_REALTIME } from "./engine_rigor.mjs";

export const ENGINES = [RAPIER, JOLT, JOLT_SIMD, MUJOCO, MUJOCO_CG, RIGOR_REALTIME, RIGOR_DEFAULT];
