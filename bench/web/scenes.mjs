// scenes.mjs - the scenes of the C bench and its measure of overlap, read from scenes.wasm.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readText, startModule } from "../../web/src/module.js";

const BODY = 20; // numbers of a body in scenes.wasm
export const POSE = 7; // position, then orientation w x y z

/** The table of scenes: what each is, without its bodies. */
export async function loadScenes(buildDir) {
  const module = await startModule(readFileSync(join(buildDir, "scenes.wasm")));
  const scenes = [];
  for (let i = 0; module.bench_scene_name(i); ++i)
    scenes.push({
      name: readText(module, module.bench_scene_name(i)),
      summary: readText(module, module.bench_scene_summary(i)),
      steps: module.bench_scene_steps(i, 0),
      quickSteps: module.bench_scene_steps(i, 1),
      measureEvery: module.bench_scene_measure_every(i), // [steps]
      built: module.bench_scene_built(i) !== 0, // a building: it should stay as it was put up
      step: module.bench_scene_step(), // [s]
      open: () => openScene(module, i),
    });
  return scenes;
}

function bodyOf(numbers) {
  const take = (start, count) => Array.from(numbers.subarray(start, start + count));
  const sphere = numbers[1] !== 0;
  return {
    dynamic: numbers[0] !== 0,
    sphere, // else a box
    position: take(2, 3),
    orientation: take(5, 4), // w x y z
    linear: take(9, 3), // velocity [m/s]
    angular: take(12, 3), // [rad/s]
    half: sphere ? null : take(15, 3),
    radius: sphere ? numbers[18] : null,
    density: numbers[19],
  };
}

function openScene(module, index) {
  const held = module.bench_scene_open(index);
  if (held === 0) throw new Error("no memory for the scene");
  const numbers = (address, count) => new Float64Array(module.memory.buffer, address, count);
  const count = module.bench_scene_count(held);
  const flat = numbers(module.bench_scene_bodies(held), count * BODY);
  const bodies = [];
  for (let i = 0; i < count; ++i) bodies.push(bodyOf(flat.subarray(i * BODY, (i + 1) * BODY)));
  return {
    bodies,
    gravity: [0, 1, 2].map((axis) => module.bench_scene_gravity(held, axis)),
    mu: module.bench_scene_mu(held),
    step: module.bench_scene_step(),
    /** Overlap and displacement for POSE numbers per body; the same judge for every engine. */
    measure(poses) {
      numbers(module.bench_scene_poses(held), count * POSE).set(poses);
      const [depth, relative, displacement] = numbers(module.bench_scene_measure(held), 3);
      return { depth, relative, displacement };
    },
    close: () => module.bench_scene_close(held),
  };
}

/** The poses at the start, POSE numbers per body. */
export function startPoses(scene) {
  return Float64Array.from(scene.bodies.flatMap((body) => [...body.position, ...body.orientation]));
}
