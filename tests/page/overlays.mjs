// overlays.mjs - what is drawn beside the bodies, and plotted.
import { check, test } from "./harness.mjs";
import { pictureOf, share } from "./pixels.mjs";
import { TOP, page, shot, world } from "./session.mjs";

const drawn = () =>
  page.evaluate(() => {
    const { lines, dots, marks } = window.rigor.overlays;
    const count = ({ object }) => (object.visible ? object.geometry.drawRange.count : 0);
    return count(lines) + count(dots) + marks.count;
  });
await test("islands have colours of their own", async () => {
  await world.open("spheres.json");
  await world.simulate(0.8);
  const colors = () => page.evaluate(() =>
    new Set(window.rigor.view.groups.flatMap(({ mesh }) => Array.from(mesh.instanceColor?.array ?? [], (c) => c.toFixed(3)))).size);
  const islands = (await world.state()).islands;
  await page.check('[data-overlay="islands"]');
  await world.frame();
  check(islands > 1 && (await colors()) > islands, `${islands} islands, ${await colors()} numbers in their colours`);
  await page.uncheck('[data-overlay="islands"]');
});

const isRed = (r, g, b) => r > 150 && g < 90 && b < 110;

await test("forces are solid arrows, thicker where they are larger, with a legend that has their scale", async () => {
  await world.open("heavy.json");
  await world.simulate(0.05);
  await page.check('[data-overlay="forces"]');
  await world.frame();
  const picture = await pictureOf(page);
  check(share(picture, isRed) > 0.001, "there is hardly any red");
  const legend = await page.textContent("#legend");
  check(/\d+ [mk]?N normal · largest [\d.]+ [mk]?N/.test(legend) && /friction/.test(legend), legend);
  // The largest force in the legend carries a quarter of all the weight, on one of four corners.
  const { drawn: told, weight, bar } = await page.evaluate(() => {
    const { overlays, engine, view } = window.rigor;
    const mass = Array.from({ length: engine.bodyCount() }, (_, i) => engine.mass(i)).reduce((a, b) => a + b);
    const pixels = view.renderer.domElement.clientHeight / view.eye.height;
    return { drawn: overlays.drawn, weight: mass * engine.state().gravity,
      bar: [parseFloat(document.querySelector("#legend i").style.width), overlays.drawn.perNewton * pixels] };
  });
  check(Math.abs(told.pressure / (weight / 4) - 1) < 0.02, `the largest is ${told.pressure}, a quarter of the weight ${weight / 4}`);
  const [, number, prefix] = /^([\d.]+) ([mk]?)N/.exec(legend);
  const newton = Number(number) * ({ m: 1e-3, k: 1e3 }[prefix] ?? 1);
  check(Math.abs(bar[0] - newton * bar[1]) < 0.6, `the bar is ${bar[0]} pixels, ${newton} N are ${newton * bar[1]}`);
  await shot(page, "legend");
  await page.uncheck('[data-overlay="forces"]');
});

await test("marks of another scene do not come back", async () => {
  const places = () => page.evaluate(() => {
    const { array } = window.rigor.overlays.marks.heads.source.instanceMatrix;
    return Array.from({ length: array.length / 16 }, (_, i) => array.subarray(16 * i, 16 * i + 16).some((value) => value !== 0)).filter(Boolean).length;
  });
  const counts = [];
  for (const scene of ["pyramid.json", "stack.json", "arch.json"]) {
    await world.open(scene);
    await world.simulate(0.02);
    await page.check('[data-overlay="forces"]');
    await world.frame();
    const count = await page.evaluate(() => window.rigor.overlays.marks.count);
    counts.push(count);
    check((await places()) === count, `${scene}: ${await places()} places hold a mark, ${count} were drawn`);
    await page.uncheck('[data-overlay="forces"]');
    await world.frame();
  }
  check(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 20, `marks: ${counts}`); // fewer and fewer
});

