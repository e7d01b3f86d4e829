// faults.mjs - what goes wrong is told, nothing hangs, and nothing is left behind.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { SMALL, colorsOf, openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { browser, csv, drop, page, pageFile, world } from "./session.mjs";

const message = (target) => target.textContent("#error-message");

await test("a simulation that ends is told, and what waits for it is given up", async () => {
  const context = await browser.newContext({ viewport: SMALL });
  await context.addInitScript(() => {
    window.Worker = class extends Worker {
      constructor(...args) {
        super(...args);
        window.simulationWorker = this;
      }
    };
  });
  const given = await openPage(context, pageFile, []); // which complains, as it should
  const answer = await given.evaluate(async () => {
    await window.rigor.play(true);
    window.simulationWorker.terminate();
    const step = window.rigor.single().then(() => "made", (error) => error.message);
    await new Promise((next) => setTimeout(next, 50));
    window.simulationWorker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
    return Promise.race([step, new Promise((next) => setTimeout(next, 5000, "no answer"))]);
  });
  check(answer.includes("out of memory"), answer);
  check((await message(given)).includes("out of memory"), await message(given));
  check((await given.textContent("#play")) === "Play", "it seems to play on");
  await context.close();
});

await test("a browser without WebGL 2 is told what is missing", async () => {
  const context = await browser.newContext({ viewport: SMALL });
  await context.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  const without = await context.newPage();
  await without.goto(page.url());
  await without.waitForSelector("#error:not([hidden])");
  check((await message(without)).includes("WebGL 2"), await message(without));
  await context.close();
});

await test("a picture that the browser has taken away comes back", async () => {
  await world.open("stack.json");
  await world.frame();
  await page.evaluate(async () => {
    const { view } = window.rigor;
    const loss = view.renderer.getContext().getExtension("WEBGL_lose_context");
    const told = (name) => new Promise((done) => view.renderer.domElement.addEventListener(name, done, { once: true }));
    const lost = told("webglcontextlost");
    loss.loseContext();
    await lost;
    const restored = told("webglcontextrestored");
    setTimeout(() => loss.restoreContext(), 0);
    await restored;
    if (!window.rigor.dirty) throw new Error("it is not drawn again");
  });
  await world.frame();
  check((await colorsOf(page)) > 50, "there is hardly anything to see");
});

await test("a file that cannot be read, and a recorded run that is not well formed, are refused with the reason", async () => {
  await world.open("dominoes.json");
  await page.evaluate(() => {
    const file = new File([""], "folder");
    file.text = () => Promise.reject(new Error("it is a folder"));
    return window.rigor.openFile(file);
  });
  check((await message(page)).includes("folder cannot be read"), await message(page));
  const lines = readFileSync(csv, "utf8").trim().split("\n");
  const broken = (change) => lines.map((line, i) => (i === 40 ? change(line) : line)).join("\n");
  for (const [text, wanted] of [
    [broken((line) => line.split(",").slice(0, 5).join()), /line 41: has 5 cells, must have \d+/],
    [broken((line) => line.replace(/^([^,]*,[^,]*),\d+/, "$1,-1")), /line 41: body is -1, must be a whole number from 0 to 30/],
    [broken((line) => line.replace(/^[^,]*,[^,]*/, "x,99")), /line 41: time is x, must be [\d.e-]+ or later/]]) {
    await world.open("dominoes.json");
    await drop(text, "run.csv");
    await page.waitForFunction(() => !document.querySelector("#error").hidden);
    check(wanted.test(await message(page)), await message(page));
  }
});

await test("a scene without bodies opens", async () => {
  await drop('{"rigor": 1, "title": "Nothing", "bodies": []}', "nothing.json");
  await page.waitForFunction(() => document.querySelector("#title").textContent === "Nothing");
  await page.evaluate(() => window.rigor.play(false));
  check((await world.bodyCount()) === 0 && (await page.isHidden("#error")), await message(page));
});

await test("Space presses a button that was reached by Tab; keys do nothing behind the gallery; a held key acts once", async () => {
  await world.open("stack.json");
  const steps = async () => (await world.state()).steps;
  await page.click("#play");
  await page.click("#play");
  await page.evaluate(() => window.rigor.reset());
  await page.keyboard.press("Tab"); // from the button that was clicked to the next, which steps
  check((await page.evaluate(() => document.activeElement.id)) === "step", "Tab leads elsewhere");
  await page.keyboard.press("Space");
  check((await steps()) === 1 && (await page.textContent("#play")) === "Play", `${await steps()} steps`);
  await page.keyboard.press("g");
  await page.keyboard.press(".");
  await page.keyboard.press("b");
  check((await steps()) === 1 && (await world.bodyCount()) === 21, "a key was heard behind the gallery");
  await page.keyboard.press("g");
  check(!(await page.isVisible("#gallery")), "'g' does not close the gallery");
  await page.focus("#view");
  for (let i = 0; i < 3; ++i) await page.keyboard.down("b"); // what follows the first is a repetition
  await page.keyboard.up("b");
  check((await world.bodyCount()) === 22, `${(await world.bodyCount()) - 21} balls were thrown`);
});

