// plots.mjs - what is measured: energy and where it goes, numbers of the axes, what the pointer is at, the pace.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, test } from "./harness.mjs";
import { drop, folder, openGiven, page, pageFile, run, shot, world } from "./session.mjs";

const rows = (plot) => page.evaluate((name) => window.rigor.panel.plots[name].rows, plot);

await test("energy, residual, contacts and time per step are plotted, with units", async () => {
  await world.open("stack.json");
  await world.simulate(0.1);
  await world.frame();
  const shown = await page.evaluate(() => Array.from(document.querySelectorAll("#plots figcaption"), (part) => part.textContent));
  check(shown.length === 4 && shown.every((text) => /\d/.test(text)), shown.join("; "));
  check(/Time per step[\d.]+ [µm]s/.test(shown[3]), shown[3]);
  check(/kinetic [\d.]+/.test(await page.textContent("#plots .key")), "the lines have no numbers");
  await world.open("stack.json");
  await world.frame();
  check(!/\d [mµnk]?J/.test(await page.textContent("#plots .key")), "numbers of the last run are left");
});

await test("the energy of a standing stack stays at its start, that of falling dominoes only falls", async () => {
  await world.open("stack.json");
  await world.simulate(0.3);
  const still = (await rows("energy")).map(([total]) => Math.abs(total));
  check(Math.max(...still) < 1e-6, `the stack's energy is off by ${Math.max(...still)} J`);
  await world.open("dominoes.json");
  await world.simulate(0.4);
  const falling = await rows("energy");
  check(falling.length > 50, `${falling.length} rows`);
  falling.forEach(([total, kinetic, potential, lost], i) => {
    check(i === 0 || total < falling[i - 1][0] + 1e-9, `it rises in row ${i}`);
    check(Math.abs(total + lost) < 1e-7, `row ${i}: ${total} J, dissipated ${lost} J`); // nothing works on dominoes
    check(Math.abs(total - (kinetic - falling[0][1] + potential - falling[0][2] + falling[0][0])) < 1e-12, `row ${i} does not add up`);
  });
  check(falling.at(-1)[2] < -1e-6 && falling.at(-1)[3] > 0, `at last ${falling.at(-1)}`);
});

await test("the pointer tells the value under it, the ends of the axis have numbers, a plot can be enlarged", async () => {
  await world.open("dominoes.json");
  await world.simulate(0.5);
  await world.frame();
  const last = await page.textContent("#plots figure output");
  const canvas = page.locator("#plots figure canvas").first();
  const before = await canvas.evaluate((element) => element.toDataURL());
  await canvas.hover({ position: { x: 60, y: 20 } });
  const under = await page.textContent("#plots figure output");
  const wanted = await page.evaluate(() => {
    const { energy } = window.rigor.panel.plots;
    return energy.def.show(energy.rows[energy.pointed][0]);
  });
  check(under === wanted && under !== last, `under the pointer ${under}, must be ${wanted}; at last ${last}`);
  check((await canvas.evaluate((element) => element.toDataURL())) !== before, "the pointer leaves no line");
  // The numbers of the axis are drawn: there is ink at the left, above and below, where no line begins.
  const ink = await canvas.evaluate((element) => {
    const pen = element.getContext("2d");
    const count = (y) => Array.from(pen.getImageData(2, y, 24, 10).data).filter((value, i) => i % 4 === 3 && value > 60).length;
    return [count(1), count(element.height - 12)];
  });
  check(ink[0] > 8 && ink[1] > 8, `${ink} pixels of ink at the ends of the axis`);
  await page.mouse.move(5, 5);
  const small = (await canvas.boundingBox()).height;
  await page.click('[aria-label="Enlarge the plot of energy"]');
  check((await canvas.boundingBox()).height > 3 * small, "it is not larger");
  await shot(page, "plot");
  await page.click('[aria-label="Enlarge the plot of energy"]');
  check((await canvas.boundingBox()).height === small, "it does not go back");
});

await test("what is slower than the clock says so and offers the fastest preset", async () => {
  await world.open("stack.json");
  const shown = await page.evaluate(async () => {
    const { panel, engine } = window.rigor;
    const look = () => panel.show({ ...engine.frame, pace: 0.4 }, true, 1, "");
    look();
    const first = document.querySelector("#slow").checkVisibility();
    for (let i = 0; i < 8; ++i) look();
    return { first, later: document.querySelector("#slow").checkVisibility(), text: document.querySelector("#slow-text").textContent };
  });
  check(!shown.first && shown.later && /Slower than the clock: 0\.40/.test(shown.text), JSON.stringify(shown));
  const before = await page.inputValue('[data-option="tolerance"]');
  await page.evaluate(() => document.querySelector("#faster").click()); // before the next look at a page that is paused
  await world.idle();
  check((await page.inputValue('[data-option="tolerance"]')) !== before, "the preset is not set");
});

