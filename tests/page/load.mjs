// load.mjs - the page opens, with all that it has to offer.
import { readFileSync, readdirSync } from "node:fs";
import { SMALL, WIDE, colorsOf } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { browser, complaints, page, run, shot, world } from "./session.mjs";

await test("the page opens from disk, draws its first frame and steps, without a complaint", async () => {
  await page.waitForFunction(() => window.rigor.engine.state().steps > 0);
  const marks = await page.evaluate(() => performance.getEntriesByName("first frame").map((mark) => mark.startTime));
  check(marks.length === 1, "no first frame is marked");
  console.log(`      first frame ${(marks[0] / 1000).toFixed(2)} s after the start of the page, in a browser just started`);
  check((await page.evaluate(() => location.protocol)) === "file:", "not from file://");
  check(complaints.length === 0, complaints.join("\n"));
});

await test("the first frame needs no simulation, and shows what the module finds when it has opened the scene, to the bit", async () => {
  const context = await browser.newContext({ viewport: WIDE });
  await context.addInitScript(() => {
    window.Worker = class {
      postMessage() {} // is never answered
    };
  });
  const waiting = await context.newPage();
  await waiting.goto(page.url());
  await waiting.waitForFunction(() => performance.getEntriesByName("first frame").length > 0);
  const look = (target) => target.evaluate(() => {
    const { engine, view } = window.rigor;
    const { state, bodies, joints, forces } = engine.frame;
    return JSON.stringify([engine.title(), engine.shapes(), [...engine.firstBounds()], state, [...bodies], [...joints], [...forces],
      Array.from(bodies, (_, i) => engine.bodyName(i)), view.camera.position, view.groups.map(({ mesh }) => [...mesh.instanceMatrix.array])]);
  });
  const first = await look(waiting);
  await waiting.waitForFunction(() => !window.rigor.dirty && window.rigor.coarse === 0); // the fine one, with shadows
  await shot(waiting, "first");
  check((await colorsOf(waiting)) > 50, "there is hardly anything to see");
  check((await waiting.getAttribute("body", "data-ready")) === null, "it has been simulated all the same");
  await page.setViewportSize(WIDE);
  await world.open("dominoes.json");
  const opened = await look(page);
  await page.setViewportSize(SMALL);
  const off = [...first].findIndex((letter, i) => letter !== opened[i]);
  check(first === opened, `first ${first.slice(off - 40, off + 80)}, then ${opened.slice(off - 40, off + 80)}`);
  check(first.length > 10000, first);
  await context.close();
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
