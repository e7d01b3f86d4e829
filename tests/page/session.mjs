// session.mjs - what the tests of the page share: the page in a browser, the command, files.
//
// What is simulated is stepped by the test while the page is paused, so that nothing depends on how
// fast the machine draws; mouse, keyboard, fingers and files go through the browser.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { World, launch, openPage } from "./browser.mjs";

export const [pageFile, rigor] = process.argv.slice(2, 4).map((path) => resolve(path));
const pictures = resolve("build/screenshots");
mkdirSync(pictures, { recursive: true });
export const folder = mkdtempSync(join(tmpdir(), "rigor-page-"));
const JPEG = { type: "jpeg", quality: 72 };
export const shot = (target, name) => target.screenshot({ ...JPEG, path: join(pictures, `${name}.jpg`) });

export const browser = await launch();
export const complaints = [];
export const page = await openPage(browser, pageFile, complaints);
export const world = new World(page);
// What stands still is drawn with as many pixels as the window has; pictures for documents with four times as many.
export const setStill = (ratio) => page.evaluate((value) => (window.rigor.quality.still = value), ratio);
await setStill(1);

export async function close() {
  await browser.close();
  rmSync(folder, { recursive: true });
}

export const distance = (a, b) => Math.hypot(...a.map((value, i) => value - b[i]));
export const TOP = 20; // the uppermost of the twenty boxes of the stack; 0 is the ground
export const optionsNow = async () =>
  Object.fromEntries((await page.evaluate(() => window.rigor.idle().then(() => window.rigor.engine.options()))).map(({ name, value }) => [name, value]));
export async function setOption(name, value) {
  const field = page.locator(`[data-option="${name}"]`);
  if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
  else {
    await field.fill(value);
    await field.press("Enter");
  }
  await world.idle();
}
// Runs the command; a run that misses its tolerance ends with 1.
// With { input } as the last argument, that is its standard input.
export function run(...args) {
  const { input } = typeof args.at(-1) === "object" ? args.pop() : {};
  try {
    return execFileSync(rigor, args, input === undefined ? { stdio: ["ignore", "pipe", "pipe"] } : { input, stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    if (error.status === 1) return error.stdout;
    throw new Error(String(error.stderr));
  }
}

export const drop = (text, name) =>
  page.evaluate(([content, file]) => {
    const data = new DataTransfer();
    data.items.add(new File([content], file));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
  }, [text, name]);

// A cart that drives away at 3 m/s beside a post that stays.
export const CART = JSON.stringify({
  rigor: 1, title: "A cart drives away",
  materials: [{ name: "default", mu: 0 }],
  bodies: [
    { name: "ground", kind: "static", shapes: [{ shape: "halfspace" }] },
    { name: "post", position: [0, 1, 0.5], shapes: [{ shape: "box", half: [0.2, 0.2, 0.5] }] },
    { name: "cart", position: [0, 0, 0.2], velocity: [3, 0, 0], shapes: [{ shape: "box", half: [0.4, 0.2, 0.2] }] },
  ],
});

// What the command has put into a page that it wrote, opened in the page that is here.
export async function openGiven(file, target = page) {
  const [, given] = /<script id="rigor-given" type="application\/json">([^]*?)<\/script>/.exec(readFileSync(file, "utf8"));
  await target.evaluate((scene) => window.rigor.open({ ...scene, group: "" }, false), JSON.parse(given));
  return JSON.parse(given);
}
// Gives the window another size or other colours. Done when the browser has it, and the page has followed: both take
// frames of the browser, which on a busy machine come late.
export async function setWindow(target, { viewport = target.viewportSize(), colorScheme = "light" }) {
  await target.emulateMedia({ colorScheme });
  await target.setViewportSize(viewport);
  await target.waitForFunction(([{ width, height }, wanted]) => innerWidth === width && innerHeight === height &&
    matchMedia(`(prefers-color-scheme: ${wanted})`).matches && window.rigor.suitsWindow, [viewport, colorScheme]);
}
// Light or dark, and the size of the window, for the time of some checks.
export async function within(target, setting, body) {
  const viewport = target.viewportSize();
  await setWindow(target, setting);
  try {
    await body();
  } finally {
    await setWindow(target, { viewport });
  }
}

// A run of the dominoes, recorded natively: the file, and its rows of cells.
export const csv = join(folder, "run.csv");
run("run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", csv);
export const rows = readFileSync(csv, "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