// The plots of a recorded run have the numbers of the table of certificates, to the bit, and a line at the time shown.
async function checkRecorded(table, file) {
  check(await page.isVisible("#plots"), `${file}: there are no plots`);
  const [head, ...lines] = readFileSync(table.replace(".csv", ".certificate.csv"), "utf8").trim().split("\n").map((line) => line.split(","));
  const column = (name) => lines.map((cells) => Number(cells[head.indexOf(name)]));
  const [kinetic, potential, change, residual, contacts] = ["energy_kinetic", "energy_potential", "energy", "residual", "contacts"].map(column);
  const plotted = await page.evaluate(() => Object.fromEntries(
    Object.entries(window.rigor.panel.plots).map(([name, { rows, cursor }]) => [name, { rows, cursor }])));
  let lost = 0;
  const energies = lines.map((_, i) => [kinetic[i] + potential[i] - kinetic[0] - potential[0], kinetic[i], potential[i] - potential[0], (lost -= change[i])]);
  const same = (name, wanted) => check(JSON.stringify(plotted[name].rows) === JSON.stringify(wanted), `${file}: the plot of ${name} has other numbers`);
  same("energy", energies);
  same("residual", residual.map((value) => [value]));
  same("contacts", contacts.map((value) => [value]));
  check(lines.length > 20 && Math.max(...contacts) > 0 && Math.max(...residual) > 0, `${file}: nothing was measured`);
  const { cursor } = plotted.energy;
  check(Math.abs(cursor / (lines.length - 1) - 2 / 3) < 0.02, `${file}: row ${cursor} of ${lines.length} is marked at 0.2 of 0.3 s`);
}

await test("a recorded run has its plots and its forces, from .csv and .h5, with a line at the time that is shown", async () => {
  const table = join(folder, "loads.csv");
  run("run", "scenes/heavy.json", "--time", "0.3", "--quiet", "--record", "bodies,contacts,joints", "-o", table);
  const files = [table];
  if (String(run("list", "formats")).includes(".h5")) {
    files.push(join(folder, "loads.h5"));
    run("run", "scenes/heavy.json", "--time", "0.3", "--quiet", "--record", "bodies,contacts,joints", "-o", files[1]);
  }
  for (const file of files) {
    const html = join(folder, "loads.html");
    run("view", file, "--page", pageFile, "-o", html);
    await openGiven(html);
    await page.fill("#timeline", "0.2");
    await page.check('[data-overlay="forces"]');
    await world.frame();
    const { largest, weight, marks } = await page.evaluate(() => {
      const { overlays, engine } = window.rigor;
      const mass = Array.from({ length: engine.bodyCount() }, (_, i) => engine.mass(i)).reduce((a, b) => a + b);
      return { largest: overlays.drawn.pressure, weight: mass * engine.state().gravity, marks: overlays.marks.count };
    });
    check(marks > 20 && Math.abs(largest / (weight / 4) - 1) < 0.02, `${file}: ${marks} marks, the largest ${largest} N of ${weight} N`);
    // The sum on the heavy box is its weight.
    await page.evaluate(() => window.rigor.select(window.rigor.engine.bodyCount() - 1));
    await world.frame();
    check(/contacts[\d.]+ [kM]?N/.test(await page.textContent("#inspector")), await page.textContent("#inspector"));
    await shot(page, "recorded-forces");
    await page.uncheck('[data-overlay="forces"]');
    await checkRecorded(table, file);
  }
  // Dropped together, in any order.
  await world.open("heavy.json");
  await drop(readFileSync(table, "utf8"), "loads.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  check(!(await page.isVisible('[data-overlay="forces"]')), "forces, which it does not have, are offered");
  await drop(readFileSync(table.replace(".csv", ".contacts.csv"), "utf8"), "loads.contacts.csv");
  await page.waitForFunction(() => document.body.classList.contains("with-loads"));
  check(await page.isVisible('[data-overlay="forces"]'), "forces are not offered");
  await world.open("stack.json");
});

await test("a run of which not every step was recorded has no line of what was dissipated, which nobody knows", async () => {
  const [table, html] = [join(folder, "some.csv"), join(folder, "some.html")];
  run("run", "scenes/dominoes.json", "--time", "0.2", "--quiet", "--every", "5", "-o", table);
  run("view", table, "--page", pageFile, "-o", html);
  await openGiven(html);
  await world.frame();
  check((await rows("energy")).every((row) => row.length === 3), "it has one");
  const key = await page.evaluate(() => [...document.querySelectorAll("#plots .key span")].filter((part) => part.checkVisibility()).map((part) => part.textContent));
  check(key.length === 3 && !key.join().includes("dissipated"), key.join());
  await world.open("stack.json");
  await world.frame();
  check((await page.textContent("#plots .key")).includes("dissipated"), "a live run has none either");
});
