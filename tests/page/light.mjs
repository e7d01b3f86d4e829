// light.mjs - the two painters: which one a machine gets, what both show, in light and dark surroundings.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { check, test } from "./harness.mjs";
import { difference, isStrong, mean, pictureOf, share } from "./pixels.mjs";
import { page, shot, within, world } from "./session.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const source = readFileSync(new URL("../../web/src/tier.ts", import.meta.url), "utf8");
const { outputText } = require("typescript").transpileModule(source, { compilerOptions: { target: "ES2022", module: "ESNext" } });
const { tierOf } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

await test("machines that draw by the processor get the plain picture, graphics cards the fine one", () => {
  for (const name of ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero) (0x0000C0DE)), SwiftShader driver)",
    "llvmpipe (LLVM 15.0.6, 256 bits)", "Microsoft Basic Render Driver", "Apple Software Renderer"])
    check(tierOf(name) === "plain", name);
  for (const name of ["ANGLE (NVIDIA, NVIDIA GeForce RTX 3060 Direct3D11 vs_5_0 ps_5_0, D3D11)", "Apple M2", "Mali-G78",
    "ANGLE (Intel, Mesa Intel(R) UHD Graphics 620 (KBL GT2), OpenGL 4.6)", "Adreno (TM) 660", "WebKit WebGL"])
    check(tierOf(name) === "fine", name);
});

await test("this browser, which draws by the processor, has the plain picture", async () => {
  check((await page.evaluate(() => window.rigor.view.tier)) === "plain", "it has the fine one");
});

const brightness = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;

// What must be true of every picture of the arch: bodies stand out, the sky is not the ground, faces
// have edges, bodies cast shadows.
async function checkLook(name, dark) {
  const target = page;
  await world.frame();
  const picture = await pictureOf(target);
  await shot(target, name);
  check(share(picture, isStrong) > 0.04, `${(100 * share(picture, isStrong)).toFixed(1)} % have strong colours`);
  const [sky, ground] = [mean(picture, [0, 0.97, 0.1, 1]), mean(picture, [0.02, 0.02, 0.15, 0.12])];
  check(Math.max(...sky.map((c, k) => Math.abs(c - ground[k]))) > 12, `the sky is ${sky}, the ground ${ground}`);
  check(dark ? brightness(ground) < 90 : brightness(ground) > 150, `the ground is ${ground}`);
  // The foot of the shadow, right of the arch and before it, is darker than the ground beside it.
  const [inShade, beside] = await target.evaluate(() => {
    const { view } = window.rigor;
    return [[0.9, 0.28], [-0.35, -0.55]].map(([x, y]) => {
      const at = view.project(view.center.clone().set(x, y, 0));
      return [(at.x + 1) / 2, (at.y + 1) / 2];
    });
  });
  const spot = ([x, y]) => brightness(mean(picture, [x - 0.01, y - 0.01, x + 0.01, y + 0.01]));
  check(spot(inShade) < 0.93 * spot(beside), `in the shade ${spot(inShade)}, beside ${spot(beside)}`);
  // Without edges the picture differs, where faces meet.
  const without = await target.evaluate(() => {
    const { painter } = window.rigor.view;
    const { edgeTone } = painter.shared ?? painter.edges;
    const kept = edgeTone.value.w;
    edgeTone.value.w = 0;
    return kept;
  });
  const plain = await pictureOf(target);
  await target.evaluate((kept) => {
    const { painter } = window.rigor.view;
    (painter.shared ?? painter.edges).edgeTone.value.w = kept;
  }, without);
  const part = difference(picture, plain);
  check(part > 0.002 && part < 0.05, `edges are ${(100 * part).toFixed(2)} % of the picture`);
}

const tier = () => page.evaluate(() => window.rigor.view.tier);
const SETTINGS = [
  ["wide", { viewport: { width: 780, height: 400 } }], ["390 pixels wide", { viewport: { width: 390, height: 420 } }],
  ["dark", { viewport: { width: 780, height: 400 }, colorScheme: "dark" }],
];
await world.open("arch.json");
for (const kind of ["plain", "fine"])
  for (const [name, setting] of SETTINGS)
    await test(`${kind}, ${name}: bodies stand out, the sky is not the ground, faces have edges and shadows`, () => within(page, setting, async () => {
      if ((await tier()) !== kind) await page.evaluate((name) => {
        const choice = document.querySelector("#tier"); // in the panel, which is closed on a narrow page
        choice.value = name;
        choice.dispatchEvent(new Event("change"));
      }, kind);
      check((await tier()) === kind, "the choice has no effect");
      await checkLook(`${kind}-${name.split(" ")[0]}`, name === "dark");
      if (kind === "plain" || name !== "wide") return;
      const withIt = await pictureOf(page);
      await page.evaluate(() => (window.rigor.view.painter.occlusion.enabled = false));
      const without = await pictureOf(page);
      await page.evaluate(() => (window.rigor.view.painter.occlusion.enabled = true));
      const [a, b] = [withIt, without].map((picture) => brightness(mean(picture)));
      check(a < b - 0.1 && difference(withIt, without, 6) > 0.003, `occlusion darkens corners: mean ${a} with it, ${b} without`);
    }));

await test("from fine there is a way back, and automatic is plain here", async () => {
  for (const choice of ["plain", ""]) {
    await page.selectOption("#tier", choice);
    check((await tier()) === "plain", `"${choice}" gives ${await tier()}`);
  }
});

// Where the facets of a round surface would show, its shade goes on smoothly; at a rim it does not.
await test("cones, lenses and domes are shaded as the round surfaces they are, with sharp rims", async () => {
  await world.open("cones.json");
  const bends = await page.evaluate(() => window.rigor.view.groups.filter(({ ground, shadow }) => !ground && !shadow).map(({ mesh, kind }) => {
    const [position, normal] = ["position", "normal"].map((name) => mesh.geometry.getAttribute(name).array);
    const places = new Map();
    for (let i = 0; i < position.length; i += 3) {
      const key = [0, 1, 2].map((k) => Math.round(position[i + k] * 1e5)).join();
      places.set(key, [...(places.get(key) ?? []), [normal[i], normal[i + 1], normal[i + 2]]]);
    }
    // Angles [degrees] between normals of corners that meet.
    const angles = [...places.values()].flatMap((all) => all.map((n) => {
      const dot = n[0] * all[0][0] + n[1] * all[0][1] + n[2] * all[0][2];
      return (Math.acos(Math.min(1, dot)) * 180) / Math.PI;
    }));
    return { kind, facets: angles.filter((angle) => angle > 1 && angle < 12).length / angles.length, sharp: Math.max(...angles) };
  }));
  check(bends.length >= 5, `${bends.length} groups`);
  // A facet of a cap bends by some degrees to the next; corners of one place that differ by as much are few:
  // about an apex, where there is no one normal.
  for (const { kind, facets, sharp } of bends) check(facets < 0.1 && sharp > 25, `kind ${kind}: ${(100 * facets).toFixed(1)} % of the corners show facets, the sharpest ${sharp} degrees`);
});

await test("copies of one body run through a ramp of colours; others have one for each name", async () => {
  await world.open("pyramid.json");
  const hues = () => page.evaluate(() => new Set(window.rigor.view.colors.map((color) => Math.round(12 * color.getHSL({}).h))).size);
  check((await hues()) > 4, `the pyramid has ${await hues()} hues`);
  await world.open("bowl.json");
  check((await hues()) > 4, `the bodies in the bowl have ${await hues()} hues`);
});
