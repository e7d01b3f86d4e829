// bundled.mjs - lets Node load a package that is written for bundlers: imports without an ending,
// and modules of WebAssembly imported as if they were JavaScript.
import { existsSync } from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";

// Registered once, by whoever imports this file; the functions below run in Node's loader.
if (!globalThis.rigorBundled) {
  globalThis.rigorBundled = true;
  register(import.meta.url);
}

const PACKAGE = "/node_modules/@dimforge/";

export async function resolve(specifier, context, next) {
  if (!specifier.startsWith(".") || !context.parentURL?.includes(PACKAGE))
    return next(specifier, context);
  const endings = ["", ".js", "/index.js"].map((ending) => new URL(specifier + ending, context.parentURL));
  const file = endings.find((url) => /\.(js|wasm)$/.test(url.href) && existsSync(fileURLToPath(url)));
  return file ? { url: file.href, shortCircuit: true } : next(specifier, context);
}

// JavaScript that starts the module, with what it imports, and exports what the module exports.
async function starter(url) {
  const { readFile } = await import("node:fs/promises");
  const module = await WebAssembly.compile(await readFile(fileURLToPath(url)));
  const sources = [...new Set(WebAssembly.Module.imports(module).map((item) => item.module))];
  const names = WebAssembly.Module.exports(module).map((item) => item.name);
  return [
    'import { readFileSync } from "node:fs";',
    ...sources.map((source, i) => `import * as source${i} from ${JSON.stringify(source)};`),
    `const imports = {${sources.map((source, i) => `${JSON.stringify(source)}: source${i}`)}};`,
    `const module = new WebAssembly.Module(readFileSync(new URL(${JSON.stringify(url)})));`,
    "const { exports: all } = new WebAssembly.Instance(module, imports);",
    ...names.map((name, i) => `const item${i} = all[${JSON.stringify(name)}];`),
    `export { ${names.map((name, i) => `item${i} as ${name}`).join(", ")} };`,
  ].join("\n");
}

export async function load(url, context, next) {
  if (!url.includes(PACKAGE)) return next(url, context);
  if (url.endsWith(".wasm"))
    return { format: "module", source: await starter(url), shortCircuit: true };
  return next(url, { ...context, format: "module" });
}
