// play.mjs - simulating: play, pause, step, reset, by buttons and keys; looking from elsewhere.
import { check, test } from "./harness.mjs";
import { TOP, distance, page, world } from "./session.mjs";

await test("a stack stands", async () => {
  await world.open("stack.json");
  const before = await world.position(TOP);
  await world.simulate(2);
  const after = await world.position(TOP);
  check(distance(before, after) < 1e-3, `the top went from ${before} to ${after}`);
  await world.frame();
  check((await page.getAttribute("#light", "data-light")) === "met", "the light does not say that the tolerance was met");
});

await test("play runs, pause holds, step makes one step, reset goes back", async () => {
  await world.open("stack.json");
  const steps = async () => (await world.state()).steps;
  await page.click("#play");
  await page.waitForFunction(() => window.rigor.engine.state().steps > 3);
  await page.click("#play");
  const held = await steps();
  await page.click("#step");
  check((await steps()) === held + 1, `one step led from ${held} to ${await steps()}`);
  await page.click("#reset");
  check((await steps()) === 0, "reset did not go back to the start");
  await page.selectOption("#speed", "0.1");
  check((await page.evaluate(() => window.rigor.speed)) === 0.1, "the speed is not set");
  await page.selectOption("#speed", "1");
});

await test("keys play, step, reset, choose tools, throw, open the gallery, turn and zoom the view", async () => {
  await world.open("stack.json");
  const steps = async () => (await world.state()).steps;
  await page.keyboard.press(".");
  check((await steps()) === 1, "'.' does not step");
  await page.keyboard.press("r");
  check((await steps()) === 0, "'r' does not reset");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.rigor.engine.state().steps > 0);
  await page.keyboard.press("Space");
  check((await page.textContent("#play")) === "Play", "Space does not pause");
  for (const [key, tool] of [["1", "hand"], ["2", "push"], ["3", "pull"], ["4", "throw"]]) {
    await page.keyboard.press(key);
    check((await page.evaluate(() => window.rigor.hand.tool)) === tool, `'${key}' does not choose ${tool}`);
  }
  const count = await world.bodyCount();
  await page.keyboard.press("b");
  check((await world.bodyCount()) === count + 1, "'b' throws no ball");
  await page.keyboard.press("g");
  check(await page.isVisible("#gallery"), "'g' does not open the gallery");
  await page.keyboard.press("Escape");
  await page.focus("#view");
  const camera = () => page.evaluate(() => window.rigor.view.camera.position.toArray());
  const far = () => page.evaluate(() => window.rigor.view.camera.position.distanceTo(window.rigor.view.controls.target));
  let [before, away] = [await camera(), await far()];
  await page.keyboard.press("Shift+ArrowLeft");
  check(distance(before, await camera()) > 0.01 * away, "Shift and an arrow do not turn the view");
  check(Math.abs((await far()) - away) < 1e-6 * away, "turning changes the distance");
  before = await camera();
  await page.keyboard.press("ArrowUp");
  check(distance(before, await camera()) > 1e-3 * away, "arrows do not shift the view");
  away = await far();
  await page.keyboard.press("+");
  check((await far()) < 0.95 * away, "'+' does not come nearer");
  await page.keyboard.press("-");
  check(Math.abs((await far()) - away) < 1e-6 * away, "'-' does not go back");
});

await test("the mouse turns, shifts and zooms the view beside the bodies", async () => {
  await world.open("stack.json");
  await page.keyboard.press("1");
  const look = () => page.evaluate(() => {
    const { camera, controls } = window.rigor.view;
    return { at: camera.position.toArray(), target: controls.target.toArray(), far: camera.position.distanceTo(controls.target) };
  });
  const drag = async (button) => {
    await page.mouse.move(120, 300);
    await page.mouse.down({ button });
    await page.mouse.move(180, 330, { steps: 3 });
    await page.mouse.up({ button });
  };
  const start = await look();
  await drag("left");
  const turned = await look();
  check(distance(start.at, turned.at) > 0.05 * start.far && distance(start.target, turned.target) === 0, "left does not turn");
  await drag("right");
  const shifted = await look();
  check(distance(turned.target, shifted.target) > 0.01 * start.far, "right does not shift");
  await page.mouse.wheel(0, 300);
  await world.frame();
  check(Math.abs((await look()).far / start.far - 1) > 0.02, "the wheel does not zoom");
});