await test("friction cones are translucent: what is behind them is seen through them", async () => {
  await world.open("stack.json");
  await world.simulate(0.02);
  await world.frame();
  const bare = await pictureOf(page);
  await page.check('[data-overlay="cones"]');
  await world.frame();
  const cones = await pictureOf(page);
  // Where a cone covers something, its colour is between what was there and the cone's own.
  let [mixed, changed] = [0, 0];
  for (let i = 0; i < bare.data.length; i += 4) {
    const off = [0, 1, 2].map((k) => cones.data[i + k] - bare.data[i + k]);
    if (Math.max(...off.map(Math.abs)) < 6) continue;
    ++changed;
    if (Math.max(...off.map(Math.abs)) < 100) ++mixed;
  }
  check(changed > 200 && mixed > 0.5 * changed, `${mixed} of ${changed} pixels are mixtures`);
  check(/μ 0\.\d+/.test(await page.textContent("#legend")), await page.textContent("#legend"));
  await page.uncheck('[data-overlay="cones"]');
});

await test("the selected body has a card with mass, speed and the sum of its contact forces; others may be left out", async () => {
  await world.open("stack.json");
  await page.check('[data-overlay="forces"]');
  await world.simulate(0.2);
  await page.keyboard.press("1");
  const { x, y } = await world.bodyInWindow(TOP);
  await page.mouse.click(x, y);
  await world.frame();
  const card = await page.textContent("#inspector");
  const [mass, weight] = await page.evaluate((top) => [window.rigor.engine.mass(top), window.rigor.engine.mass(top) * window.rigor.engine.state().gravity], TOP);
  check(card.includes(await page.evaluate((top) => window.rigor.engine.bodyName(top), TOP)), card);
  check(card.includes(`${mass} kg`) || /mass[\d.e+]+ kg/.test(card), card);
  const force = /contacts([\d.]+) (k?)N/.exec(card);
  check(force && Math.abs((Number(force[1]) * (force[2] ? 1e3 : 1)) / weight - 1) < 0.01, `${card}: must carry ${weight} N`);
  check(/speed[\d.e-]+ [µnm]?m\/s/.test(card), card);
  const all = await drawn();
  await page.click("#only-selected");
  await world.frame();
  const own = await drawn();
  check(own < 0.3 * all && own > 3, `${own} marks of ${all} are of the selected body`);
  await shot(page, "inspector");
  await page.click("#only-selected");
  await page.click("#close-inspector");
  await world.frame();
  check(!(await page.isVisible("#inspector")), "the card does not close");
  await page.uncheck('[data-overlay="forces"]');
});

await test("the card of a body on joints has their coordinates and forces, with units", async () => {
  await world.open("grip.json");
  await world.simulate(0.3);
  const arm = await page.evaluate(() => {
    const { engine } = window.rigor;
    const body = Array.from({ length: engine.bodyCount() }, (_, i) => i).find((i) => engine.bodyName(i) === "upper_arm");
    window.rigor.select(body);
    return body;
  });
  await world.frame();
  const card = await page.textContent("#inspector");
  check(arm > 0 && /jointhinge shoulder/.test(card), card);
  check(/coordinate-?[\d.e+-]+ °/.test(card) && /along it-?[\d.]+ [mk]?N m/.test(card) && /reaction[\d.]+ [mk]?N, /.test(card), card);
  await page.evaluate(() => window.rigor.select(-1));
});

await test("a dragging hand shows its spring and its force", async () => {
  await world.open("stack.json");
  await page.keyboard.press("1");
  const from = await world.bodyInWindow(TOP);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y - 40, { steps: 3 });
  await world.simulate(0.1);
  await world.frame();
  const label = await page.textContent("#grip");
  const { grip, stiffness } = await page.evaluate(() => ({ grip: window.rigor.engine.frame.grip, stiffness: window.rigor.engine.frame.forces.length }));
  check(/^[\d.]+ [mk]?N$/.test(label) && grip > 0 && stiffness > 0, `${label}, ${grip} N`);
  await shot(page, "grip");
  await page.mouse.up();
  await world.frame();
  check(!(await page.isVisible("#grip")), "it does not go away");
});