await test("a field of the options keeps the focus when it is used", async () => {
  await world.open("stack.json");
  await page.fill('[data-option="step"]', "0.004");
  await page.press('[data-option="step"]', "Enter");
  await world.idle();
  check((await page.evaluate(() => document.activeElement.dataset.option)) === "step", "it has lost the focus");
  check((await page.inputValue('[data-option="step"]')) === "0.004", await page.inputValue('[data-option="step"]'));
  await world.open("stack.json");
  check((await page.inputValue('[data-option="step"]')) !== "0.004", "a field shows the option of another scene");
});

await test("the hand lets go when its button goes up while another is held", async () => {
  await world.open("stack.json");
  await page.keyboard.press("2");
  const { x, y } = await world.bodyInWindow(10);
  const grip = () => page.evaluate(() => window.rigor.hand.grip);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(x, y - 10);
  check((await grip()) === "cursor", "it holds nothing");
  await page.mouse.up();
  check((await grip()) === "none", "it still pushes");
  await page.mouse.up({ button: "middle" });
  await world.simulate(0.02);
  const forces = await page.evaluate(() => Array.from(window.rigor.engine.forces()).filter((_, i) => i % 8 === 0));
  check(forces.every((kind) => kind < 0), `forces of the kinds ${forces} are left`);
  await page.keyboard.press("1");
});

await test("a body that is taken while a scene is being opened is let go", async () => {
  await world.open("stack.json");
  const { x, y } = await page.evaluate(() => {
    const { view, engine } = window.rigor;
    return view.project(view.center.clone().set(...engine.bodies().subarray(90, 93)));
  });
  const left = await page.evaluate(async ([px, py]) => {
    const { rigor } = window;
    const opening = rigor.reset(); // the same scene anew
    for (let i = 0; i < 20; ++i) await Promise.resolve(); // until it was asked for
    rigor.hand.pointer.set(px, py);
    rigor.hand.take();
    if (rigor.hand.grip !== "spring") throw new Error("no body was taken");
    await opening;
    await rigor.engine.refresh();
    return Array.from(rigor.engine.forces()).filter((_, i) => i % 8 === 0);
  }, [x, y]);
  check(left.every((kind) => kind < 0), `forces of the kinds ${left} are left`);
});

await test("a recorded run that is reset shows its contacts again", async () => {
  await world.open("dominoes.json");
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  await page.evaluate(() => window.rigor.play(false));
  await page.check('[data-overlay="contacts"]');
  // Where two axes separate boxes equally well, contacts are those of the axis that was found last: the
  // first frame is sought again after the reset, with what the reset has found.
  const dots = () => page.evaluate(() => window.rigor.overlays.dots.object.geometry.drawRange.count);
  await page.evaluate(() => window.rigor.seek(0.5));
  await world.frame();
  await page.click("#reset");
  await world.frame();
  const after = await dots();
  await page.evaluate(() => window.rigor.seek(0));
  await world.frame();
  check(after > 50 && (await dots()) === after, `${after} contacts, then ${await dots()}`);
  await page.uncheck('[data-overlay="contacts"]');
});

await test("scenes, balls and overlays leave nothing behind in the memory of the graphics", async () => {
  const cycle = async () => {
    for (const scene of ["stack.json", "mesh.json", "plane.json"]) {
      await world.open(scene);
      await page.check('[data-overlay="contacts"]');
      await world.simulate(0.02);
      await page.keyboard.press("b");
      await page.evaluate(() => window.rigor.play(false));
      await world.frame();
      await page.uncheck('[data-overlay="contacts"]');
    }
    await world.open("stack.json");
    await world.frame();
    return page.evaluate(() => ({ ...window.rigor.view.renderer.info.memory, programs: window.rigor.view.renderer.info.programs.length }));
  };
  const first = await cycle();
  const second = await cycle();
  check(JSON.stringify(first) === JSON.stringify(second), `${JSON.stringify(first)}, then ${JSON.stringify(second)}`);
});

await test("what is asked for soon is done once, in its order", async () => {
  const require = createRequire(new URL("../../web/package.json", import.meta.url));
  const source = readFileSync(new URL("../../web/src/soon.ts", import.meta.url), "utf8");
  const { outputText } = require("typescript").transpileModule(source, { compilerOptions: { target: "ES2022", module: "ESNext" } });
  const { makeSoon } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);
  const soon = makeSoon();
  const done = [];
  await new Promise((end) => {
    for (const name of ["a", "b", "c"]) soon(() => done.push(name) === 3 && setTimeout(end, 20));
  });
  check(done.join() === "a,b,c", done.join());
});
