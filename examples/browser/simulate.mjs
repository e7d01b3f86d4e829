// simulate.mjs - the library in a browser or under Node: opens a scene, steps it, reads poses.
// startModule, withTexts and readText are those of web/src/module.js, BODY of web/src/layout.js.
import { BODY } from "../../web/src/layout.js";
import { readText, startModule, withTexts } from "../../web/src/module.js";

/** A world of a scene (an object in the form of docs/scene.md), made by the bytes of rigor.wasm. */
export async function openWorld(bytes, scene) {
  const wasm = await startModule(bytes);
  const page = wasm.page_create();
  const must = (good) => {
    if (!good) throw new Error(readText(wasm, wasm.page_message(page)));
  };
  withTexts(wasm, [JSON.stringify(scene), "scene"], ([text, name], length) =>
    must(wasm.page_open(page, text, length, name)),
  );
  return {
    step: (count) => must(wasm.page_step(page, count)),
    hash: () => readText(wasm, wasm.page_hash(page)),
    /** Position of each body as [x, y, z] in metres. */
    positions() {
      const count = wasm.page_body_count(page);
      const numbers = new Float64Array(wasm.memory.buffer, wasm.page_bodies(page), BODY.size * count);
      return Array.from({ length: count }, (_, i) =>
        Array.from(numbers.subarray(BODY.size * i + BODY.position, BODY.size * i + BODY.position + 3)),
      );
    },
  };
}

/** Five boxes in a row that fall over one after the other. */
export const dominoes = {
  rigor: 1,
  bodies: [
    { name: "floor", kind: "static", shapes: [{ shape: "halfspace" }] },
    ...Array.from({ length: 5 }, (_, i) => ({
      name: `domino ${i}`,
      position: [0.12 * i, 0, 0.15],
      ...(i === 0 ? { position: [0, 0, 0.152], orientation: { axis: [0, 1, 0], degrees: 12 } } : {}),
      shapes: [{ shape: "box", half: [0.02, 0.06, 0.15] }],
    })),
  ],
};
