// layout.mjs - writes src/layout.js from the table in the module (apps/wasm/layout.h).
//
//   node web/layout.mjs [BUILD_DIR]
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readText, startModule } from "./src/module.js";

const folder = process.argv[2] ?? resolve(import.meta.dirname, "../build-wasm");
const file = resolve(import.meta.dirname, "src/layout.js");
const wasm = await startModule(readFileSync(join(folder, "rigor.wasm")));
const text = readText(wasm, wasm.page_layout(wasm.page_create()));
if (readFileSync(file, "utf8") !== text) writeFileSync(file, text);
