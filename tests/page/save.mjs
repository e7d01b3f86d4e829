// save.mjs - what is saved: glTF, pictures, video.
import { readFileSync } from "node:fs";
import { BODY, gltfValidator } from "./browser.mjs";
import { readGlb } from "./glb.mjs";
import { check, test } from "./harness.mjs";
import { TOP, csv, drop, page, world } from "./session.mjs";

async function savedGlb(target) {
  const [download] = await Promise.all([target.waitForEvent("download"), target.click("#gltf")]);
  check(download.suggestedFilename().endsWith(".glb"), download.suggestedFilename());
  const bytes = new Uint8Array(readFileSync(await download.path()));
  const report = await gltfValidator.validateBytes(bytes);
  const { numErrors, numWarnings, messages } = report.issues;
  check(numErrors === 0 && numWarnings === 0, JSON.stringify(messages.slice(0, 5), null, 1));
  return readGlb(bytes);
}
// The keyframes of a node must be the poses of the body, rounded to single precision.
function checkKeys({ motions }, node, frames, body) {
  const { translation, rotation } = motions.get(node) ?? {};
  check(translation && rotation, `node ${node} is not animated`);
  frames.forEach(({ time, poses }, i) => {
    const p = poses.slice(BODY * body, BODY * body + 7);
    check(translation.times[i] === Math.fround(time) && rotation.times[i] === Math.fround(time), `time of key ${i}`);
    check(p.slice(0, 3).every((x, k) => translation.values[3 * i + k] === Math.fround(x)), `position of key ${i}`);
    const turn = [p[4], p[5], p[6], p[3]];
    check(turn.every((x, k) => rotation.values[4 * i + k] === Math.fround(x)), `orientation of key ${i}`);
  });
}
const framesOf = (target, source) =>
  target.evaluate(async (name) => {
    const { times, poses } = name === "history" ? await window.rigor.engine.call("history") : window.rigor[name];
    return times.map((time, i) => ({ time, poses: Array.from(poses[i]) }));
  }, source);

await test("a live run is saved as a glTF animation that the Khronos validator accepts, key by key", async () => {
  await world.open("stack.json");
  await world.simulate(0.2);
  await page.keyboard.press("b");
  await page.evaluate(() => window.rigor.play(false));
  await world.simulate(0.5);
  const glb = await savedGlb(page);
  const frames = await framesOf(page, "history");
  const { time } = await world.state(); // 0.7 s, and what was played while the ball was thrown
  check(time > 0.69 && Math.abs(frames.length - 60 * time) < 2, `${frames.length} frames of ${time} s at 60 per second`);
  const nodeOf = (name) => glb.json.nodes.findIndex((node) => node.name === name);
  const boxes = glb.json.nodes.filter((node) => /^box/.test(node.name ?? ""));
  check(boxes.length === TOP, `${boxes.length} nodes of boxes`);
  check(glb.json.animations.length === 1 && glb.motions.size === TOP + 1, `${glb.motions.size} nodes move`);
  checkKeys(glb, nodeOf(await page.evaluate((top) => window.rigor.engine.bodyName(top), TOP)), frames, TOP);
  // The ball came later: it is not there before.
  const ball = [...glb.motions.values()].find((motion) => motion.scale);
  check(ball && ball.scale.interpolation === "STEP" && ball.scale.values.join() === "0,0,0,1,1,1", "the ball is there from the start");
  check(ball.translation.times.length < frames.length, "the ball has keys before it was thrown");
});

await test("a recorded run is saved as a glTF animation with the poses of the trajectory", async () => {
  await world.open("dominoes.json");
  await drop(readFileSync(csv, "utf8"), "run.csv");
  await page.waitForFunction(() => window.rigor.recording !== null);
  const glb = await savedGlb(page);
  const frames = await framesOf(page, "recording");
  const nodes = glb.json.nodes.flatMap((node, i) => (/^(first|domino)/.test(node.name ?? "") ? [i] : []));
  check(nodes.length === 30 && glb.motions.size === 30, `${nodes.length} nodes, ${glb.motions.size} move`);
  nodes.forEach((node, i) => checkKeys(glb, node, frames, i + 1));
});

await test("flat scenes, meshes, joints and compounds are saved as valid glTF", async () => {
  for (const scene of ["plane.json", "mesh.json", "jansen.json", "demo.json"]) {
    await world.open(scene);
    await world.simulate(0.05);
    const { json } = await savedGlb(page);
    check(json.meshes.length > 0, `${scene} has no meshes`);
  }
});

await test("a picture is saved", async () => {
  await world.open("arch.json");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#picture")]);
  const bytes = readFileSync(await download.path());
  check(download.suggestedFilename() === "arch.png" && bytes.subarray(1, 4).toString() === "PNG", "it is no PNG");
  check(bytes.length > 5000, `it has ${bytes.length} bytes`);
});

await test("a video is saved", async () => {
  await world.open("dominoes.json");
  await page.click("#film");
  check((await page.textContent("#film")) === "Stop", "the button does not say how to stop");
  await page.click("#play");
  await page.waitForFunction(() => window.rigor.video.size > 4000);
  await page.click("#play");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#film")]);
  const bytes = readFileSync(await download.path());
  const MARK = "1a45dfa3"; // of Matroska, which WebM is
  check(download.suggestedFilename() === "dominoes.webm", download.suggestedFilename());
  check(bytes.subarray(0, 4).toString("hex") === MARK && bytes.length > 4000, `${bytes.length} bytes`);
});
