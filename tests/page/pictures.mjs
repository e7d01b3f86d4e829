// pictures.mjs - the pictures of the gallery, web/pictures/SCENE.webp, drawn by the page itself.
//
//   node tests/page/pictures.mjs PAGE [SCENE...]
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { World, launch, openPage } from "./browser.mjs";

const SIZE = [320, 200]; // pixels
const QUALITY = 0.75;
export const FROM = { width: 800 + 272, height: 560 }; // of the window

// The picture of a scene after some time, as data of WebP.
export async function thumbnail(page, { scene, time, overlays = [], preset }) {
  const world = new World(page);
  await page.evaluate(async ([name, options]) => {
    const { rigor } = window;
    await rigor.open(rigor.scenes.find((one) => one.name === name), false);
    if (options.preset) await rigor.setPreset(options.preset);
    for (const overlay of options.overlays) await rigor.setOverlay(overlay, true);
  }, [scene, { overlays, preset }]);
  await world.simulate(time);
  await world.frame();
  const data = await page.evaluate(async ([[width, height], quality, shown]) => {
    const { rigor } = window;
    rigor.view.render(2);
    const full = rigor.view.renderer.domElement;
    const [w, h] = [full.width, full.height];
    const cut = Math.min(w / width, h / height);
    const small = new OffscreenCanvas(width, height);
    const pen = small.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(full, (w - cut * width) / 2, (h - cut * height) / 2, cut * width, cut * height, 0, 0, width, height);
    const blob = await small.convertToBlob({ type: "image/webp", quality });
    for (const overlay of shown) await rigor.setOverlay(overlay, false);
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, [SIZE, QUALITY, overlays]);
  return Buffer.from(data);
}

if (process.argv[1].endsWith("pictures.mjs")) {
  const [file, ...only] = process.argv.slice(2);
  const folder = new URL("../../web/pictures/", import.meta.url).pathname;
  mkdirSync(folder, { recursive: true });
  const browser = await launch();
  const page = await openPage(browser, resolve(file), [], { viewport: FROM });
  let bytes = 0;
  for (const story of JSON.parse(readFileSync(new URL("../../web/gallery.json", import.meta.url), "utf8"))) {
    if (only.length > 0 && !only.includes(story.scene)) continue;
    const picture = await thumbnail(page, story);
    bytes += picture.length;
    writeFileSync(`${folder}${story.scene.replace(".json", ".webp")}`, picture);
  }
  console.log(`${bytes} bytes of pictures`);
  await browser.close();
}
