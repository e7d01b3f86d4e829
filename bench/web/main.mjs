// main.mjs - Rigor as WebAssembly against other engines under Node, in one run.
//
//   node bench/web/main.mjs BUILD_DIR [options]     BUILD_DIR: what the preset wasm builds
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ENGINES } from "./engines.mjs";
import { data, heading, table } from "./print.mjs";
import { runScene } from "./run.mjs";
import { loadScenes } from "./scenes.mjs";

const SCENES = ["pyramid", "spheres"]; // of the bench's table; run when none is named

const USAGE = `usage: main.mjs BUILD_DIR [--quick] [--json] [--scene NAME]... [--engine NAME]... [--steps N]
                [--budget S]

  --quick         a short run
  --json          results as JSON
  --scene NAME    ${SCENES.join(" or ")}; may be repeated
  --engine NAME   ${ENGINES.map((engine) => engine.name).join(", ")}; may be repeated
  --steps N       number of steps in each scene
  --budget S      CPU seconds after which an engine leaves a scene (60; 20 when quick)
`;

function fail(message) {
  process.stderr.write(`bench-web: ${message}\n\n${USAGE}`);
  process.exit(2);
}

function positive(name, text, fallback) {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0 && Number.isInteger(value))) fail(`--${name} is ${text}, must be a whole number > 0`);
  return value;
}

function chosen(kind, names, table) {
  return names.map((name) => {
    const item = table.find((entry) => entry.name === name);
    return item ?? fail(`there is no ${kind} ${name} (${table.map((entry) => entry.name).join(", ")})`);
  });
}

function readArguments() {
  const text = { type: "string" };
  const several = { type: "string", multiple: true };
  const flag = { type: "boolean", default: false };
  try {
    const options = {
      help: flag, quick: flag, json: flag, scene: several, engine: several, steps: text, budget: text,
    };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if (positionals.length !== 1) fail("BUILD_DIR is needed, and nothing else without an option");
    const [buildDir] = positionals;
    for (const file of ["scenes.wasm", "rigor.wasm"])
      if (!existsSync(join(buildDir, file))) fail(`there is no ${file} in ${buildDir}: scripts/build wasm makes it`);
    return { ...values, buildDir };
  } catch (error) {
    return fail(error.message);
  }
}

const args = readArguments();
const budget = positive("budget", args.budget, args.quick ? 20 : 60);
const steps = positive("steps", args.steps, 0);
const engines = chosen("engine", args.engine ?? ENGINES.map((engine) => engine.name), ENGINES);
const known = (await loadScenes(args.buildDir)).filter((entry) => SCENES.includes(entry.name));
const scenes = chosen("scene", args.scene ?? SCENES, known);

const started = [];
for (const engine of engines)
  try {
    started.push([engine, await engine.start(args.buildDir)]);
  } catch (error) {
    fail(`${engine.name} does not start (scripts/bench-web installs what is needed): ${error.message}`);
  }

if (!args.json) console.log(heading(process.versions, engines));
const results = [];
for (const entry of scenes) {
  const plan = { steps: steps || (args.quick ? entry.quickSteps : entry.steps), budget };
  plan.progress = (part) => {
    if (process.stderr.isTTY)
      process.stderr.write(part < 1 ? `\r${entry.name}: ${Math.floor(100 * part)} %\x1b[K` : "\r\x1b[K");
  };
  const rows = runScene(entry, started, plan);
  if (args.json) results.push(data(entry, rows, plan.steps));
  else console.log(table(entry, rows, plan.steps));
}
if (args.json) console.log(JSON.stringify({ node: process.versions.node, scenes: results }, null, 1));
process.exit(0); // the workers of an engine would keep Node alive
