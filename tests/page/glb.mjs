// glb.mjs - a file of glTF as numbers: the nodes, and the samples of their animations.

const CHUNK_JSON = 0x4e4f534a;
const WIDTH = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const FLOAT = 5126;

export function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== CHUNK_JSON) throw new Error("the first chunk is not JSON");
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const binary = 20 + length + 8;
  const floats = (index) => {
    const accessor = json.accessors[index];
    if (accessor.componentType !== FLOAT) throw new Error(`accessor ${index} is not of floats`);
    const start = binary + (json.bufferViews[accessor.bufferView].byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    return Array.from({ length: accessor.count * WIDTH[accessor.type] }, (_, i) => view.getFloat32(start + 4 * i, true));
  };
  // The samples of each animated node: {translation: {times, values}, rotation: ...}.
  const motions = new Map();
  for (const { channels, samplers } of json.animations ?? [])
    for (const { sampler, target } of channels) {
      if (!motions.has(target.node)) motions.set(target.node, {});
      motions.get(target.node)[target.path] = {
        times: floats(samplers[sampler].input),
        values: floats(samplers[sampler].output),
        interpolation: samplers[sampler].interpolation ?? "LINEAR",
      };
    }
  return { json, motions };
}
