// looks.mjs - pictures of scenes, which documents show.
import { WIDE, colorsOf } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { page, setStill, setWindow, shot, world } from "./session.mjs";

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
await setWindow(page, { viewport: WIDE });
await setStill(process.env.PAGE_FINE ? 2 : 1); // for documents: make page-pictures

await test("a picture of the gallery", async () => {
  await world.open("arch.json"); // whose card is marked
  await page.click("#scenes");
  await page.waitForFunction(() => [...document.querySelectorAll("#gallery img")].filter((img) => img.getBoundingClientRect().top < innerHeight).every((img) => img.complete));
  await shot(page, "gallery");
  await page.click("#close-gallery");
});

await test("a picture in dark surroundings", async () => {
  await setWindow(page, { colorScheme: "dark" });
  await world.open("pyramid.json");
  await page.keyboard.press("4");
  await world.frame();
  await shot(page, "dark");
  check((await colorsOf(page)) > 50, "there is hardly anything to see");
  await page.keyboard.press("1");
  await setWindow(page, { colorScheme: "light" });
});

for (const { scene, time, preset, overlays = [] } of SHOTS)
  await test(`a picture of ${scene}`, async () => {
    await world.open(scene);
    if (preset) await page.selectOption("#preset", preset);
    for (const overlay of overlays) await page.check(`[data-overlay="${overlay}"]`);
    await world.simulate(time);
    await world.frame();
    await shot(page, scene.replace(".json", ""));
    const shades = await colorsOf(page);
    check(shades > 50, `the picture has ${shades} colours`);
    for (const overlay of overlays) await page.uncheck(`[data-overlay="${overlay}"]`);
  });
await setStill(1);
