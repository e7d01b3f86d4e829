// files.mjs - scenes from files, pages that the command writes, and the thread that simulates.
import { join } from "node:path";
import { SMALL, World, openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { TOP, browser, complaints, drop, folder, page, pageFile, run, shot, world } from "./session.mjs";

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
    delete window.MediaRecorder;
    window.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });
  const without = new World(await openPage(context, pageFile, complaints));
  check(!(await without.page.evaluate(() => window.rigor.engine.apart)), "it has a worker all the same");
  check(await without.page.isDisabled("#film"), "a browser that cannot film offers it");
  check((await without.page.getAttribute("#film", "title")).includes("cannot"), "it does not say why it cannot film");
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
