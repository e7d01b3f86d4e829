// run.mjs - the modules of WebAssembly under Node: the same bits as every other build, and the
// interface that the page uses. Closes with "N passed, N failed".
//
//   node tests/wasm/run.mjs BUILD_DIR RIGOR
//
// RIGOR is the native command, whose trajectories the module must reproduce to the bit.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BODY, BOUNDS, CONTACT, FORCE, ForceKind, JOINT, SHAPE, STATE, VERSION } from "../../web/src/layout.js";
import { dominoes, openWorld } from "../../examples/browser/simulate.mjs";
import { readText, startModule, withTexts } from "../../web/src/module.js";
import { count, test } from "./check.mjs";

const [buildDir, rigor] = process.argv.slice(2);

function equal(found, wanted, what) {
  if (!Object.is(found, wanted)) throw new Error(`${what} is ${found}, must be ${wanted}`);
}

// --- the same bits -------------------------------------------------------------------------------

const hex = (value) => BigInt.asUintN(64, value).toString(16).padStart(16, "0");
const golden = await startModule(readFileSync(join(buildDir, "golden.wasm")));
for (let i = 0; i < golden.golden_count(); ++i) {
  const name = readText(golden, golden.golden_name(i));
  test(`golden hash of ${name}`, () =>
    equal(hex(golden.golden_run(i)), hex(golden.golden_hash(i)), "the hash"));
}

// --- the example for browsers --------------------------------------------------------------------

const dominoesFall = await openWorld(readFileSync(join(buildDir, "rigor.wasm")), dominoes);
test("examples/browser: the dominoes fall one after the other", () => {
  dominoesFall.step(360);
  for (const [i, [, , z]] of dominoesFall.positions().slice(1).entries())
    if (!(z < 0.1)) throw new Error(`domino ${i} stands at ${z} m`);
});

// --- the interface -------------------------------------------------------------------------------

const wasm = await startModule(readFileSync(join(buildDir, "rigor.wasm")));
const page = wasm.page_create();
const message = () => readText(wasm, wasm.page_message(page));
const open = (text, name) =>
  withTexts(wasm, [text, name], ([a, b], length) => wasm.page_open(page, a, length, b));
const mustOpen = (text, name) => {
  if (!open(text, name)) throw new Error(message());
};
const mustStep = (count) => {
  if (!wasm.page_step(page, count)) throw new Error(message());
};
const numbers = (address, count) => new Float64Array(wasm.memory.buffer, address, count);
const bodies = () => numbers(wasm.page_bodies(page), BODY.size * wasm.page_body_count(page));
const scene = (name) => readFileSync(`scenes/${name}`, "utf8");
const setOption = (name, value) =>
  withTexts(wasm, [name, value], ([a, b]) => wasm.page_set_option(page, a, b));

