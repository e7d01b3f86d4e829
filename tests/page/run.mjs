// run.mjs - the page in Chromium without a screen, opened from disk as `rigor view` writes it.
// Leaves pictures in build/screenshots and closes with "N passed, N failed".
//
//   node tests/page/run.mjs PAGE RIGOR
//
// What is simulated is stepped by the test while the page is paused, so that nothing depends on how
// fast the machine draws; mouse, keyboard, fingers and files go through the browser.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { BODY, SMALL, WIDE, World, gltfValidator, launch, openPage } from "./browser.mjs";
import { readGlb } from "./glb.mjs";
import { check, finish, test } from "./harness.mjs";
import "./pace.mjs";

const [pageFile, rigor] = process.argv.slice(2).map((path) => resolve(path));
const pictures = resolve("build/screenshots");
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "rigor-page-"));
const JPEG = { type: "jpeg", quality: 72 };
const shot = (target, name) => target.screenshot({ ...JPEG, path: join(pictures, `${name}.jpg`) });

const browser = await launch();
const complaints = [];
const page = await openPage(browser, pageFile, complaints);
const world = new World(page);

const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
const TOP = 20; // the uppermost of the twenty boxes of the stack; 0 is the ground
const optionsNow = async () =>
  Object.fromEntries((await page.evaluate(() => window.rigor.idle().then(() => window.rigor.engine.options()))).map(({ name, value }) => [name, value]));
