// touch.mjs - the mouse in the world: push, pull, throw, drag.
import { check, test } from "./harness.mjs";
import { TOP, distance, page, shot, world } from "./session.mjs";

// The stack, stepped by the fast preset: what is tested is the mouse.
async function openStack() {
  await world.open("stack.json");
  await page.selectOption("#preset", "realtime");
  await world.idle();
}

await test("the repulsor pushes the stack over", async () => {
  await openStack();
  await page.keyboard.press("2");
  const before = await world.position(TOP);
  const upper = await world.bodyInWindow(TOP - 1);
  await page.mouse.move(upper.x, upper.y);
  await page.mouse.down();
  await world.simulate(1);
  await shot(page, "repulsor");
  await page.mouse.up();
  await world.simulate(0.5);
  const after = await world.position(TOP);
  check(Math.hypot(after[0] - before[0], after[1] - before[1]) > 5, `the top went from ${before} to ${after}`); // the stack is 1 m wide
});

await test("the attractor pulls with the right button", async () => {
  await openStack();
  await page.keyboard.press("2");
  const above = await world.bodyInWindow(TOP);
  await page.mouse.move(above.x, above.y);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(above.x + 150, above.y, { steps: 4 });
  await world.simulate(1);
  await page.mouse.up({ button: "right" });
  const moved = await world.bodyInWindow(TOP);
  check(moved.x > above.x + 20, `on the screen the top went from ${above.x} to ${moved.x}`);
});

await test("the cursor moves in a level plane, and up and down with the middle button", async () => {
  await openStack();
  await page.keyboard.press("2");
  const held = () => page.evaluate(() => window.rigor.hand.held.toArray());
  const middle = await world.bodyInWindow(TOP / 2);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  const start = await held();
  await page.mouse.move(middle.x + 40, middle.y, { steps: 3 });
  const level = await held();
  check(Math.abs(level[2] - start[2]) < 1e-9 && distance(level, start) > 0.1, `went from ${start} to ${level}`);
  await page.mouse.down({ button: "middle" });
  await page.mouse.move(middle.x + 40, middle.y - 60, { steps: 3 });
  const up = await held();
  await page.mouse.up({ button: "middle" });
  await page.mouse.up();
  check(up[2] > level[2] + 0.1 && Math.hypot(up[0] - level[0], up[1] - level[1]) < 1e-9, `went from ${level} to ${up}`);
});

await test("a thrown ball hits", async () => {
  await openStack();
  await page.keyboard.press("4");
  const before = await world.position(TOP);
  const count = await world.bodyCount();
  const target = await world.bodyInWindow(TOP - 2);
  await page.mouse.click(target.x, target.y);
  check((await world.bodyCount()) === count + 1, "no ball was added");
  await page.evaluate(() => window.rigor.play(false));
  await world.simulate(2);
  const after = await world.position(TOP);
  check(after[2] < 0.9 * before[2], `the top went from ${before} to ${after}`);
});

await test("a dragged body follows, and is selected", async () => {
  await openStack();
  await page.keyboard.press("1");
  const before = await world.position(TOP);
  const from = await world.bodyInWindow(TOP);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 120, from.y - 30, { steps: 5 });
  await world.simulate(2);
  const held = await world.bodyInWindow(TOP);
  check(Math.hypot(held.x - from.x - 120, held.y - from.y + 30) < 40, `is at ${held.x}, ${held.y}`);
  await world.frame();
  check(await page.isVisible("#inspector"), "the body is not selected");
  await page.mouse.up();
  await world.simulate(2);
  check((await world.position(TOP))[2] < before[2], "it did not fall when let go");
});
