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
export function run(...args) {
  try {
    return execFileSync(rigor, args, { stdio: ["ignore", "pipe", "pipe"] });
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

// A run of the dominoes, recorded natively: the file, and its rows of cells.
export const csv = join(folder, "run.csv");
run("run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", csv);
export const rows = readFileSync(csv, "utf8").trim().split("\n").slice(1).map((line) => line.split(","));
