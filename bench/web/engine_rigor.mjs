// engine_rigor.mjs - Rigor as the page runs it: rigor.wasm, one world per page handle.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readText, startModule, withTexts } from "../../web/src/module.js";
import { POSE } from "./scenes.mjs";

const BODY = 9; // numbers of a body in page_bodies
const STATE = 20; // numbers in page_state

/** A scene as a scene file; numbers keep all their bits. */
export function sceneFile(scene, preset) {
  const bodies = scene.bodies.map((body) => ({
    kind: body.dynamic ? "dynamic" : "static",
    position: body.position,
    orientation: body.orientation,
    ...(body.dynamic ? { velocity: body.linear, angular_velocity: body.angular } : {}),
    shapes: [
      body.sphere
        ? { shape: "sphere", radius: body.radius, density: body.density, material: "stone" }
        : { shape: "box", half: body.half, density: body.density, material: "stone" },
    ],
  }));
  return JSON.stringify({
    rigor: 1,
    preset,
    options: { step: scene.step, gravity: scene.gravity },
    materials: [{ name: "stone", mu: scene.mu }],
    bodies,
  });
}

function makeWorld(wasm, scene, preset) {
  const page = wasm.page_create();
  const check = (done) => {
    if (!done) throw new Error(readText(wasm, wasm.page_message(page)));
  };
  const numbers = (address, count) => new Float64Array(wasm.memory.buffer, address, count);
  withTexts(wasm, [sceneFile(scene, preset), "bench.json"], ([text, name], length) =>
    check(wasm.page_open(page, text, length, name)));
  return {
    step: () => check(wasm.page_step(page, 1)),
    poses(out) {
      const bodies = numbers(wasm.page_bodies(page), BODY * scene.bodies.length);
      for (let i = 0; i < scene.bodies.length; ++i)
        out.set(bodies.subarray(i * BODY, i * BODY + POSE), i * POSE);
    },
    contacts: () => wasm.page_contact_count(page),
    report() {
      const [, , residual, , met, , , iterations] = numbers(wasm.page_state(page), STATE);
      return { residual, met: met !== 0, iterations };
    },
    hash: () => readText(wasm, wasm.page_hash(page)),
    free: () => wasm.page_destroy(page),
  };
}

function engine(preset) {
  return {
    name: `rigor-${preset}`,
    family: "rigor",
    settings: `Rigor as WebAssembly, preset ${preset}`,
    async start(buildDir) {
      const wasm = await startModule(readFileSync(join(buildDir, "rigor.wasm")));
      return (scene) => makeWorld(wasm, scene, preset);
    },
  };
}

export const RIGOR_REALTIME = engine("realtime");
export const RIGOR_DEFAULT = engine("default");
