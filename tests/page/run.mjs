// run.mjs - the page in Chromium without a screen, opened from disk as `rigor view` writes it.
// Leaves pictures in build/screenshots and closes with "N passed, N failed".
//
//   node tests/page/run.mjs PAGE RIGOR
//
// What is simulated is stepped by the test while the page is paused, so that nothing depends on how
// fast the machine draws; mouse, keyboard and files go through the browser.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

const [pageFile, rigor] = process.argv.slice(2).map((path) => resolve(path));
const pictures = resolve("build/screenshots");
mkdirSync(pictures, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "rigor-page-"));

let passed = 0;
let failed = 0;
async function test(name, body) {
  try {
    await body();
    passed += 1;
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n    | ${error.message.split("\n").join("\n    | ")}`);
  }
}
function check(holds, text) {
  if (!holds) throw new Error(text);
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const JPEG = { type: "jpeg", quality: 82 };
const wide = { width: 1000, height: 640 };
const page = await browser.newPage({ viewport: wide });
const complaints = [];
const listen = (target) => {
  target.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  target.on("pageerror", (error) => complaints.push(String(error)));
};
listen(page);

const load = async (target, file) => {
  await target.goto(pathToFileURL(file).href);
  await target.waitForSelector("body[data-ready]");
};
// Opens a scene of the gallery and pauses it at its start.
const openPaused = async (name) => {
  await page.click(`[data-scene="${name}"]`);
  await page.evaluate(() => {
    window.rigor.play(false);
    window.rigor.reset();
  });
};
// Steps for some simulated time and draws.
const simulate = (seconds, target = page) =>
  target.evaluate((time) => {
    const { engine } = window.rigor;
    const end = engine.state().time + time;
    while (engine.state().time < end) if (!engine.step()) throw new Error(engine.message());
    window.rigor.setOverlay("bounds", false); // asks for a frame
  }, seconds);
const bodyAt = (body) =>
  page.evaluate((index) => Array.from(window.rigor.engine.bodies().subarray(9 * index, 9 * index + 3)), body);
const bodyCount = () => page.evaluate(() => window.rigor.engine.bodyCount());
// Where a point of the world is in the window.
const inWindow = (point) =>
  page.evaluate(([x, y, z]) => {
    const { view } = window.rigor;
    const seen = view.project(view.center.clone().set(x, y, z));
    const frame = document.querySelector("#view").getBoundingClientRect();
    return { x: frame.left + (frame.width * (seen.x + 1)) / 2, y: frame.top + (frame.height * (1 - seen.y)) / 2 };
  }, point);
const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));

await test("the page opens from disk with its first frame, without a complaint", async () => {
  const start = performance.now();
  await load(page, pageFile);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  console.log(`      first frame after ${((performance.now() - start) / 1000).toFixed(2)} s`);
  await page.waitForFunction(() => window.rigor.engine.state().steps > 0);
  check(complaints.length === 0, complaints.join("\n"));
});

const TOP = 20; // the uppermost of the twenty boxes of the stack; 0 is the ground
await test("a stack stands", async () => {
  await openPaused("stack.json");
  const before = await bodyAt(TOP);
  await simulate(2);
  const after = await bodyAt(TOP);
  check(distance(before, after) < 1e-3, `the top went from ${before} to ${after}`);
  check((await page.getAttribute("#light", "data-light")) !== "failed", "the light says that a step failed");
});

await test("play runs, pause holds, step makes one step, reset goes back", async () => {
  await openPaused("stack.json");
  const steps = () => page.evaluate(() => window.rigor.engine.state().steps);
  await page.click("#play");
  await page.waitForFunction(() => window.rigor.engine.state().steps > 3);
  await page.click("#play");
  const held = await steps();
  await page.click("#step");
  check((await steps()) === held + 1, `one step led from ${held} to ${await steps()}`);
  await page.waitForSelector('#light[data-light="met"]');
  await page.keyboard.press("r");
  check((await steps()) === 0, "reset did not go back to the start");
});

await test("the repulsor pushes the stack over", async () => {
  await openPaused("stack.json");
  await page.keyboard.press("2");
  const before = await bodyAt(TOP);
  const upper = await inWindow(await bodyAt(TOP - 1));
  await page.mouse.move(upper.x, upper.y);
  await page.mouse.down();
  await simulate(1);
  await page.screenshot({ ...JPEG, path: join(pictures, "repulsor.jpg") });
  await page.mouse.up();
  await simulate(4);
  const after = await bodyAt(TOP);
  check(after[2] < 0.7 * before[2], `the top went from ${before} to ${after}`);
});

await test("the attractor pulls with the right button", async () => {
  await openPaused("stack.json");
  await page.keyboard.press("2");
  const before = await bodyAt(TOP);
  const above = await inWindow(before);
  await page.mouse.move(above.x, above.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(above.x + 150, above.y, { steps: 4 });
  await simulate(1);
  await page.mouse.up({ button: "right" });
  const moved = await inWindow(await bodyAt(TOP));
  check(moved.x > above.x + 30, `on the screen the top went from ${above.x} to ${moved.x}`);
});

await test("a thrown ball hits", async () => {
  await openPaused("stack.json");
  await page.keyboard.press("3");
  const before = await bodyAt(TOP);
  const count = await bodyCount();
  const target = await inWindow(await bodyAt(TOP - 2));
  await page.mouse.click(target.x, target.y);
  check((await bodyCount()) === count + 1, "no ball was added");
  await page.evaluate(() => window.rigor.play(false));
  await simulate(2);
  const after = await bodyAt(TOP);
  check(after[2] < 0.9 * before[2], `the top went from ${before} to ${after}`);
});

await test("a dragged body follows", async () => {
  await openPaused("stack.json");
  await page.keyboard.press("1");
  const before = await bodyAt(TOP);
  const from = await inWindow(before);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 120, from.y - 60, { steps: 5 });
  await simulate(2);
  const held = await inWindow(await bodyAt(TOP));
  check(Math.hypot(held.x - from.x - 120, held.y - from.y + 60) < 40, `is at ${held.x}, ${held.y}`);
  check((await page.textContent("#facts")).includes("selected"), "the body is not selected");
  await page.mouse.up();
  await simulate(2);
  check((await bodyAt(TOP))[2] < before[2], "it did not fall when let go");
});

await test("options are set, wrong ones refused with a message", async () => {
  await openPaused("stack.json");
  await page.selectOption('[data-option="solver"]', "nsgs");
  await page.selectOption('[data-option="stepper"]', "anitescu-potra");
  await page.fill('[data-option="step"]', "-1");
  await page.press('[data-option="step"]', "Enter");
  check(/must be a number > 0/.test(await page.textContent("#error-message")), await page.textContent("#error"));
  const options = await page.evaluate(() => window.rigor.engine.options());
  const value = (name) => options.find((option) => option.name === name).value;
  await page.selectOption("#preset", "realtime");
  const tolerance = await page.inputValue('[data-option="tolerance"]');
  check(tolerance !== value("tolerance"), `the tolerance of the preset is ${tolerance}`);
  check(value("solver") === "nsgs" && value("stepper") === "anitescu-potra", JSON.stringify(options));
});

await test("a bad scene shows its message with line and column, and the old one stays", async () => {
  await openPaused("stack.json");
  const bad = '{\n  "rigor": 1,\n  "bodies": [{"shapes": [{"shape": "sphere", "radius": -1}]}]\n}';
  await page.setInputFiles("#file", { name: "bad.json", mimeType: "application/json", buffer: Buffer.from(bad) });
  await page.waitForSelector("#error:not([hidden])");
  const message = await page.textContent("#error-message");
  check(/^bad\.json:3:\d+: .*radius is -1, must be > 0/.test(message), message);
  check((await page.textContent("#error-line")).includes('"radius": -1'), "the line is not shown");
  await page.screenshot({ ...JPEG, path: join(pictures, "message.jpg") });
  check((await bodyCount()) === TOP + 1, "the stack is gone");
});

await test("a scene dropped onto the page opens", async () => {
  const scene = '{"rigor": 1, "title": "One ball", "bodies": [{"shapes": [{"shape": "sphere", "radius": 1}]}]}';
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "one.json"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
  }, scene);
  await page.waitForFunction(() => document.querySelector("#title").textContent === "One ball");
});

await test("rigor view writes a page that computes what rigor run computes, to the bit", async () => {
  const file = join(folder, "view.html");
  execFileSync(rigor, ["view", "scenes/tower_welded.json", "--page", pageFile, "--step", "0.004", "-o", file]);
  const run = ["run", "scenes/tower_welded.json", "--step", "0.004", "--time", "0.4", "--json", "--quiet"];
  const native = JSON.parse(execFileSync(rigor, run));
  const given = await browser.newPage({ viewport: wide });
  listen(given);
  await load(given, file);
  const hash = await given.evaluate(() => {
    window.rigor.play(false);
    window.rigor.reset();
    window.rigor.engine.step(100);
    return window.rigor.engine.hash();
  });
  await given.close();
  check(hash === native.state, `the state is ${hash}, natively ${native.state}`);
});

await test("a recorded run plays back to the bit and follows its timeline", async () => {
  const run = join(folder, "run.csv");
  const file = join(folder, "recorded.html");
  execFileSync(rigor, ["run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", run]);
  execFileSync(rigor, ["view", "scenes/dominoes.json", "--page", pageFile, "--run", run, "-o", file]);
  const rows = readFileSync(run, "utf8").trim().split("\n").map((line) => line.split(","));
  const given = await browser.newPage({ viewport: wide });
  listen(given);
  await load(given, file);
  await given.waitForSelector("#timeline");
  const time = rows.at(-1)[0];
  const shown = await given.evaluate((end) => {
    const { recording } = window.rigor;
    window.rigor.play(false);
    window.rigor.seek(end);
    return Array.from(recording.at(window.rigor.recordedTime));
  }, Number(time));
  for (const row of rows.filter((cells) => cells[0] === time))
    row.slice(4, 11).forEach((cell, k) =>
      check(Object.is(shown[9 * Number(row[2]) + k], Number(cell)), `body ${row[2]}, number ${k}: ${cell}`));
  await given.fill("#timeline", "0.25");
  check((await given.evaluate(() => window.rigor.recordedTime)) === 0.25, "the timeline does not lead");
  await given.waitForFunction(() => document.querySelector("#time").textContent === "0.25 s");
  await given.screenshot({ ...JPEG, path: join(pictures, "recorded.jpg") });
  await given.close();
});

// --- pictures ------------------------------------------------------------------------------------

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
];
for (const { scene, time, preset, overlays = [] } of SHOTS)
  await test(`a picture of ${scene}`, async () => {
    await openPaused(scene);
    if (preset) await page.selectOption("#preset", preset);
    for (const overlay of overlays) await page.check(`[data-overlay="${overlay}"]`);
    await simulate(time);
    await page.click("#step");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ ...JPEG, path: join(pictures, scene.replace(".json", ".jpg")) });
    const shades = await page.evaluate(() => {
      const { gl } = { gl: window.rigor.view.renderer.getContext() };
      const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
      gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      const seen = new Set();
      for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      return seen.size;
    });
    check(shades > 50, `the picture has ${shades} colours`);
    for (const overlay of overlays) await page.uncheck(`[data-overlay="${overlay}"]`);
  });

await test("a small window has a picture and a panel that opens", async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.click("#menu");
  await openPaused("dominoes.json");
  await page.click("#menu");
  await simulate(0.8);
  await page.screenshot({ ...JPEG, path: join(pictures, "small.jpg") });
  check(!(await page.isVisible("aside")), "the panel covers the picture");
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(width <= 390, `the page is ${width} pixels wide`);
  await page.click("#menu");
  check(await page.isVisible("#gallery"), "the panel does not open");
});

await test("no complaint in all of this", async () => check(complaints.length === 0, complaints.join("\n")));

await browser.close();
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