// The last frame of a native run: position and orientation of every body, in the file's order.
function nativePoses(name, seconds) {
  const folder = mkdtempSync(join(tmpdir(), "rigor-wasm-"));
  try {
    const file = join(folder, "run.csv");
    const run = ["run", `scenes/${name}`, "--quiet", "--time", String(seconds), "-o", file];
    try {
      execFileSync(rigor, run, { stdio: "ignore" });
    } catch (error) {
      if (error.status !== 1) throw error; // 1: some step did not meet the tolerance
    }
    const rows = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
    const column = (title) => rows[0].indexOf(title);
    const last = rows.filter((row) => row[column("step")] === rows.at(-1)[column("step")]);
    const titles = ["px", "py", "pz", "qw", "qx", "qy", "qz"];
    return {
      steps: Number(rows.at(-1)[column("step")]),
      poses: last.map((row) => titles.map((title) => Number(row[column(title)]))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const allScenes = readdirSync("scenes", { recursive: true }).filter((file) => file.endsWith(".json"));
const SECONDS = 0.25; // long enough for contacts everywhere, short enough for every scene
for (const name of allScenes)
  test(`${name} ends where the native run ends`, () => {
    const native = nativePoses(name, SECONDS);
    mustOpen(scene(name), name);
    mustStep(native.steps);
    const all = bodies();
    native.poses.forEach((pose, i) =>
      pose.forEach((value, k) => equal(all[i * BODY.size + k], value, `body ${i}, number ${k}`)));
  });

test("layout.js is made from the table of the module", () => {
  equal(readFileSync("web/src/layout.js", "utf8"), readText(wasm, wasm.page_layout(page)),
    "web/src/layout.js is out of date, make it again with `node web/layout.mjs`: it");
  equal(wasm.page_layout_version() >>> 0, VERSION, "the version");
});

test("the state has the certificate of the last step by the names of its fields", () => {
  mustOpen(scene("stack.json"), "stack.json");
  mustStep(3);
  const state = numbers(wasm.page_state(page), STATE.size);
  equal(state[STATE.steps], 3, "the number of steps");
  equal(state[STATE.dimension], 3, "the dimension");
  equal(state[STATE.met], Number(state[STATE.residual] <= state[STATE.tolerance]), "met");
  if (!(state[STATE.contacts] >= 20 && state[STATE.scale] > 0)) throw new Error(Array.from(state).join());
  equal(readText(wasm, wasm.page_missed(page)), "", "what was missed");
});

test("a bad scene is refused with its place, and the old one stays", () => {
  mustOpen(scene("stack.json"), "stack.json");
  const bad = '{\n  "rigor": 1,\n  "bodies": [{"shapes": [{"shape": "sphere", "radius": -1}]}]\n}';
  equal(open(bad, "bad.json"), 0, "the result");
  if (!/^bad\.json:3:\d+: .*radius.* -1, must be > 0/.test(message())) throw new Error(message());
  mustStep(1);
});

test("options are read and set by name, wrong ones refused", () => {
  mustOpen(scene("stack.json"), "stack.json");
  const names = [];
  for (let i = 0; wasm.page_option_name(i); ++i) names.push(readText(wasm, wasm.page_option_name(i)));
  const theta = names.indexOf("theta");
  equal(setOption("theta", "0.75"), 1, "the result");
  equal(readText(wasm, wasm.page_option_value(page, theta)), "0.75", "theta");
  equal(setOption("theta", "7"), 0, "the result");
  if (!message().includes("0.5")) throw new Error(message());
  equal(setOption("thetaa", "1"), 0, "the result");
  equal(readText(wasm, wasm.page_option_choice(names.indexOf("cone"), 0)), "exact", "the first cone");
});

test("a ball thrown through free space moves with its velocity", () => {
  mustOpen('{"rigor": 1, "options": {"gravity": [0, 0, 0]}, "bodies": []}', "empty.json");
  const ball = wasm.page_throw(page, 1, 2, 3, 4, 0, 0, 0.1, 1000);
  mustStep(100);
  const time = numbers(wasm.page_state(page), STATE.size)[STATE.time];
  const travel = bodies()[ball * BODY.size] - 1;
  if (Math.abs(travel - 4 * time) > 1e-12 * travel) throw new Error(`went ${travel} m`);
});

test("a dragged body ends where the spring holds it", () => {
  mustOpen('{"rigor": 1, "options": {"gravity": [0, 0, 0]}, "bodies": []}', "empty.json");
  const ball = wasm.page_throw(page, 0, 0, 0, 0, 0, 0, 0.1, 1000);
  wasm.page_grab(page, ball, 0, 0, 0, 4);
  wasm.page_drag(page, 1, 0, 0.5);
  mustStep(400); // many periods of the critically damped spring
  const [x, , z] = bodies().subarray(ball * BODY.size);
  if (Math.abs(x - 1) > 1e-6 || Math.abs(z - 0.5) > 1e-6) throw new Error(`is at ${x}, ${z}`);
});

test("the attractor pulls, the repulsor pushes, and both can be taken away", () => {
  mustOpen('{"rigor": 1, "options": {"gravity": [0, 0, 0]}, "bodies": []}', "empty.json");
  const ball = wasm.page_throw(page, 0, 0, 0, 0, 0, 0, 0.1, 1000);
  const x = () => bodies()[ball * BODY.size];
  wasm.page_attract(page, 2, 0, 0, 5, 1);
  mustStep(10);
  if (!(x() > 0)) throw new Error(`attracted to ${x()}`);
  wasm.page_throw(page, 0, 5, 0, 0, 0, 0, 0.1, 1000);
  wasm.page_attract(page, 2, 5, 0, -5, 1);
  mustStep(10);
  if (!(bodies()[(ball + 1) * BODY.size] < 0)) throw new Error("not repelled");
  equal(wasm.page_attract(page, 0, 0, 0, 0, 1), 1, "the result");
});

test("springs and attractors say where they are", () => {
  const forces = () => Array.from(numbers(wasm.page_forces(page), FORCE.size * wasm.page_force_count(page)));
  mustOpen(scene("experiments/stiff_spring.json"), "stiff_spring.json");
  equal(wasm.page_force_count(page), 2, "the number of forces");
  equal(forces().join(), "2,0,0,-1,0,0,0,0,2,0.5,0,-1,0.5,0,0,0", "springs from the bodies to the ground");
  const text = scene("experiments/contact_stabilization.json");
  mustOpen(text, "contact_stabilization.json");
  const [kind, x, y] = forces();
  equal(`${kind},${x},${y}`, `${ForceKind.Attractor},${JSON.parse(text).forces[0].path[0]}`, "the attractor at the start of its path");
});

test("joints say which bodies they hold", () => {
  mustOpen(scene("experiments/chain_stabilization.json"), "chain_stabilization.json");
  const joints = numbers(wasm.page_joints(page), JOINT.size * wasm.page_joint_count(page));
  const held = [];
  for (let at = 0; at < joints.length; at += JOINT.size) held.push(`${joints[at + JOINT.bodyA]}-${joints[at + JOINT.bodyB]}`);
  equal(held.join(" "), "-1-0 0-1 1-2 2-3 3-4 4-5", "the bodies");
});

test("bodies placed where a run has left them touch where they touched in it", () => {
  const TOUCHING = 1e-6; // [m]
  const touching = () => {
    const all = numbers(wasm.page_contacts(page), CONTACT.size * wasm.page_contact_count(page));
    const points = [];
    for (let at = 0; at < all.length; at += CONTACT.size)
      if (all[at + CONTACT.gap] < TOUCHING)
        points.push([...all.slice(at, at + CONTACT.impulse), all[at + CONTACT.bodyA], all[at + CONTACT.bodyB]]);
    return points;
  };
  mustOpen(scene("stack.json"), "stack.json");
  mustStep(50);
  const poses = bodies().slice();
  const wanted = touching();
  mustOpen(scene("stack.json"), "stack.json");
  const address = wasm.page_allocate(poses.byteLength);
  numbers(address, poses.length).set(poses);
  if (!wasm.page_place(page, address, poses.length / BODY.size, true)) throw new Error(message());
  wasm.page_release(address);
  const found = touching();
  equal(found.length, wanted.length, "the number of contacts");
  if (wanted.length < 20) throw new Error(`only ${wanted.length} contacts touch`);
  // Orientations are brought to norm 1, which changes their last bits.
  found.forEach((contact, i) => contact.forEach((value, k) => {
    if (!(Math.abs(value - wanted[i][k]) < 1e-12)) throw new Error(`contact ${i}, number ${k}: ${value}, was ${wanted[i][k]}`);
  }));
});

// The library puts the bodies of a large world into another order, which the page does not see.
test("bodies, shapes and contacts of a large scene keep their numbers", () => {
  const COUNT = 4200;
  const place = (i) => (i * 1237) % COUNT;
  const radius = (i) => 0.1 + (i % 7) / 100;
  const list = [{ kind: "static", shapes: [{ shape: "halfspace" }] }];
  for (let i = 1; i < COUNT; ++i)
    list.push({ name: `ball ${i}`, position: [place(i), 0, radius(i)], shapes: [{ shape: "sphere", radius: radius(i) }] });
  mustOpen(JSON.stringify({ rigor: 1, bodies: list }), "many.json");
  mustStep(2);
  const near = (a, b) => Math.abs(a - b) < 1e-6;
  const must = (right, what, i) => {
    if (!right) throw new Error(`${what} ${i}`);
  };
  const poses = bodies().slice();
  const bounds = numbers(wasm.page_bounds(page), BOUNDS.size * COUNT).slice();
  for (let i = 1; i < COUNT; ++i) {
    must(near(poses[i * BODY.size], place(i)), "pose", i);
    must(near(bounds[i * BOUNDS.size], place(i) - radius(i)), "bounds", i);
    must(readText(wasm, wasm.page_body_name(page, i)) === `ball ${i}`, "name", i);
    const shape = numbers(wasm.page_shape(page, i), SHAPE.size);
    must(shape[SHAPE.body] === i && near(shape[SHAPE.radius], radius(i)), "shape", i);
  }
  const contacts = numbers(wasm.page_contacts(page), CONTACT.size * wasm.page_contact_count(page)).slice();
  equal(contacts.length / CONTACT.size, COUNT - 1, "the number of contacts");
  for (let at = 0; at < contacts.length; at += CONTACT.size) {
    const ball = contacts[at + CONTACT.bodyA] + contacts[at + CONTACT.bodyB]; // the other is body 0
    must(near(contacts[at], place(ball)), "contact of ball", ball);
  }
  const held = 1000;
  wasm.page_grab(page, held, place(held), 0, radius(held), 5);
  wasm.page_drag(page, place(held), 0, 1);
  mustStep(3);
  must(bodies()[held * BODY.size + 2] > radius(held) + 1e-3, "not lifted: ball", held);
  wasm.page_let_go(page);
});

test("every shape gives something to draw", () => {
  for (const name of allScenes) {
    mustOpen(scene(name), name);
    for (let i = 0; i < wasm.page_shape_count(page); ++i) {
      const s = numbers(wasm.page_shape(page, i), SHAPE.size);
      const visible = s[SHAPE.radius] > 0 || s[SHAPE.halfLength] > 0 || s[SHAPE.half] > 0 ||
        s[SHAPE.corners] > 0 || s[SHAPE.extent] === Infinity;
      if (s[SHAPE.body] < 0 || !visible) throw new Error(`${name}: shape ${i}`);
    }
  }
});

// Six times the volume that triangles enclose; positive when they are counter-clockwise from outside.
function enclosed(corners) {
  let sum = 0;
  for (let k = 0; k < corners.length; k += 9) {
    const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.slice(k, k + 9);
    sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }
  return sum;
}

// Points of the surface of an ellipsoid enclose less than it does, by what the triangles cut off.
test("a convex shape without geometry in the page comes as a closed surface", () => {
  const shape = { shape: "superellipsoid", half: [0.5, 0.4, 0.3], exponents: [2, 2] };
  mustOpen(JSON.stringify({ rigor: 1, bodies: [{ shapes: [shape] }] }), "one.json");
  const address = wasm.page_shape(page, 0), count = numbers(address, SHAPE.size)[SHAPE.corners];
  const corners = Array.from(numbers(address + 8 * SHAPE.size, 3 * count));
  const part = enclosed(corners) / 6 / ((4 / 3) * Math.PI * 0.5 * 0.4 * 0.3);
  if (!(part > 0.97 && part < 1)) throw new Error(`encloses ${part} of the volume`);
});

console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed ? 1 : 0);