async function setOption(name, value) {
  const field = page.locator(`[data-option="${name}"]`);
  if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
  else {
    await field.fill(value);
    await field.press("Enter");
  }
  await world.idle();
}
// Runs the command; a run that misses its tolerance ends with 1.
function run(...args) {
  try {
    return execFileSync(rigor, args, { stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw new Error(String(error.stderr));
  }
}

// --- loading --------------------------------------------------------------------------------------

await test("the page opens from disk, draws its first frame and steps, without a complaint", async () => {
  await page.waitForFunction(() => window.rigor.engine.state().steps > 0);
  const marks = await page.evaluate(() => performance.getEntriesByName("first frame").map((mark) => mark.startTime));
  check(marks.length === 1, "no first frame is marked");
  console.log(`      first frame ${(marks[0] / 1000).toFixed(2)} s after the start of the page, in a browser just started`);
  check((await page.evaluate(() => location.protocol)) === "file:", "not from file://");
  check(complaints.length === 0, complaints.join("\n"));
});

await test("the gallery has all scenes and every experiment that has one, each with its line", async () => {
  const shown = await page.evaluate(() =>
    Array.from(document.querySelectorAll("[data-scene]"), (card) => [card.dataset.scene, card.querySelector("span").textContent]));
  const experiments = JSON.parse(run("list", "experiments", "--json"));
  const wanted = [
    ...readdirSync("scenes").filter((name) => name.endsWith(".json")).map((name) => `scenes/${name}`),
    ...experiments.flatMap(({ scene }) => (scene ? [scene] : [])),
  ];
  for (const path of wanted) {
    const title = JSON.parse(readFileSync(path, "utf8")).title;
    check(shown.some(([name, line]) => path.endsWith(`/${name}`) && line === title), `${path} is missing`);
  }
  check(shown.length === wanted.length, `${shown.length} scenes are shown, there are ${wanted.length}`);
});

// --- simulating -----------------------------------------------------------------------------------

await test("a stack stands", async () => {
  await world.open("stack.json");
  const before = await world.position(TOP);
  await world.simulate(2);
  const after = await world.position(TOP);
  check(distance(before, after) < 1e-3, `the top went from ${before} to ${after}`);
  await world.frame();
  check((await page.getAttribute("#light", "data-light")) === "met", "the light does not say that the tolerance was met");
});

await test("play runs, pause holds, step makes one step, reset goes back", async () => {
  await world.open("stack.json");
  const steps = async () => (await world.state()).steps;
  await page.click("#play");
  await page.waitForFunction(() => window.rigor.engine.state().steps > 3);
  await page.click("#play");
  const held = await steps();
  await page.click("#step");
  check((await steps()) === held + 1, `one step led from ${held} to ${await steps()}`);
  await page.click("#reset");
  check((await steps()) === 0, "reset did not go back to the start");
  await page.selectOption("#speed", "0.1");
  check((await page.evaluate(() => window.rigor.speed)) === 0.1, "the speed is not set");
  await page.selectOption("#speed", "1");
});

await test("keys play, step, reset, choose tools, throw, open the gallery, turn and zoom the view", async () => {
  await world.open("stack.json");
  const steps = async () => (await world.state()).steps;
  await page.keyboard.press(".");
  check((await steps()) === 1, "'.' does not step");
  await page.keyboard.press("r");
  check((await steps()) === 0, "'r' does not reset");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.rigor.engine.state().steps > 0);
  await page.keyboard.press("Space");
  check((await page.textContent("#play")) === "Play", "Space does not pause");
  for (const [key, tool] of [["1", "hand"], ["2", "push"], ["3", "pull"], ["4", "throw"]]) {
    await page.keyboard.press(key);
    check((await page.evaluate(() => window.rigor.hand.tool)) === tool, `'${key}' does not choose ${tool}`);
  }
  const count = await world.bodyCount();
  await page.keyboard.press("b");
  check((await world.bodyCount()) === count + 1, "'b' throws no ball");
  await page.keyboard.press("g");
  check(await page.isVisible("#gallery"), "'g' does not open the gallery");
  await page.keyboard.press("Escape");
  await page.focus("#view");
  const camera = () => page.evaluate(() => window.rigor.view.camera.position.toArray());
  const far = () => page.evaluate(() => window.rigor.view.camera.position.distanceTo(window.rigor.view.controls.target));
  let [before, away] = [await camera(), await far()];
  await page.keyboard.press("Shift+ArrowLeft");
  check(distance(before, await camera()) > 0.01 * away, "Shift and an arrow do not turn the view");
  check(Math.abs((await far()) - away) < 1e-6 * away, "turning changes the distance");
  before = await camera();
  await page.keyboard.press("ArrowUp");
  check(distance(before, await camera()) > 1e-3 * away, "arrows do not shift the view");
  away = await far();
  await page.keyboard.press("+");
  check((await far()) < 0.95 * away, "'+' does not come nearer");
  await page.keyboard.press("-");
  check(Math.abs((await far()) - away) < 1e-6 * away, "'-' does not go back");
});

await test("the mouse turns, shifts and zooms the view beside the bodies", async () => {
  await world.open("stack.json");
  await page.keyboard.press("1");
  const look = () => page.evaluate(() => {
    const { camera, controls } = window.rigor.view;
    return { at: camera.position.toArray(), target: controls.target.toArray(), far: camera.position.distanceTo(controls.target) };
  });
  const drag = async (button) => {
    await page.mouse.move(120, 300);
    await page.mouse.down({ button });
    await page.mouse.move(180, 330, { steps: 3 });
    await page.mouse.up({ button });
  };
  const start = await look();
  await drag("left");
  const turned = await look();
  check(distance(start.at, turned.at) > 0.05 * start.far && distance(start.target, turned.target) === 0, "left does not turn");
  await drag("right");
  const shifted = await look();
  check(distance(turned.target, shifted.target) > 0.01 * start.far, "right does not shift");
  await page.mouse.wheel(0, 300);
  await world.frame();
  check(Math.abs((await look()).far / start.far - 1) > 0.02, "the wheel does not zoom");
});

await test("the repulsor pushes the stack over", async () => {
  await world.open("stack.json");
  await page.keyboard.press("2");
  const before = await world.position(TOP);
  const upper = await world.bodyInWindow(TOP - 1);
  await page.mouse.move(upper.x, upper.y);
  await page.mouse.down();
  await world.simulate(1);
  await shot(page, "repulsor");
  await page.mouse.up();
  await world.simulate(4);
  const after = await world.position(TOP);
  check(after[2] < 0.7 * before[2], `the top went from ${before} to ${after}`);
});

await test("the attractor pulls with the right button", async () => {
  await world.open("stack.json");
  await page.keyboard.press("2");
  const above = await world.bodyInWindow(TOP);
  await page.mouse.move(above.x, above.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(above.x + 150, above.y, { steps: 4 });
  await world.simulate(1);
  await page.mouse.up({ button: "right" });
  const moved = await world.bodyInWindow(TOP);
  check(moved.x > above.x + 20, `on the screen the top went from ${above.x} to ${moved.x}`);
});

await test("the cursor moves in a level plane, and up and down with the middle button", async () => {
  await world.open("stack.json");
  await page.keyboard.press("2");
  const held = () => page.evaluate(() => window.rigor.hand.held.toArray());
  const middle = await world.bodyInWindow(TOP / 2);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  const start = await held();
  await page.mouse.move(middle.x + 40, middle.y, { steps: 3 });
  const level = await held();
  check(Math.abs(level[2] - start[2]) < 1e-9 && distance(level, start) > 0.1, `went from ${start} to ${level}`);
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(middle.x + 40, middle.y - 60, { steps: 3 });
  const up = await held();
  await page.mouse.up({ button: "middle" });
  await page.mouse.up();
  check(up[2] > level[2] + 0.1 && Math.hypot(up[0] - level[0], up[1] - level[1]) < 1e-9, `went from ${level} to ${up}`);
});

await test("a thrown ball hits", async () => {
  await world.open("stack.json");
  await page.keyboard.press("4");
  const before = await world.position(TOP);
  const count = await world.bodyCount();
  const target = await world.bodyInWindow(TOP - 2);
  await page.mouse.click(target.x, target.y);
  check((await world.bodyCount()) === count + 1, "no ball was added");
  await page.evaluate(() => window.rigor.play(false));
  await world.simulate(2);
  const after = await world.position(TOP);
  check(after[2] < 0.9 * before[2], `the top went from ${before} to ${after}`);
});

await test("a dragged body follows, and is selected", async () => {
  await world.open("stack.json");
  await page.keyboard.press("1");
  const before = await world.position(TOP);
  const from = await world.bodyInWindow(TOP);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 120, from.y - 30, { steps: 5 });
  await world.simulate(2);
  const held = await world.bodyInWindow(TOP);
  check(Math.hypot(held.x - from.x - 120, held.y - from.y + 30) < 40, `is at ${held.x}, ${held.y}`);
  await world.frame();
  check((await page.textContent("#facts")).includes("selected"), "the body is not selected");
  await page.mouse.up();
  await world.simulate(2);
  check((await world.position(TOP))[2] < before[2], "it did not fall when let go");
});

// --- options --------------------------------------------------------------------------------------

// The state after some steps with an option set to each of some values.
async function statesWith(scene, option, values, seconds, measure) {
  const found = [];
  for (const value of values) {
    await world.open(scene);
    await setOption(option, value);
    check((await optionsNow())[option] === value, `${option} is ${(await optionsNow())[option]}`);
    await world.simulate(seconds);
    found.push(await page.evaluate(measure));
  }
  return found;
}
const hash = () => window.rigor.engine.hash();

await test("the stabilizer takes effect: a pendulum leaves its circle, or stays on it", async () => {
  const off = () => window.rigor.engine.joints()[11];
  const [none, post] = await statesWith("pendulum_drift.json", "stabilizer", ["none", "post"], 2, off);
  check(none > 1e-2 && post < 1e-9, `the anchor is off by ${none} and ${post} m`);
});

await test("the friction model takes effect: a polygon bends the path of a pushed body", async () => {
  const aside = () => {
    const [x, y] = window.rigor.engine.bodies().subarray(9);
    return y - Math.sqrt(3) * x;
  };
  const [exact, inner] = await statesWith("cone_weakness.json", "cone", ["exact", "inner"], 3, aside);
  check(Math.abs(exact) < 1e-6 && Math.abs(inner) > 1e-3, `it is ${exact} and ${inner} m beside the line of the force`);
});

await test("stepper, solver and step size take effect", async () => {
  const [theta, paper] = await statesWith("pendulum_drift.json", "stepper", ["theta", "anitescu-potra"], 1, hash);
  check(theta !== paper, "both steppers give the same state");
  const [nsgs, newton] = await statesWith("stack.json", "solver", ["nsgs", "newton"], 0.1, hash);
  check(nsgs !== newton, "both solvers give the same bits");
  const [, steps] = await statesWith("stack.json", "step", ["0.01", "0.002"], 0.1, () => window.rigor.engine.state().steps);
  check(steps === 50, `0.1 s are ${steps} steps of 2 ms`);
});

await test("gravity takes effect, and options hold over a reset", async () => {
  await world.open("dominoes.json");
  const [x, y, z] = ((await optionsNow()).gravity.match(/-?[\d.]+/g) ?? []).map(Number);
  check(x === 0 && y === 0 && z < 0, (await optionsNow()).gravity);
  await setOption("gravity", (await optionsNow()).gravity.replace("-", ""));
  await page.click("#reset");
  await world.simulate(0.5);
  const up = await world.position(5);
  check(up[2] > 1, `a domino that falls upwards is at ${up}`);
});

await test("a wrong option is refused with a message; a preset sets many", async () => {
  await world.open("stack.json");
  const before = await optionsNow();
  await setOption("step", "-1");
  check(/must be a number > 0/.test(await page.textContent("#error-message")), await page.textContent("#error"));
  await page.selectOption("#preset", "realtime");
  const after = await optionsNow();
  check(after.tolerance !== before.tolerance && after.step !== "-1", JSON.stringify(after));
});

await test("the light is green, amber and red: met, budget ended, failed", async () => {
  const light = async () => {
    await world.frame();
    return page.getAttribute("#light", "data-light");
  };
  await world.open("stack.json");
  await page.click("#step");
  check((await light()) === "met", "not met");
  await page.evaluate(() => document.querySelectorAll("aside details").forEach((part) => (part.open = true)));
  await world.open("demo.json");
  await setOption("iteration_limit", "1");
  await world.simulate(0.3);
  check((await light()) === "budget", `${await light()} within one iteration`);
  await world.open("stack.json");
  await setOption("solver", "direct"); // takes no contacts
  await page.click("#step");
  check((await light()) === "failed", `${await light()} with a solver that does not take the problem`);
  check(await page.isVisible("#error"), "the failure has no message");
});

// --- looking --------------------------------------------------------------------------------------

const drawn = () =>
  page.evaluate(() => {
    const { lines, dots } = window.rigor.overlays;
    const count = ({ object }) => (object.visible ? object.geometry.getAttribute("position").count : 0);
    return count(lines) + count(dots);
  });
for (const [overlay, scene, time = 0.05] of [
  ["contacts", "stack.json"], ["normals", "stack.json"], ["forces", "stack.json"], ["cones", "stack.json"],
  ["penetration", "heap.json", 0.9], ["joints", "jansen.json"], ["bounds", "dominoes.json"]])
  await test(`the overlay "${overlay}" is drawn`, async () => {
    await world.open(scene);
    await world.simulate(time);
    await world.frame();
    const without = await drawn();
    await page.check(`[data-overlay="${overlay}"]`);
    await world.frame();
    check((await drawn()) > without, "nothing was added");
    await page.uncheck(`[data-overlay="${overlay}"]`);
    await world.frame();
    check((await drawn()) === without, "it does not go away");
  });

await test("islands have colours of their own", async () => {
  await world.open("spheres.json");
  await world.simulate(0.8);
  const colors = () => page.evaluate(() =>
    new Set(window.rigor.view.groups.flatMap(({ mesh }) => Array.from(mesh.instanceColor?.array ?? [], (c) => c.toFixed(3)))).size);
  const islands = (await world.state()).islands;
  await page.check('[data-overlay="islands"]');
  await world.frame();
  check(islands > 1 && (await colors()) > islands, `${islands} islands, ${await colors()} numbers in their colours`);
  await page.uncheck('[data-overlay="islands"]');
});

await test("energy, residual, contacts and time per step are plotted", async () => {
  await world.open("stack.json");
  await world.simulate(0.1);
  await world.frame();
  const shown = await page.evaluate(() => Array.from(document.querySelectorAll("#plots figcaption"), (part) => part.textContent));
  check(shown.length === 4 && shown.every((text) => /\d/.test(text)), shown.join("; "));
});

// --- files ----------------------------------------------------------------------------------------

await test("a bad scene shows its message with line and column, and the old one stays", async () => {
  await world.open("stack.json");
  const bad = '{\n  "rigor": 1,\n  "bodies": [{"shapes": [{"shape": "sphere", "radius": -1}]}]\n}';
  await page.setInputFiles("#file", { name: "bad.json", mimeType: "application/json", buffer: Buffer.from(bad) });
  await page.waitForSelector("#error:not([hidden])");
  const message = await page.textContent("#error-message");
  check(/^bad\.json:3:\d+: .*radius is -1, must be > 0/.test(message), message);
  check((await page.textContent("#error-line")).includes('"radius": -1'), "the line is not shown");
  await shot(page, "message");
  check((await world.bodyCount()) === TOP + 1, "the stack is gone");
});

const drop = (text, name) =>
  page.evaluate(([content, file]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
  }, [text, name]);

await test("a scene dropped onto the page opens", async () => {
  await drop('{"rigor": 1, "title": "One ball", "bodies": [{"shapes": [{"shape": "sphere", "radius": 1}]}]}', "one.json");
  await page.waitForFunction(() => document.querySelector("#title").textContent === "One ball");
});

await test("rigor view writes a page that computes what rigor run computes, to the bit", async () => {
  const file = join(folder, "view.html");
  run("view", "scenes/tower_welded.json", "--page", pageFile, "--step", "0.004", "-o", file);
  const native = JSON.parse(run("run", "scenes/tower_welded.json", "--step", "0.004", "--time", "0.4", "--json", "--quiet"));
  const given = await openPage(browser, file, complaints);
  const state = await given.evaluate(async () => {
    await window.rigor.play(false);
    await window.rigor.reset();
    await window.rigor.engine.step(100);
    return window.rigor.engine.hash();
  });
  await given.close();
  check(state === native.state, `the state is ${state}, natively ${native.state}`);
});

await test("the simulation has a thread of its own; without workers the page does the same, to the bit", async () => {
  check(await page.evaluate(() => window.rigor.engine.apart), "a page from disk starts no worker");
  const context = await browser.newContext({ viewport: SMALL });
  await context.addInitScript(() => {
    window.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });
  const without = new World(await openPage(context, pageFile, complaints));
  check(!(await without.page.evaluate(() => window.rigor.engine.apart)), "it has a worker all the same");
  const states = [];
  for (const one of [world, without]) {
    await one.open("dominoes.json");
    await one.simulate(0.5);
    states.push(await one.page.evaluate(() => window.rigor.engine.hash()));
  }
  check(states[0] === states[1], `the states are ${states.join(" and ")}`);
  await without.page.click("#play");
  const before = (await without.state()).steps;
  await without.page.waitForFunction((steps) => window.rigor.engine.state().steps > steps + 10, before);
  await without.page.click("#play");
  await context.close();
});

await test("the simulation goes on while the page's own thread is busy", async () => {
  await world.open("dominoes.json");
  const steps = await page.evaluate(async () => {
    const { engine } = window.rigor;
    await window.rigor.play(true);
    const before = engine.state().steps;
    const start = performance.now();
    while (performance.now() - start < 500); // as if a frame took that long
    await engine.refresh();
    const after = engine.state().steps;
    await window.rigor.play(false);
    return after - before;
  });
  check(steps > 10, `${steps} steps were made meanwhile`);
});

// --- recorded runs --------------------------------------------------------------------------------

const csv = join(folder, "run.csv");
run("run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", csv);
const rows = readFileSync(csv, "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
const POSE = [4, 11]; // columns of a pose, after time, step, body and name

// All poses of all frames of the page's recording must be those of the native run.
async function checkPlayback(target) {
  const { times, poses } = await target.evaluate(() => ({
    times: window.rigor.recording.times, poses: window.rigor.recording.poses.map((pose) => Array.from(pose)) }));
  const frames = rows.filter((row) => row[2] === "0");
  check(times.length === frames.length && frames.length > 100, `${times.length} frames, natively ${frames.length}`);
  const frameOf = new Map(frames.map((row, i) => [row[1], i]));
  for (const row of rows) {
    const frame = frameOf.get(row[1]);
    check(Object.is(times[frame], Number(row[0])), `time of frame ${frame}: ${times[frame]}, natively ${row[0]}`);
    row.slice(...POSE).forEach((cell, k) =>
      check(Object.is(poses[frame][BODY * Number(row[2]) + k], Number(cell)), `frame ${frame}, body ${row[2]}, number ${k}: ${cell}`));
  }
}

await test("a run recorded as CSV plays back to the bit of the native trajectory, with a timeline", async () => {
  const file = join(folder, "csv.html");
  run("view", csv, "--page", pageFile, "-o", file);
  const given = await openPage(browser, file, complaints);
  await checkPlayback(given);
  await given.evaluate(() => window.rigor.play(false));
  await given.fill("#timeline", "0.25");
  check((await given.evaluate(() => window.rigor.recordedTime)) === 0.25, "the timeline does not lead");
  await given.waitForFunction(() => document.querySelector("#time").textContent === "0.25 s");
  const { shown, body } = await given.evaluate(() => {
    const { mesh, bodies } = window.rigor.view.groups.find(({ ground, shadow }) => !ground && !shadow);
    return { body: bodies.at(-1), shown: Array.from(mesh.instanceMatrix.array.slice(-4, -1)) };
  });
  const wanted = rows.filter((row) => Number(row[0]) <= 0.25 && Number(row[2]) === body).at(-1).slice(4, 7).map(Number);
  check(distance(shown, wanted) < 1e-7, `body ${body} is drawn at ${shown}, was at ${wanted}`);
  await shot(given, "recorded");
  await given.click("#play");
  await given.waitForFunction(() => window.rigor.recordedTime > 0.3);
  await given.close();
});

await test("a run recorded as HDF5 plays back to the bit of the native trajectory", async () => {
  if (!String(run("list", "formats")).includes(".h5")) {
    console.log("      skipped: this build has no HDF5");
    return;
  }
  const h5 = join(folder, "run.h5");
  const file = join(folder, "h5.html");
  run("run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", h5);
  run("view", h5, "--page", pageFile, "-o", file);
  const given = await openPage(browser, file, complaints);
  await checkPlayback(given);
  await given.close();
});

await test("contacts, normals, overlaps and bounds are drawn in a recorded run, where the simulation has them", async () => {
  const marks = async () => {
    await world.frame();
    return page.evaluate(() => {
      const { lines, dots } = window.rigor.overlays;
      const places = ({ object }) => (object.visible ? Array.from(object.geometry.getAttribute("position").array) : []);
      return [...places(lines), ...places(dots)];
    });
  };
  const shown = ["contacts", "normals", "bounds"];
  await world.open("dominoes.json");
  for (const overlay of shown) await page.check(`[data-overlay="${overlay}"]`);
  await world.simulate(0.25);
  const live = await marks();
  const { time } = await world.state();
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  check(!(await page.isVisible('[data-overlay="forces"]')), "forces, which it does not have, are offered");
  await page.evaluate(async (instant) => {
    await window.rigor.play(false);
    window.rigor.seek(instant);
  }, time);
  const recorded = await marks();
  check(live.length > 1000 && recorded.length === live.length, `${recorded.length} numbers are drawn, live ${live.length}`);
  const off = Math.max(...live.map((value, i) => Math.abs(value - recorded[i])));
  check(off < 1e-5, `they are off by ${off}`); // numbers of single precision
  await world.open("dominoes.json");
  for (const overlay of shown) await page.uncheck(`[data-overlay="${overlay}"]`);
});

await test("a trajectory dropped onto its scene is played back", async () => {
  await world.open("dominoes.json");
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  await checkPlayback(page);
  await world.open("dominoes.json");
  check(await page.evaluate(() => window.rigor.recording === null), "opening a scene does not end it");
});

// --- saving ---------------------------------------------------------------------------------------

async function savedGlb(target) {
  const [download] = await Promise.all([target.waitForEvent("download"), target.click("#gltf")]);
  check(download.suggestedFilename().endsWith(".glb"), download.suggestedFilename());
  const bytes = new Uint8Array(readFileSync(await download.path()));
  const report = await gltfValidator.validateBytes(bytes);
  const { numErrors, numWarnings, messages } = report.issues;
  check(numErrors === 0 && numWarnings === 0, JSON.stringify(messages.slice(0, 5), null, 1));
  return readGlb(bytes);
}
// The keyframes of a node must be the poses of the body, rounded to single precision.
function checkKeys({ motions }, node, frames, body) {
  const { translation, rotation } = motions.get(node) ?? {};
  check(translation && rotation, `node ${node} is not animated`);
  frames.forEach(({ time, poses }, i) => {
    const p = poses.slice(BODY * body, BODY * body + 7);
    check(translation.times[i] === Math.fround(time) && rotation.times[i] === Math.fround(time), `time of key ${i}`);
    check(p.slice(0, 3).every((x, k) => translation.values[3 * i + k] === Math.fround(x)), `position of key ${i}`);
    const turn = [p[4], p[5], p[6], p[3]];
    check(turn.every((x, k) => rotation.values[4 * i + k] === Math.fround(x)), `orientation of key ${i}`);
  });
}
const framesOf = (target, source) =>
  target.evaluate(async (name) => {
    const { times, poses } = name === "history" ? await window.rigor.engine.call("history") : window.rigor[name];
    return times.map((time, i) => ({ time, poses: Array.from(poses[i]) }));
  }, source);

await test("a live run is saved as a glTF animation that the Khronos validator accepts, key by key", async () => {
  await world.open("stack.json");
  await world.simulate(0.2);
  await page.keyboard.press("b");
  await page.evaluate(() => window.rigor.play(false));
  await world.simulate(0.5);
  const glb = await savedGlb(page);
  const frames = await framesOf(page, "history");
  check(frames.length > 30 && frames.length < 50, `${frames.length} frames of 0.7 s at 60 per second`);
  const nodeOf = (name) => glb.json.nodes.findIndex((node) => node.name === name);
  const boxes = glb.json.nodes.filter((node) => /^box/.test(node.name ?? ""));
  check(boxes.length === TOP, `${boxes.length} nodes of boxes`);
  check(glb.json.animations.length === 1 && glb.motions.size === TOP + 1, `${glb.motions.size} nodes move`);
  checkKeys(glb, nodeOf(await page.evaluate((top) => window.rigor.engine.bodyName(top), TOP)), frames, TOP);
  // The ball came later: it is not there before.
  const ball = [...glb.motions.values()].find((motion) => motion.scale);
  check(ball && ball.scale.interpolation === "STEP" && ball.scale.values.join() === "0,0,0,1,1,1", "the ball is there from the start");
  check(ball.translation.times.length < frames.length, "the ball has keys before it was thrown");
});

await test("a recorded run is saved as a glTF animation with the poses of the trajectory", async () => {
  await world.open("dominoes.json");
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  const glb = await savedGlb(page);
  const frames = await framesOf(page, "recording");
  const nodes = glb.json.nodes.flatMap((node, i) => (/^(first|domino)/.test(node.name ?? "") ? [i] : []));
  check(nodes.length === 30 && glb.motions.size === 30, `${nodes.length} nodes, ${glb.motions.size} move`);
  nodes.forEach((node, i) => checkKeys(glb, node, frames, i + 1));
});

await test("flat scenes, meshes, joints and compounds are saved as valid glTF", async () => {
  for (const scene of ["plane.json", "mesh.json", "jansen.json", "demo.json"]) {
    await world.open(scene);
    await world.simulate(0.05);
    const { json } = await savedGlb(page);
    check(json.meshes.length > 0, `${scene} has no meshes`);
  }
});

await test("a picture is saved", async () => {
  await world.open("arch.json");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  const bytes = readFileSync(await download.path());
  check(download.suggestedFilename() === "arch.png" && bytes.subarray(1, 4).toString() === "PNG", "it is no PNG");
  check(bytes.length > 5000, `it has ${bytes.length} bytes`);
});

await test("a video is saved, and a browser that cannot says why", async () => {
  await world.open("dominoes.json");
  await page.click("#film");
  check((await page.textContent("#film")) === "Stop", "the button does not say how to stop");
  await page.click("#play");
  await page.waitForFunction(() => window.rigor.video.size > 4000);
  await page.click("#play");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#film")]);
  const bytes = readFileSync(await download.path());
  const MARK = "1a45dfa3"; // of Matroska, which WebM is
  check(download.suggestedFilename() === "dominoes.webm", download.suggestedFilename());
  check(bytes.subarray(0, 4).toString("hex") === MARK && bytes.length > 4000, `${bytes.length} bytes`);
  const without = await browser.newPage();
  await without.addInitScript(() => delete window.MediaRecorder);
  await without.goto(page.url());
  await without.waitForSelector("body[data-ready]");
  check(await without.isDisabled("#film"), "the button is not disabled");
  check((await without.getAttribute("#film", "title")).includes("cannot"), "it does not say why");
  await without.close();
});

// --- fingers and small windows --------------------------------------------------------------------

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const phone = await openPage(browser, pageFile, complaints, PHONE);
const small = new World(phone);
const touch = await phone.context().newCDPSession(phone);
const fingers = (type, points) =>
  touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });

await test("on a telephone nothing is cut off, and the panel opens and closes", async () => {
  await phone.evaluate(() => window.rigor.play(false));
  check(!(await phone.isVisible("aside")), "the panel covers the picture");
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  check(width <= 390, `the page is ${width} pixels wide`);
  await small.open("dominoes.json");
  await small.simulate(0.8);
  await small.frame();
  await shot(phone, "phone");
  await phone.tap("#menu");
  check(await phone.isVisible("#plots"), "the panel does not open");
  await shot(phone, "phone-panel");
  await phone.tap("#menu");
  await phone.tap("#scenes");
  await shot(phone, "phone-gallery");
  await phone.tap("#close-gallery");
});

await test("a finger drags a body", async () => {
  await small.open("stack.json");
  await phone.tap('[data-tool="hand"]');
  const from = await small.bodyInWindow(TOP - 1);
  await fingers("touchStart", [from]);
  await fingers("touchMove", [{ x: from.x + 60, y: from.y }]);
  await small.simulate(1.5);
  const held = await small.bodyInWindow(TOP - 1);
  await fingers("touchEnd", []);
  check(held.x > from.x + 30, `on the screen it went from ${from.x} to ${held.x}`);
});

await test("a finger pushes and pulls; a second one moves the cursor up and down", async () => {
  await small.open("stack.json");
  await phone.tap('[data-tool="push"]');
  const before = await small.position(TOP);
  const upper = await small.bodyInWindow(TOP - 1);
  await fingers("touchStart", [upper]);
  await small.simulate(0.5);
  const pushed = await small.position(TOP);
  check(distance(before, pushed) > 1e-3, "the top was not pushed");
  const cursor = () => phone.evaluate(() => window.rigor.hand.held.toArray());
  const low = await cursor();
  await fingers("touchStart", [upper, { x: 60, y: 700 }]);
  await fingers("touchMove", [{ x: upper.x, y: upper.y - 80 }, { x: 60, y: 700 }]);
  const high = await cursor();
  await fingers("touchEnd", []);
  check(high[2] > low[2] + 0.1, `the cursor went from ${low} to ${high}`);
  await small.open("stack.json");
  await phone.tap('[data-tool="pull"]');
  await fingers("touchStart", [upper]);
  check(await phone.evaluate(() => window.rigor.hand.sign > 0), "the tool does not attract");
  await fingers("touchEnd", []);
});

