// tour.mjs - six chapters, each with both pictures computed live: what the words say is what is simulated.
import { BODY } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { mean, pictureOf } from "./pixels.mjs";
import { page as target, setWindow, shot, within } from "./session.mjs";

const before = target.viewportSize();
await setWindow(target, { viewport: { width: 1000, height: 560 } });
const go = (chapter) => target.evaluate((i) => window.rigor.tour.go(i), chapter);

// Both worlds after some time, stepped by the test: [px, py, pz] of all bodies, and energies.
const after = (seconds) => target.evaluate(async ([time, size]) => {
  const { rigor } = window;
  await rigor.play(false);
  await rigor.idle();
  const { engine: other } = rigor.tour.variant;
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))); // the loop pauses the variant
  const both = [rigor.engine, other];
  for (const engine of both) {
    const { step, time: now } = engine.state();
    await engine.step(Math.max(0, Math.round((time - now) / step)));
  }
  return both.map((engine) => {
    const bodies = engine.bodies();
    return { time: engine.state().time, energy: engine.state().kinetic + engine.state().potential,
      places: Array.from({ length: bodies.length / size }, (_, i) => Array.from(bodies.subarray(i * size, i * size + 3))) };
  });
}, [seconds, BODY]);
// Until both pictures show the present.
const drawn = () => target.evaluate(async () => {
  await window.rigor.settled();
  const { variant } = window.rigor.tour;
  while (variant.drawing) await new Promise((next) => setTimeout(next, 5));
  await variant.draw();
  while (variant.drawing) await new Promise((next) => setTimeout(next, 5));
});
const names = () => target.evaluate(() => Array.from({ length: window.rigor.engine.bodyCount() }, (_, i) => window.rigor.engine.bodyName(i)));

await test("the tour has six chapters of two sentences, by buttons and by its address, with two live pictures", async () => {
  await target.click("#tour-start");
  await target.waitForFunction(() => window.rigor.tour.variant?.engine.frame?.state.steps > 5 && window.rigor.engine.state().steps > 5);
  for (let i = 0; i < 6; ++i) {
    check((await target.evaluate(() => window.rigor.tour.chapter)) === i, `chapter ${i} is not open`);
    const text = await target.textContent("#tour-text");
    check((text.match(/[.](\s|$)/g) ?? []).length === 2, `${text}`);
    check(await target.isVisible("#view-beside"), "there is no second picture");
    if (i < 5) await target.click("#tour-next");
    await target.evaluate(() => window.rigor.idle());
  }
  await target.click("#tour-next");
  check(!(await target.isVisible("#tour")), "it does not end");
});

await test("1: the gripped rod is held, and lost by two iterations", async () => {
  await go(0);
  const rod = (await names()).indexOf("rod");
  const [own, other] = await after(3);
  check(own.places[rod][2] > 0.25, `held at ${own.places[rod]}`);
  check(other.places[rod][2] < own.places[rod][2] - 0.1, `with two iterations at ${other.places[rod]}`);
});

await test("2: pucks stop on a circle, with a pyramid on a square", async () => {
  await go(1);
  const [own, other] = (await after(2)).map(({ places }) => places.slice(1).map(([x, y]) => Math.hypot(x, y) - 1)); // they start on a circle of 1 m
  check(Math.max(...own) / Math.min(...own) < 1.001, `from ${Math.min(...own)} to ${Math.max(...own)} m`);
  check(Math.max(...other) / Math.min(...other) > 1.4, `with a pyramid from ${Math.min(...other)} to ${Math.max(...other)} m`);
  await drawn();
  await shot(target, "tour");
});

await test("3: slabs keep to the ground, and are thrown up by convex friction", async () => {
  await go(2);
  const [own, other] = (await after(0.1)).map(({ places }) => Math.max(...places.slice(1).map(([, , z]) => z)));
  check(Math.abs(own - 0.08) < 1e-6, `at ${own} m`);
  check(other > 0.1, `with convex friction at ${other} m`);
});

await test("4: the light boxes carry the heavy one, and collapse within 20 iterations", async () => {
  await go(3);
  const [own, other] = (await after(2.5)).map(({ places }) => Math.max(...places.map(([, , z]) => z)));
  check(own > 10.4 && other < 0.8 * own, `the top is at ${own} and ${other} m`);
});

await test("5: the pendulum keeps its energy, and loses it by implicit Euler", async () => {
  await go(4);
  const start = await after(0);
  const end = await after(5);
  const lost = end.map(({ energy }, i) => start[i].energy - energy);
  check(Math.abs(lost[0]) < 1e-6 && lost[1] > 1, `lost are ${lost} J`);
});

await test("6: balls roll down the slope, balls of triangles do not", async () => {
  await go(5);
  const [own, other] = (await after(1.5)).map(({ places }) => Math.min(...places.slice(1).map(([x]) => x)));
  check(own > 0.4 && other < 0.3 * own, `balls have rolled ${own} m, those of triangles ${other} m`);
});
await test("the tour fits a telephone, in dark surroundings, one picture above the other", async () => {
  const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" };
  await within(target, phone, async () => {
    await go(1);
    await after(0.5);
    await drawn();
    const [a, b, text] = await target.evaluate(() => ["#frame", "#beside", "#tour"].map((name) => {
      const { left, right, top, bottom } = document.querySelector(name).getBoundingClientRect();
      return { left, right, top, bottom };
    }));
    check(a.bottom <= b.top + 1 && b.bottom <= text.top + 1 && b.right <= 391 && a.bottom - a.top > 150 && b.bottom - b.top > 150, JSON.stringify([a, b, text]));
    await shot(target, "tour-phone");
    // Both pictures follow the window: at their lower edges there is ground.
    for (const colorScheme of ["light", "dark"]) {
      await setWindow(target, { ...phone, colorScheme });
      await drawn();
      for (const which of ["own", "variant"]) {
        const ground = Math.max(...mean(await pictureOf(target, which), [0.02, 0.02, 0.15, 0.08]));
        check(colorScheme === "dark" ? ground < 110 : ground > 150, `${which}, ${colorScheme}: the ground has ${ground} of 255`);
      }
    }
  });
  await target.evaluate(() => window.rigor.tour.end());
  await setWindow(target, { viewport: before });
});
