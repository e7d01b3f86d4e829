// overlays.mjs - what is drawn beside the bodies, and plotted.
import { check, test } from "./harness.mjs";
import { page, world } from "./session.mjs";

const drawn = () =>
  page.evaluate(() => {
    const { lines, dots } = window.rigor.overlays;
    const count = ({ object }) => (object.visible ? object.geometry.drawRange.count : 0);
    return count(lines) + count(dots);
  });
for (const [overlay, scene, time = 0.05] of [
  ["contacts", "stack.json"], ["normals", "stack.json"], ["forces", "stack.json"], ["cones", "stack.json"],
  ["penetration", "heap.json", 0.9], ["joints", "jansen.json"], ["bounds", "dominoes.json"]])
  await test(`the overlay "${overlay}" is drawn`, async () => {
    await world.open(scene);
    await world.simulate(time);
    await world.frame();
    const without = await drawn();
    await page.check(`[data-overlay="${overlay}"]`);
    await world.frame();
    check((await drawn()) > without, "nothing was added");
    await page.uncheck(`[data-overlay="${overlay}"]`);
    await world.frame();
    check((await drawn()) === without, "it does not go away");
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

await test("energy, residual, contacts and time per step are plotted", async () => {
  await world.open("stack.json");
  await world.simulate(0.1);
  await world.frame();
  const shown = await page.evaluate(() => Array.from(document.querySelectorAll("#plots figcaption"), (part) => part.textContent));
  check(shown.length === 4 && shown.every((text) => /\d/.test(text)), shown.join("; "));
});