await test("a tap throws a ball, two fingers zoom", async () => {
  await small.open("stack.json");
  await phone.tap('[data-tool="throw"]');
  const count = await small.bodyCount();
  const target = await small.bodyInWindow(TOP / 2);
  await phone.touchscreen.tap(target.x, target.y);
  check((await small.bodyCount()) === count + 1, "no ball was added");
  await phone.evaluate(() => window.rigor.play(false));
  await phone.tap('[data-tool="hand"]');
  const far = () => phone.evaluate(() => window.rigor.view.camera.position.distanceTo(window.rigor.view.controls.target));
  const away = await far();
  await fingers("touchStart", [{ x: 100, y: 700 }, { x: 140, y: 700 }]);
  await fingers("touchMove", [{ x: 60, y: 700 }, { x: 220, y: 700 }]);
  await fingers("touchMove", [{ x: 40, y: 700 }, { x: 300, y: 700 }]);
  await fingers("touchEnd", []);
  await small.frame();
  check((await far()) < 0.9 * away, `from ${away} to ${await far()}`);
});
await phone.close();

await test("a small window has everything in reach", async () => {
  await world.open("arch.json");
  await page.check('[data-overlay="forces"]');
  await world.simulate(0.2);
  await world.frame();
  await shot(page, "small");
  await page.uncheck('[data-overlay="forces"]');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(width <= SMALL.width && (await page.isVisible("#overlays")), `the page is ${width} pixels wide`);
});

