// phone.mjs - fingers and small windows.
import { SMALL, World, openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { TOP, browser, complaints, distance, page, pageFile, shot, world } from "./session.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const phone = await openPage(browser, pageFile, complaints, PHONE);
const small = new World(phone);
await phone.evaluate(() => (window.rigor.quality.still = 1));
const touch = await phone.context().newCDPSession(phone);
const fingers = (type, points) =>
  touch.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });

await test("on a telephone nothing is cut off, and the panel opens and closes", async () => {
  await phone.evaluate(() => window.rigor.play(false));
  check(!(await phone.isVisible("aside")), "the panel covers the picture");
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  check(width <= 390, `the page is ${width} pixels wide`);
  await small.open("dominoes.json");
  await small.simulate(0.8);
  await small.frame();
  await shot(phone, "phone");
  await phone.tap("#menu");
  check(await phone.isVisible("#plots"), "the panel does not open");
  await shot(phone, "phone-panel");
  await phone.tap("#menu");
  await phone.tap("#scenes");
  await shot(phone, "phone-gallery");
  await phone.tap("#close-gallery");
});

await test("a finger drags a body", async () => {
  await small.open("stack.json");
  await phone.evaluate(() => window.rigor.setPreset("realtime"));
  await phone.tap('[data-tool="hand"]');
  const from = await small.bodyInWindow(TOP - 1);
  await fingers("touchStart", [from]);
  await fingers("touchMove", [{ x: from.x + 60, y: from.y }]);
  await small.simulate(1.5);
  const held = await small.bodyInWindow(TOP - 1);
  await fingers("touchEnd", []);
  check(held.x > from.x + 30, `on the screen it went from ${from.x} to ${held.x}`);
});

await test("a finger pushes and pulls; a second one moves the cursor up and down", async () => {
  await small.open("stack.json");
  await phone.tap('[data-tool="push"]');
  const before = await small.position(TOP);
  const upper = await small.bodyInWindow(TOP - 1);
  await fingers("touchStart", [upper]);
  await small.simulate(0.5);
  const pushed = await small.position(TOP);
  check(distance(before, pushed) > 1e-3, "the top was not pushed");
  const cursor = () => phone.evaluate(() => window.rigor.hand.held.toArray());
  const low = await cursor();
  await fingers("touchStart", [upper, { x: 60, y: 700 }]);
  await fingers("touchMove", [{ x: upper.x, y: upper.y - 80 }, { x: 60, y: 700 }]);
  const high = await cursor();
  await fingers("touchEnd", []);
  check(high[2] > low[2] + 0.1, `the cursor went from ${low} to ${high}`);
  await small.open("stack.json");
  await phone.tap('[data-tool="pull"]');
  await fingers("touchStart", [upper]);
  check(await phone.evaluate(() => window.rigor.hand.sign > 0), "the tool does not attract");
  await fingers("touchEnd", []);
});

await test("a tap throws a ball, two fingers zoom", async () => {
  await small.open("stack.json");
  await phone.tap('[data-tool="throw"]');
  const count = await small.bodyCount();
  const target = await small.bodyInWindow(TOP / 2);
  await phone.touchscreen.tap(target.x, target.y);
  check((await small.bodyCount()) === count + 1, "no ball was added");
  await phone.evaluate(() => window.rigor.play(false));
  await phone.tap('[data-tool="hand"]');
  const far = () => phone.evaluate(() => window.rigor.view.camera.position.distanceTo(window.rigor.view.controls.target));
  const away = await far();
  await fingers("touchStart", [{ x: 100, y: 700 }, { x: 140, y: 700 }]);
  await fingers("touchMove", [{ x: 60, y: 700 }, { x: 220, y: 700 }]);
  await fingers("touchMove", [{ x: 40, y: 700 }, { x: 300, y: 700 }]);
  await fingers("touchEnd", []);
  await small.frame();
  check((await far()) < 0.9 * away, `from ${away} to ${await far()}`);
});
await phone.close();

await test("a small window has everything in reach", async () => {
  await world.open("arch.json");
  await page.check('[data-overlay="forces"]');
  await world.simulate(0.2);
  await world.frame();
  await shot(page, "small");
  await page.uncheck('[data-overlay="forces"]');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check(width <= SMALL.width && (await page.isVisible("#overlays")), `the page is ${width} pixels wide`);
});
