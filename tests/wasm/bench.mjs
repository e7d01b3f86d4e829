// bench.mjs - bench/web gives every engine the scene of the C bench, and its judge measures what it
// should. Closes with "N passed, N failed, N skipped".
//
//   node tests/wasm/bench.mjs BUILD_DIR
import { existsSync } from "node:fs";
import { POSE, loadScenes, startPoses } from "../../bench/web/scenes.mjs";
import { ENGINES } from "../../bench/web/engines.mjs";
import { count, test } from "./check.mjs";

const [buildDir] = process.argv.slice(2);

let skipped = 0;
function near(found, wanted, error, what) {
  if (!(Math.abs(found - wanted) <= error)) throw new Error(`${what} is ${found}, must be ${wanted}`);
}

const entries = await loadScenes(buildDir);
const scenes = Object.fromEntries(entries.map((entry) => [entry.name, entry.open()]));

// --- the scenes ----------------------------------------------------------------------------------

test("the pyramid is 465 unit boxes of 1000 kg on a block, row over row", () => {
  const moving = scenes.pyramid.bodies.filter((body) => body.dynamic);
  near(moving.length, (30 * 31) / 2, 0, "the number of boxes");
  for (const box of moving) {
    near(box.half.reduce((product, half) => 2 * half * product, box.density), 1000, 0, "a mass");
    near((box.position[2] - 0.5) % 1, 0, 0, "a height");
  }
});

test("the spheres are 1000 of radius 0.1 to 0.15 m", () => {
  const radii = scenes.spheres.bodies.filter((body) => body.dynamic).map((body) => body.radius);
  near(radii.length, 1000, 0, "the number of spheres");
  if (Math.min(...radii) < 0.1 || Math.max(...radii) > 0.15) throw new Error("a radius is outside");
});

// --- the judge -----------------------------------------------------------------------------------

for (const name of ["pyramid", "spheres"])
  test(`${name}: nothing overlaps or has moved at the start`, () => {
    const { relative, displacement } = scenes[name].measure(startPoses(scenes[name]));
    near(relative, 0, 0, "the overlap");
    near(displacement, 0, 0, "the displacement");
  });

test("a box lowered by 0.01 m overlaps by as much, 2 % of its half-width", () => {
  const poses = startPoses(scenes.pyramid);
  poses[poses.length - POSE + 2] -= 0.01; // the box at the top
  const { depth, relative, displacement } = scenes.pyramid.measure(poses);
  near(depth, 0.01, 1e-14, "the depth"); // heights are rounded at 30 m
  near(relative, 0.02, 1e-13, "the relative depth");
  near(displacement, 0.01, 1e-14, "the displacement");
});

test("a sphere moved onto another one overlaps by the sum of the radii", () => {
  const { bodies } = scenes.spheres;
  const poses = startPoses(scenes.spheres);
  const last = bodies.length - 1;
  poses.copyWithin(last * POSE, (last - 1) * POSE, (last - 1) * POSE + 3);
  near(scenes.spheres.measure(poses).depth, bodies[last].radius + bodies[last - 1].radius, 0, "the depth");
});

// --- the engines ---------------------------------------------------------------------------------

// Where a body in free fall is after a step: by half of g h^2 lower when the fall is exact, by the
// whole with one velocity for the step; engines that divide it lie between. One in a hundred for
// the damping that an engine has by default.
function checkFall(scene, before, after) {
  const fall = -scene.gravity[2] * scene.step ** 2;
  scene.bodies.forEach((body, i) => {
    if (!body.dynamic) return;
    const [x, y, z] = [0, 1, 2].map((k) => after[i * POSE + k] - before[i * POSE + k]);
    near(x, 0, 1e-6, `the motion of body ${i} along x`);
    near(y, 0, 1e-6, `the motion of body ${i} along y`);
    if (!(-z > 0.49 * fall && -z < 1.01 * fall)) throw new Error(`body ${i} fell by ${-z} m`);
  });
}

function checkEngine(engine, make) {
  const precise = engine.family === "rigor" || engine.family === "mujoco";
  for (const name of ["pyramid", "spheres"]) {
    const scene = scenes[name];
    const world = make(scene);
    const wanted = startPoses(scene);
    const found = new Float64Array(wanted.length);
    world.poses(found);
    wanted.forEach((value, i) =>
      near(found[i], precise ? value : Math.fround(value), 0, `${name}, number ${i} of the poses`));
    if (name === "spheres") {
      world.step();
      const after = new Float64Array(wanted.length);
      world.poses(after);
      checkFall(scene, found, after);
    }
    world.free();
  }
}

const installed = existsSync(new URL("../../bench/web/node_modules", import.meta.url));
for (const engine of ENGINES) {
  if (engine.family !== "rigor" && !installed) {
    skipped += 1;
    console.log(`skip  ${engine.name}: it is installed by make bench-web`);
    continue;
  }
  const make = await engine.start(buildDir);
  test(`${engine.name} starts with the bodies where they are, and they fall`, () => checkEngine(engine, make));
}

console.log(`${count.passed} passed, ${count.failed} failed, ${skipped} skipped`);
process.exit(count.failed ? 1 : 0);
