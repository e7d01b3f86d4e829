// camera.mjs - the eye: sees all, follows what matters, goes along with a body, does what a scene states.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BODY } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { boxOf, isStrong, pictureOf, share } from "./pixels.mjs";
import { CART, distance, drop, folder, openGiven, page, pageFile, run, shot, within, world } from "./session.mjs";

const eye = () => page.evaluate(() => {
  const { camera, target } = window.rigor.view.eye;
  return { at: camera.position.toArray(), target: target.toArray(), far: window.rigor.view.eye.distance };
});
// Plays for some simulated time, drawing as often as it goes, and pauses when the eye has come to rest.
const play = async (target, seconds) => {
  await target.evaluate(async (end) => {
    const { rigor } = window;
    while (rigor.engine.state().time < end) {
      for (let i = 0; i < 4; ++i) await rigor.single();
      await new Promise((next) => requestAnimationFrame(next));
    }
  }, seconds);
};

await test("the eye follows a cart that drives away, smoothly, and leaves what stays", async () => {
  await drop(CART, "cart.json");
  await page.waitForFunction(() => document.querySelector("#title").textContent === "A cart drives away");
  await page.evaluate(() => window.rigor.play(false));
  await page.evaluate(() => window.rigor.reset());
  const start = await eye();
  const path = await world.playWithEye(3.5, 2);
  const worst = Math.max(...path.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y))));
  check(worst < 1, `the cart was at ${worst} of the half picture`);
  // It ends within the inner part, and nowhere jumps: from look to look by less than a twentieth of the picture.
  check(Math.abs(path.at(-1)[0]) < 0.8, `at last the cart is at ${path.at(-1)}`);
  const jump = Math.max(...path.slice(1).map(([x], i) => Math.abs(x - path[i][0])));
  check(jump < 0.1, `it jumps by ${jump} of the half picture`);
  const end = await eye();
  check(end.target[0] > 7, `the eye looks at ${end.target}, the cart is at 10.5`);
  check(end.far < 1.6 * start.far, `the distance went from ${start.far} to ${end.far}`);
  await shot(page, "follow");
  check(boxOf(await pictureOf(page)) !== null, "the cart is not in the picture");
  await page.focus("#view");
  await page.keyboard.press("f");
  check(distance((await eye()).target, start.target) < 1e-9 && distance((await eye()).at, start.at) < 1e-9, "'f' does not go back");
});

await test("a scene that stays in the picture is not followed", async () => {
  await world.open("stack.json");
  const start = await eye();
  await play(page, 0.5);
  check(distance(start.at, (await eye()).at) === 0, "the eye has moved");
});

await test("who shifts or zooms has the view; turning does not take it; Home gives it back", async () => {
  await world.open("stack.json");
  const own = () => page.evaluate(() => window.rigor.view.eye.own);
  await page.focus("#view");
  await page.keyboard.press("Shift+ArrowLeft");
  check(await own(), "turning takes it");
  await page.keyboard.press("ArrowUp");
  check(!(await own()), "shifting does not");
  await page.keyboard.press("Home");
  check(await own(), "Home does not give it back");
  await page.keyboard.press("+");
  check(!(await own()), "zooming does not take it");
  await page.keyboard.press("Home");
});

await test("a double click goes along with a body, one beside the bodies ends it", async () => {
  await world.open("dominoes.json");
  const body = 20;
  const { x, y } = await world.bodyInWindow(body);
  await page.mouse.dblclick(x, y);
  const tracked = await page.evaluate(() => window.rigor.view.eye.tracked);
  check(Math.abs(tracked - body) < 3, `body ${tracked} is tracked, not about ${body}`);
  await page.waitForFunction((at) => {
    const { eye } = window.rigor.view;
    return eye.target.distanceTo(eye.target.clone().set(...window.rigor.engine.bodies().subarray(at, at + 3))) < 0.01;
  }, tracked * BODY);
  await page.keyboard.press("f");
  check((await page.evaluate(() => window.rigor.view.eye.tracked)) === -1, "'f' does not end it");
});

await test("a scene states its camera, which is where the page looks from", async () => {
  const { camera } = JSON.parse(readFileSync("scenes/tube.json", "utf8"));
  await world.open("tube.json");
  const { at, target } = await eye();
  // A window that is narrower than the stated camera wants is looked at from farther away, from the same side.
  const [own, wanted] = [at, camera.from].map((from) => from.map((x, k) => x - camera.at[k]));
  const far = Math.hypot(...own) / Math.hypot(...wanted);
  check(far > 1 - 1e-9 && far < 1.2 && distance(own, wanted.map((x) => far * x)) < 1e-9, `from ${at}`);
  check(distance(target, camera.at) < 1e-9, `at ${target}`);
  await drop('{"rigor": 1, "camera": {"at": [0, 0, 0]}, "bodies": []}', "bad.json");
  await page.waitForFunction(() => !document.querySelector("#error").hidden);
  check(/bad\.json:1:.*has no "from"/.test(await page.textContent("#error-message")), await page.textContent("#error-message"));
});

await test("a world of dimension 2 is seen straight, without perspective, as filled outlines", async () => {
  await world.open("plane.json");
  const { camera, flat } = await page.evaluate(() => ({ camera: window.rigor.view.camera.type, flat: window.rigor.view.flat }));
  check(flat && camera === "OrthographicCamera", camera);
  await world.frame();
  const picture = await pictureOf(page);
  const size = await page.evaluate(() => {
    const { view } = window.rigor;
    const place = (x, y) => view.project(view.center.clone().set(x, y, 0));
    return [place(0, 0), place(1, 0), place(0, 1)].map(({ x, y }) => [x, y]);
  });
  const wide = (size[1][0] - size[0][0]) * picture.width;
  const high = (size[2][1] - size[0][1]) * picture.height;
  check(Math.abs(wide / high - 1) < 1e-6, `a metre is ${wide} pixels wide and ${high} high`);
  // The middle of the lowest block of the stack is filled with one colour, and its rim is dark.
  check(share(picture, isStrong) > 0.02, "hardly anything is filled");
  check(share(picture, (r, g, b) => Math.max(r, g, b) < 70) > 0.002, "there are no outlines");
  await shot(page, "plane-straight");
});

await test("the first picture of a recorded run has room for all its poses", async () => {
  const scene = join(folder, "cart.json");
  const table = join(folder, "cart.csv");
  const file = join(folder, "cart.html");
  writeFileSync(scene, CART);
  run("run", scene, "--time", "3", "--quiet", "-o", table);
  run("view", table, "--page", pageFile, "-o", file);
  await within(page, { viewport: { width: 390, height: 600 } }, async () => {
    await openGiven(file);
    const places = await page.evaluate((body) => {
      const { recording, view } = window.rigor;
      return [recording.poses[0], recording.poses.at(-1)].map((poses) => view.project(view.center.clone().set(...poses.subarray(body, body + 3))).toArray());
    }, 2 * BODY);
    check(places.every(([x, y]) => Math.abs(x) < 1 && Math.abs(y) < 1) && Math.abs(places[1][0] - places[0][0]) > 0.8, JSON.stringify(places));
    await world.frame();
  });
});
