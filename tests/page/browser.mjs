// browser.mjs - what the tests and the bench of the page share: Chromium, the page in it, its world.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { BODY as LAYOUT } from "../../web/src/layout.js";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
export const gltfValidator = require("gltf-validator");

export const WIDE = { width: 1000, height: 640 }; // for pictures and times
export const SMALL = { width: 800, height: 480 }; // for the rest: fewer pixels to draw
const PATIENCE = Number(process.env.PAGE_PATIENCE ?? 120e3); // [ms] a machine that others use may stand still for a minute
export const BODY = LAYOUT.size; // numbers per body of rigor.engine.bodies()

// Drawn by the processor, as there is no other way on a machine without a screen.
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  });

// A page of the browser with `file` in it, ready. What it complains about goes to `complaints`.
export async function openPage(browser, file, complaints, options = { viewport: SMALL }) {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("body[data-ready]");
  return page;
}

// How many colours the picture of a page has.
export const colorsOf = (page) =>
  page.evaluate(() => {
    const gl = window.rigor.view.renderer.getContext();
    window.rigor.view.render(1);
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) seen.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return seen.size;
  });

// The world of a page, as a test sees it.
export class World {
  constructor(page) {
    this.page = page;
  }
  // Opens a scene of the gallery, paused at its start. That a click in the gallery does so is tested in load.mjs.
  async open(name) {
    await this.page.evaluate(async (wanted) => {
      const { rigor } = window;
      document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close()); // which a test that failed may leave open
      document.activeElement?.blur(); // keys are for the page
      rigor.tour?.end();
      if (!(await rigor.open(rigor.sceneNamed(wanted), false))) throw new Error(`${wanted} is refused`);
    }, name);
  }
  // Steps for some simulated time, as fast as it goes: all steps but the first and the last ones in one call,
  // so that nothing is drawn meanwhile.
  simulate(seconds) {
    return this.page.evaluate(async (time) => {
      const { engine } = window.rigor;
      const end = engine.state().time + time;
      const good = (made) => {
        if (!made) throw new Error(document.querySelector("#error-message").textContent);
      };
      if (engine.state().time < end) good(await window.rigor.single()); // pauses
      const { time: now, step } = engine.state();
      const many = Math.round((end - now) / step) - 2;
      if (many > 0) good(await engine.step(many));
      while (engine.state().time < end) good(await window.rigor.single());
    }, seconds);
  }
  // Plays by a clock of the test, at 60 looks per simulated second, without drawing: where a body was in the picture
  // at each look, from -1 to 1.
  playWithEye(seconds, body) {
    return this.page.evaluate(async ([time, at]) => {
      const { rigor } = window;
      await rigor.play(false);
      const { eye } = rigor.view;
      const steps = Math.max(1, Math.round(1 / 60 / rigor.engine.state().step));
      const end = rigor.engine.state().time + time;
      rigor.drawing.busy = true; // draws nothing
      const seen = [];
      while (rigor.engine.state().time < end) {
        await rigor.engine.step(steps);
        eye.follow(rigor.engine.bodies(), rigor.engine.masses(), eye.last + 1 / 60, false);
        const { x, y } = rigor.view.project(rigor.view.center.clone().set(...rigor.engine.bodies().subarray(at, at + 3)));
        seen.push([x, y]);
      }
      eye.last = performance.now() / 1000;
      eye.lookedAt = -1; // by that clock
      rigor.drawing.busy = false;
      return seen;
    }, [seconds, BODY * body]);
  }
  // Until what was asked for is done, and drawn as it stays.
  frame() {
    return this.page.evaluate(() => window.rigor.settled());
  }
  async state() {
    await this.idle();
    return this.page.evaluate(() => window.rigor.engine.state());
  }
  async bodyCount() {
    await this.idle();
    return this.page.evaluate(() => window.rigor.engine.bodyCount());
  }
  async position(body) {
    await this.idle();
    return this.page.evaluate(
      (at) => Array.from(window.rigor.engine.bodies().subarray(at, at + 3)), BODY * body);
  }
  idle() {
    return this.page.evaluate(() => window.rigor.idle());
  }
  // Where a point of the world is in the window.
  inWindow(point) {
    return this.page.evaluate(([x, y, z]) => {
      const { view } = window.rigor;
      const seen = view.project(view.center.clone().set(x, y, z));
      const frame = document.querySelector("#view").getBoundingClientRect();
      return { x: frame.left + (frame.width * (seen.x + 1)) / 2, y: frame.top + (frame.height * (1 - seen.y)) / 2 };
    }, point);
  }
  async bodyInWindow(body) {
    return this.inWindow(await this.position(body));
  }
}
