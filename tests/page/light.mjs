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

// The browser tells of other colours only with its next frame. Here nothing but the page waits for that.
await test("what the page calls settled has the colours that the window has just got, by both painters", async () => {
  for (const kind of ["fine", "plain"]) {
    await page.evaluate((name) => window.rigor.setTier(name), kind);
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      await world.frame();
      const ground = mean(await pictureOf(page), [0.02, 0.02, 0.15, 0.12]);
      check(colorScheme === "dark" ? brightness(ground) < 90 : brightness(ground) > 150, `${kind}, ${colorScheme}: the ground is ${ground}`);
    }
  }
});

await test("from fine there is a way back, and automatic is plain here", async () => {
  for (const choice of ["plain", ""]) {
    await page.selectOption("#tier", choice);
    check((await tier()) === "plain", `"${choice}" gives ${await tier()}`);
  }
});

// The normals that cones and lenses of these sizes have by formula, away from rims and apexes: of a frustum of radii R and r
// and half-length h, (cos, sin, (R - r) / 2h); of a cap of height c over a rim of radius R, that of a sphere of radius
// (R^2 + c^2) / 2c. About the axis there are 48 triangles, which bend by 7.5 degrees: a flat one is off by up to half of that,
// 3.75, and by about as much on the average, since all its corners are at its sides. A corner where two triangles of one side
// and one of the other meet has a mean that is off by a sixth of the bend, 1.25: that much is left by sharing normals.
await test("cones, lenses and domes are shaded as the round surfaces they are, with sharp rims", async () => {
  const sizes = JSON.parse(readFileSync("scenes/cones.json", "utf8")).bodies.map(({ shapes }) => shapes[0]);
  await world.open("cones.json");
  const meshes = await page.evaluate(() => window.rigor.view.groups.filter(({ ground, shadow }) => !ground && !shadow).map(({ mesh, bodies }) => ({
    body: bodies[0], position: Array.from(mesh.geometry.getAttribute("position").array), normal: Array.from(mesh.geometry.getAttribute("normal").array) })));
  check(meshes.length >= 5, `${meshes.length} groups`);
  for (const { body, position, normal } of meshes) {
    const { shape, radius, half_length: h, top_radius: top = 0, caps } = sizes[body];
    const rim = position.reduce((best, _, i) => (i % 3 === 0 && Math.hypot(position[i], position[i + 1]) > best[0] ? [Math.hypot(position[i], position[i + 1]), position[i + 2]] : best), [0, 0])[1];
    let [worst, sum, count] = [0, 0, 0];
    for (let i = 0; i < position.length; i += 3) {
      const [x, y, z] = position.slice(i, i + 3);
      const far = Math.hypot(x, y);
      // The triangle itself, of which those without area show nothing; one that faces along z is an end of a cone.
      const [p, q, r] = [0, 3, 6].map((k) => position.slice(i - (i % 9) + k, i - (i % 9) + k + 3));
      const [e, f] = [q, r].map((corner) => corner.map((value, k) => value - p[k]));
      const across = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
      const area = Math.hypot(...across);
      if (area < 1e-5 * radius ** 2) continue;
      const flat = shape === "cone" && Math.abs(across[2]) > 0.99 * area;
      const height = shape === "lens" ? caps[z > rim ? 0 : 1] : 0;
      const inner = shape === "cone" ? far > 0.05 * radius && !flat : height > 0 && far < 0.8 * radius && Math.abs(z - rim) > 1e-6;
      if (!inner) continue;
      const ball = height > 0 ? (radius ** 2 + height ** 2) / (2 * height) : 0;
      const wanted = shape === "cone" ? [x / far, y / far, (radius - top) / (2 * h)]
        : [x, y, z - rim - Math.sign(z - rim) * (height - ball)];
      const size = Math.hypot(...wanted);
      const dot = wanted.reduce((total, value, k) => total + (value / size) * normal[i + k], 0);
      const off = (Math.acos(Math.min(1, Math.abs(dot))) * 180) / Math.PI;
      [worst, sum, count] = [Math.max(worst, off), sum + off, count + 1];
    }
    // Corners at the rim have normals of both sides: shared across it they would be one.
    const upright = normal.filter((_, i) => i % 3 === 2 && Math.hypot(position[i - 2], position[i - 1]) > 0.999 * radius);
    const bend = Math.max(...upright) - Math.min(...upright);
    check(bend > 0.4, `${shape} ${body}: at the rim normals differ by ${bend} along the axis`);
    check(count > 50 && sum / count < 1.5, `${shape} ${body}: off by ${sum / count} degrees on the average of ${count} corners`);
  }
});

await test("copies of one body run through a ramp of colours; others have one for each name", async () => {
  await world.open("pyramid.json");
  const hues = () => page.evaluate(() => new Set(window.rigor.view.colors.map((color) => Math.round(12 * color.getHSL({}).h))).size);
  check((await hues()) > 4, `the pyramid has ${await hues()} hues`);
  await world.open("bowl.json");
  check((await hues()) > 4, `the bodies in the bowl have ${await hues()} hues`);
});
