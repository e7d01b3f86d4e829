// playback.mjs - recorded runs.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BODY, openPage } from "./browser.mjs";
import { check, test } from "./harness.mjs";
import { browser, complaints, csv, distance, drop, folder, openGiven, page, pageFile, rows, run, shot, world } from "./session.mjs";

const POSE = [4, 11]; // columns of a pose, after time, step, body and name

// All poses of all frames of the page's recording must be those of the native run.
async function checkPlayback(target) {
  const { times, poses } = await target.evaluate(() => ({
    times: window.rigor.recording.times, poses: window.rigor.recording.poses.map((pose) => Array.from(pose)) }));
  const frames = rows.filter((row) => row[2] === "0");
  check(times.length === frames.length && frames.length > 100, `${times.length} frames, natively ${frames.length}`);
  const frameOf = new Map(frames.map((row, i) => [row[1], i]));
  for (const row of rows) {
    const frame = frameOf.get(row[1]);
    check(Object.is(times[frame], Number(row[0])), `time of frame ${frame}: ${times[frame]}, natively ${row[0]}`);
    row.slice(...POSE).forEach((cell, k) =>
      check(Object.is(poses[frame][BODY * Number(row[2]) + k], Number(cell)), `frame ${frame}, body ${row[2]}, number ${k}: ${cell}`));
  }
}

await test("a run recorded as CSV plays back to the bit of the native trajectory, with a timeline", async () => {
  const file = join(folder, "csv.html");
  run("view", csv, "--page", pageFile, "-o", file);
  const given = await openPage(browser, file, complaints);
  await checkPlayback(given);
  await given.evaluate(() => window.rigor.play(false));
  await given.fill("#timeline", "0.25");
  check((await given.evaluate(() => window.rigor.recordedTime)) === 0.25, "the timeline does not lead");
  await given.waitForFunction(() => document.querySelector("#time").textContent === "0.25 s");
  const { shown, body } = await given.evaluate(() => {
    const { mesh, bodies } = window.rigor.view.groups.find(({ ground, shadow }) => !ground && !shadow);
    return { body: bodies.at(-1), shown: Array.from(mesh.instanceMatrix.array.slice(-4, -1)) };
  });
  const wanted = rows.filter((row) => Number(row[0]) <= 0.25 && Number(row[2]) === body).at(-1).slice(4, 7).map(Number);
  check(distance(shown, wanted) < 1e-7, `body ${body} is drawn at ${shown}, was at ${wanted}`);
  await shot(given, "recorded");
  await given.click("#play");
  await given.waitForFunction(() => window.rigor.recordedTime > 0.3);
  await given.close();
});

await test("a run recorded as HDF5 plays back to the bit of the native trajectory", async () => {
  if (!String(run("list", "formats")).includes(".h5")) {
    console.log("      skipped: this build has no HDF5");
    return;
  }
  const h5 = join(folder, "run.h5");
  const file = join(folder, "h5.html");
  run("run", "scenes/dominoes.json", "--time", "0.5", "--quiet", "-o", h5);
  run("view", h5, "--page", pageFile, "-o", file);
  await openGiven(file);
  await checkPlayback(page);
});

await test("contacts, normals, overlaps and bounds are drawn in a recorded run, where the simulation has them", async () => {
  const marks = async () => {
    await world.frame();
    return page.evaluate(() => {
      const { lines, dots } = window.rigor.overlays;
      const places = ({ object }) => 
        (object.visible ? Array.from(object.geometry.getAttribute("position").array.subarray(0, 3 * object.geometry.drawRange.count)) : []);
      return [...places(lines), ...places(dots)];
    });
  };
  const shown = ["contacts", "normals", "bounds"];
  await world.open("dominoes.json");
  for (const overlay of shown) await page.check(`[data-overlay="${overlay}"]`);
  await world.simulate(0.25);
  const live = await marks();
  const { time } = await world.state();
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  check(!(await page.isVisible('[data-overlay="forces"]')), "forces, which it does not have, are offered");
  await page.evaluate(async (instant) => {
    await window.rigor.play(false);
    window.rigor.seek(instant);
  }, time);
  const recorded = await marks();
  check(live.length > 1000 && recorded.length === live.length, `${recorded.length} numbers are drawn, live ${live.length}`);
  const off = Math.max(...live.map((value, i) => Math.abs(value - recorded[i])));
  check(off < 1e-5, `they are off by ${off}`); // numbers of single precision
  await world.open("dominoes.json");
  for (const overlay of shown) await page.uncheck(`[data-overlay="${overlay}"]`);
});

await test("a trajectory dropped onto its scene is played back", async () => {
  await world.open("dominoes.json");
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  await checkPlayback(page);
  await world.open("dominoes.json");
  check(await page.evaluate(() => window.rigor.recording === null), "opening a scene does not end it");
});

await test("what a run that was killed has left behind its last whole frame is not shown", async () => {
  const whole = readFileSync(csv, "utf8");
  const lines = whole.split("\n");
  const bodies = lines.filter((line) => line.split(",")[1] === "0").length;
  const frames = (lines.length - 2) / bodies;
  // Cut in the last frame: in a number, at the end of a row, behind the first body.
  const rowEnd = whole.length - 1 - lines.at(-2).length;
  for (const [length, left] of [[whole.length - 1, frames - 1], [whole.length - 9, frames - 1], [rowEnd, frames - 1],
    [whole.length, frames], [lines.slice(0, 1 + bodies * (frames - 1)).join("\n").length + 1, frames - 1]]) {
    const cut = join(folder, "cut.csv");
    const file = join(folder, "cut.html");
    writeFileSync(cut, whole.slice(0, length));
    run("view", "scenes/dominoes.json", "--run", cut, "--page", pageFile, "-o", file);
    // The command leaves it out, and so does the page when it gets the file itself.
    const given = await openGiven(file);
    check((given.run.split("\n").length - 2) / bodies === left, `the command leaves other rows of ${length} bytes`);
    const shown = () => page.evaluate(() => window.rigor.recording.times.length);
    check((await shown()) === left, `${await shown()} frames of ${length} bytes, must be ${left}`);
    await page.evaluate(([scene, run]) => window.rigor.open({ ...scene, run, group: "" }, false), [given, whole.slice(0, length)]);
    check((await shown()) === left, `of the file itself ${await shown()} frames of ${length} bytes, must be ${left}`);
  }
  await world.open("dominoes.json");
});
