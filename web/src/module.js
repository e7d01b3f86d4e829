// module.js - starts a module of WebAssembly made by the preset `wasm`. Plain JavaScript, because
// the tests under Node use it as it is.

const OK = 0;
const BAD_DESCRIPTOR = 8; // there are no folders that the module may open
const NOT_SUPPORTED = 52; // of all that has to do with files: there are none

const NANOSECONDS = 1e6; // in a millisecond

/**
 * Compiles and starts the module; its exports are returned.
 * @param {BufferSource} bytes
 * @returns {Promise<Record<string, any>>}
 */
export async function startModule(bytes) {
  /** @type {WebAssembly.Memory} */
  let memory;
  const unsupported = () => NOT_SUPPORTED;
  /** @type {Record<string, Function>} */
  const system = {
    clock_time_get(/** @type {number} */ _clock, /** @type {bigint} */ _precision, /** @type {number} */ out) {
      const now = BigInt(Math.round(performance.now() * NANOSECONDS));
      new DataView(memory.buffer).setBigUint64(out, now, true);
      return OK;
    },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    proc_exit(/** @type {number} */ code) {
      throw new Error(`the module ended with code ${code}`);
    },
  };
  const module = await WebAssembly.compile(bytes);
  for (const { name } of WebAssembly.Module.imports(module)) system[name] ??= unsupported;
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: system });
  /** @type {Record<string, any>} */
  const exports = instance.exports;
  memory = exports.memory;
  exports._initialize();
  return exports;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/**
 * The text at an address, or null when the address is null.
 * @param {Record<string, any>} exports
 * @param {number} address
 * @returns {string | null}
 */
export function readText(exports, address) {
  if (address === 0) return null;
  const bytes = new Uint8Array(exports.memory.buffer, address);
  return decoder.decode(bytes.subarray(0, bytes.indexOf(0)));
}

/**
 * The address of new memory of the module.
 * @param {Record<string, any>} exports
 * @param {number} size in bytes
 * @returns {number}
 */
export function allocate(exports, size) {
  const address = exports.page_allocate(size);
  if (address === 0) throw new Error(`not enough memory for ${size} bytes`);
  return address;
}

/**
 * Calls `use` with texts copied into the module's memory, each ended by zero: with the address of
 * each, and the length in bytes of the first.
 * @template T
 * @param {Record<string, any>} exports
 * @param {string[]} texts
 * @param {(addresses: number[], length: number) => T} use
 * @returns {T}
 */
export function withTexts(exports, texts, use) {
  const encoded = texts.map((text) => encoder.encode(text));
  const addresses = encoded.map((bytes) => allocate(exports, bytes.length + 1));
  const memory = new Uint8Array(exports.memory.buffer);
  encoded.forEach((bytes, i) => {
    memory.set(bytes, addresses[i]);
    memory[addresses[i] + bytes.length] = 0;
  });
  try {
    return use(addresses, encoded[0].length);
  } finally {
    addresses.forEach((address) => exports.page_release(address));
  }
}