// --- pictures -------------------------------------------------------------------------------------

const SHOTS = [
  { scene: "demo.json", time: 0.6, preset: "realtime" },
  { scene: "dominoes.json", time: 1 },
  { scene: "stack.json", time: 0.5, overlays: ["forces", "cones"] },
  { scene: "arch.json", time: 0.3, overlays: ["forces"] },
  { scene: "pyramid.json", time: 0.2, overlays: ["contacts"] },
  { scene: "spheres.json", time: 1, overlays: ["islands"] },
  { scene: "jansen.json", time: 1, overlays: ["joints"] },
  { scene: "plane.json", time: 1.5, overlays: ["normals"] },
  { scene: "mesh.json", time: 0.8 },
  { scene: "heap.json", time: 2 },
  { scene: "contact_stabilization.json", time: 1.2, overlays: ["forces"] },
];
await page.setViewportSize(WIDE);
for (const { scene, time, preset, overlays = [] } of SHOTS)
  await test(`a picture of ${scene}`, async () => {
    await world.open(scene);
    if (preset) await page.selectOption("#preset", preset);
    for (const overlay of overlays) await page.check(`[data-overlay="${overlay}"]`);
    await world.simulate(time);
    await world.frame();
    await shot(page, scene.replace(".json", ""));
    const shades = await page.evaluate(() => {
      const gl = window.rigor.view.renderer.getContext();
      window.rigor.view.render(1);
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const seen = new Set();
      for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      return seen.size;
    });
    check(shades > 50, `the picture has ${shades} colours`);
    for (const overlay of overlays) await page.uncheck(`[data-overlay="${overlay}"]`);
  });

await test("no complaint in all of this", async () => check(complaints.length === 0, complaints.join("\n")));

await browser.close();
rmSync(folder, { recursive: true });
finish();
