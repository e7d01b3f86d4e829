// load.mjs - the page opens, with all that it has to offer.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { SMALL, WIDE, colorsOf } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { FROM, thumbnail } from "./pictures.mjs";
import { browser, complaints, page, pageFile, run, setWindow, shot, world } from "./session.mjs";

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
  await setWindow(page, { viewport: WIDE });
  await world.open(JSON.parse(readFileSync("web/gallery.json", "utf8"))[0].scene);
  const opened = await look(page);
  await setWindow(page, { viewport: SMALL });
  const off = [...first].findIndex((letter, i) => letter !== opened[i]);
  check(first === opened, `first ${first.slice(off - 40, off + 80)}, then ${opened.slice(off - 40, off + 80)}`);
  check(first.length > 10000, first);
  await context.close();
});

await test("the gallery has all scenes and every experiment, each with a picture, a title and what to look for", async () => {
  const shown = await page.evaluate(() => Array.from(document.querySelectorAll("[data-scene]"), (card) => ({
    name: card.dataset.scene, title: card.querySelector("strong").textContent, look: card.querySelector("span").textContent,
    line: card.title, picture: card.querySelector("img")?.src ?? "" })));
  const experiments = JSON.parse(run("list", "experiments", "--json"));
  const wanted = [
    ...readdirSync("scenes").filter((name) => name.endsWith(".json")).map((name) => `scenes/${name}`),
    ...experiments.flatMap(({ scene }) => (scene ? [scene] : [])),
  ];
  for (const path of wanted) {
    const card = shown.find(({ name }) => path.endsWith(`/${name}`));
    check(card, `${path} is missing`);
    check(card.line === JSON.parse(readFileSync(path, "utf8")).title, `${path}: ${card.line}`);
    check(card.title.length > 3 && card.title !== card.name && card.look.length > 10, JSON.stringify(card));
    check(card.picture.startsWith("data:image/webp;base64,") && card.picture.length > 600, `${path} has no picture`);
  }
  check(shown.length === wanted.length, `${shown.length} scenes are shown, there are ${wanted.length}`);
});

await test("pictures of the gallery show what the page draws today", async () => {
  const stories = JSON.parse(readFileSync("web/gallery.json", "utf8"));
  const target = page;
  await setWindow(page, { viewport: FROM });
  for (const scene of ["arch.json", "plane.json", "pyramid.json"]) {
    const fresh = await thumbnail(target, stories.find((story) => story.scene === scene));
    const kept = readFileSync(`web/pictures/${scene.replace(".json", ".webp")}`);
    const off = await target.evaluate(async (both) => {
      const [a, b] = await Promise.all(both.map(async (bytes) => {
        const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: "image/webp" }));
        const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        pen.drawImage(picture, 0, 0);
        return pen.getImageData(0, 0, picture.width, picture.height).data;
      }));
      return a.length === b.length ? a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0) / a.length : Infinity;
    }, [[...fresh], [...kept]]);
    check(off < 4, `${scene} is off by ${off} of 255 on the average: make page-pictures`);
  }
  await setWindow(page, { viewport: SMALL });
});

await test("the gallery is searched by words, and Enter opens the first that is found", async () => {
  await page.click("#scenes");
  await page.keyboard.press("/");
  check((await page.evaluate(() => document.activeElement.id)) === "search", "'/' does not lead to the search");
  await page.fill("#search", "stone arch");
  const visible = () => page.evaluate(() => [...document.querySelectorAll("[data-scene]")].filter((card) => card.checkVisibility()).map((card) => card.dataset.scene));
  check((await visible()).join() === "arch.json", (await visible()).join());
  await page.fill("#search", "no such scene at all");
  check((await visible()).length === 0 && (await page.isVisible("#nothing-found")), "it does not say that there is none");
  await page.fill("#search", "thousand heavier");
  await shot(page, "gallery-search");
  await page.press("#search", "Enter");
  await page.waitForFunction(() => document.querySelector("#scene-name").textContent === "A thousand times heavier on top");
  check(!(await page.isVisible("#gallery")) && (await page.textContent("#play")) === "Pause", "it is not shown, or does not play");
  await page.click("#scenes");
  await page.click('[data-scene="pendulum.json"]');
  await page.waitForFunction(() => window.rigor.current.name === "pendulum.json");
  check(!(await page.isVisible("#gallery")) && (await page.textContent("#play")) === "Pause", "a click does not open and play");
});

await test("a scene that has come to rest offers to be seen again", async () => {
  await world.open("stack.json");
  await page.click("#play");
  await page.waitForSelector("#rest:not([hidden])");
  const before = (await world.state()).steps;
  await page.click("#again");
  await page.waitForFunction((steps) => window.rigor.engine.state().steps < steps, before);
  check(!(await page.isVisible("#rest")) && (await page.textContent("#play")) === "Pause", "it does not play from the start");
  await page.click("#play");
});

await test("the page file is below 2 MB", () => {
  const size = statSync(pageFile).size;
  console.log(`      ${(size / 1e6).toFixed(2)} MB`);
  check(size < 2e6, `${size} bytes`);
});
