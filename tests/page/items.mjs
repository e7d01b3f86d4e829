// items.mjs - what one sees, told from pixels, of everything the page promises: on a wide page, on one of 390
// pixels and in dark surroundings.
import { check, test } from "./harness.mjs";
import { boxOf, changedBox, difference, isStrong, pictureOf, screenOf, share } from "./pixels.mjs";
import { CART, drop, folder, openGiven, page, pageFile, run, within, world } from "./session.mjs";
import { join } from "node:path";

const SETTINGS = {
  "wide": { viewport: { width: 860, height: 420 } },
  "390 pixels wide": { viewport: { width: 390, height: 640 } },
  "dark": { viewport: { width: 860, height: 420 }, colorScheme: "dark" },
};

const percent = (part) => `${(100 * part).toFixed(2)} %`;
const isInside = (box) => box && box[0] > 0 && box[1] > 0 && box[2] < 0.999 && box[3] < 0.999;
// A click on a box in the panel, which is closed on a narrow page.
const toggle = (name) => page.evaluate((overlay) => document.querySelector(`[data-overlay="${overlay}"]`).click(), name);
// The picture, when all that was asked for is drawn.
async function picture(which) {
  await page.evaluate(() => (window.rigor.recording ? window.rigor.settled() : window.rigor.settledFrame()));
  return pictureOf(page, which);
}
// Text and lines: what differs from the commonest colour.
function ink({ data }) {
  const counts = new Map();
  for (let i = 0; i < data.length; i += 4) counts.set(data.readUInt32LE(i), (counts.get(data.readUInt32LE(i)) ?? 0) + 1);
  const [ground] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
  const base = [ground & 255, (ground >> 8) & 255, (ground >> 16) & 255];
  return share({ width: data.length / 4, height: 1, data }, (...color) => color.some((c, k) => Math.abs(c - base[k]) > 50));
}
async function checkInk(selector, least = 0.01) {
  const part = ink(await screenOf(page, selector));
  check(part > least, `${selector}: ${percent(part)} are ink`);
}
async function withPanel(body) {
  const closed = await page.isVisible("#menu");
  if (closed) await page.click("#menu");
  await body();
  if (closed) await page.click("#menu");
}

// --- 1: the camera ---

async function openCart() {
  await drop(CART, "cart.json");
  await page.waitForFunction(() => document.querySelector("#title").textContent === "A cart drives away");
  await page.evaluate(async () => {
    await window.rigor.play(false);
    await window.rigor.reset();
    window.rigor.view.eye.fit();
  });
}

async function followsCart() {
  await openCart();
  const start = await picture();
  check(isInside(boxOf(start)), `at first the bodies fill ${boxOf(start)}`);
  await world.playWithEye(3, 2);
  const box = boxOf(await picture());
  check(isInside(box), `9 m away the cart fills ${box}`);
  await page.evaluate(() => window.rigor.reset());
  await page.focus("#view");
  await page.keyboard.press("f");
  const off = difference(start, await picture());
  check(off < 1e-3, `'f' leads to another picture: ${percent(off)} differ`);
}

async function tracksBody() {
  await openCart();
  const { x, y } = await world.bodyInWindow(2);
  await page.mouse.dblclick(x, y);
  await world.playWithEye(1, 2);
  const part = share(await picture(), isStrong, [0.48, 0.48, 0.52, 0.52]);
  check(part > 0.5, `${percent(part)} of the middle are of the body`);
  await page.evaluate(() => window.rigor.select(-1));
}

async function framesScenes() {
  for (const scene of ["chain.json", "rolling.json", "incline.json", "dominoes.json", "heap.json"]) {
    await world.open(scene);
    const box = boxOf(await picture());
    check(isInside(box) && Math.max(box[2] - box[0], box[3] - box[1]) > 0.3, `${scene} fills ${box}`);
  }
}

async function statedCamera() {
  await world.open("tube.json");
  const stated = await picture();
  check(share(stated, isStrong) > 5e-4, `${percent(share(stated, isStrong))} are of bodies`);
  await page.evaluate(() => window.rigor.view.eye.zoom(0.7));
  check(difference(stated, await picture()) > 0.05, "another camera shows the same");
}

async function flatWorld() {
  await world.open("plane.json");
  check(share(await picture(), isStrong) > 0.01, "hardly anything is filled");
  const filled = await picture();
  await setEdges(0);
  const part = difference(filled, await picture());
  await setEdges(1);
  check(part > 5e-4, `outlines are ${percent(part)} of the picture`);
}
const setEdges = (on) => page.evaluate((value) => {
  const { painter } = window.rigor.view;
  const { edgeTone } = painter.shared ?? painter.edges;
  window.edgeWeight ??= edgeTone.value.w;
  edgeTone.value.w = value * window.edgeWeight;
  window.rigor.dirty = true;
}, on);

async function playbackFits() {
  await openGiven(recordedCart());
  const seen = [];
  for (const time of [0, 3]) {
    await page.evaluate((instant) => window.rigor.seek(instant), time);
    seen.push(await picture());
  }
  // What differs is the cart at its first place and at its last one, 9 m away.
  const box = changedBox(...seen);
  check(isInside(box) && Math.max(box[2] - box[0], box[3] - box[1]) > 0.4, `what differs fills ${box}`);
}
let recorded;
function recordedCart() {
  if (recorded) return recorded;
  const [table, html] = [join(folder, "item.csv"), join(folder, "item.html")];
  run("run", "-", "--time", "3", "--quiet", "-o", table, { input: CART });
  run("view", table, "--page", pageFile, "-o", html);
  return (recorded = html);
}

// --- 3: the gallery ---

async function gallery() {
  await world.open("arch.json");
  await page.click("#scenes");
  // Those that are in sight; the others are not loaded before.
  await page.waitForFunction(() => [...document.querySelectorAll("#gallery img")].filter((img) => img.getBoundingClientRect().top < innerHeight).every((img) => img.complete));
  const all = await screenOf(page, "#gallery-dialog");
  check(share(all, isStrong) > 0.01, `${percent(share(all, isStrong))} of the gallery have colours`);
  await page.fill("#search", "stone arch");
  const found = await screenOf(page, "#gallery-dialog");
  check(found.data.length !== all.data.length || difference(all, found) > 0.1, "a search leaves what there was");
  check(share(found, isStrong) > 1e-3, "what is found has no picture");
  await page.fill("#search", "");
  await page.keyboard.press("Escape");
}

async function again() {
  await world.open("stack.json");
  await page.evaluate(() => (document.querySelector("#rest").hidden = false));
  await checkInk("#rest", 0.02);
  await page.evaluate(() => (document.querySelector("#rest").hidden = true));
}

// --- 4: overlays ---

const overlay = (name, scene, time, least = 2e-4) => async () => {
  await world.open(scene);
  await world.simulate(time);
  await world.frame(); // until the eye rests
  const bare = await picture();
  await toggle(name);
  const seen = difference(bare, await picture());
  await toggle(name);
  const left = difference(bare, await picture());
  check(seen > least, `only ${percent(seen)} of the picture have changed`);
  check(left < 1e-5, `${percent(left)} stay when it is gone`);
};

async function inspector() {
  await world.open("stack.json");
  await toggle("forces");
  await world.simulate(0.05);
  const all = await picture();
  await page.evaluate(() => window.rigor.select(20));
  await world.frame();
  await checkInk("#inspector", 0.02);
  await checkInk("#legend", 0.02);
  const selected = await picture();
  check(difference(all, selected) > 1e-4, "nothing marks the selected body");
  await page.evaluate(() => document.querySelector("#only-selected").click());
  check(difference(selected, await picture()) > 1e-3, "forces of other bodies stay");
  await page.evaluate(() => document.querySelector("#only-selected").click());
  await page.click("#close-inspector");
  await toggle("forces");
}

async function spring() {
  await world.open("stack.json");
  await page.keyboard.press("1");
  const from = await world.bodyInWindow(20);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await world.simulate(0.004);
  const before = await picture();
  await page.mouse.move(from.x + 80, from.y + 20, { steps: 2 });
  await world.simulate(0.004); // in which the box hardly moves
  const pulled = await picture();
  check(difference(before, pulled) > 2e-4, "no spring is drawn");
  await checkInk("#grip", 0.02);
  await page.mouse.up();
  await page.evaluate(() => window.rigor.select(-1));
}

// --- 5: plots ---

// How many pixels of a plot have the colour of each of its lines.
const toned = (name) => page.evaluate((plot) => {
  const { canvas, def } = window.rigor.panel.plots[plot];
  const pen = canvas.getContext("2d");
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const style = getComputedStyle(canvas);
  return def.lines.map(({ tone }) => {
    const probe = new OffscreenCanvas(1, 1).getContext("2d");
    probe.fillStyle = style.getPropertyValue(tone);
    probe.fillRect(0, 0, 1, 1);
    const wanted = probe.getImageData(0, 0, 1, 1).data;
    let count = 0;
    for (let i = 0; i < data.length; i += 4)
      if (data[i + 3] > 120 && [0, 1, 2].every((k) => Math.abs(data[i + k] - wanted[k]) < 40)) ++count;
    return count;
  });
}, name);

async function plots() {
  await world.open("dominoes.json");
  await world.simulate(0.8);
  await world.frame();
  await withPanel(async () => {
    for (const name of ["energy", "residual", "contacts", "cost"]) {
      const counts = await toned(name);
      check(counts.every((count) => count > 15), `${name}: the lines have ${counts} pixels`);
      await checkInk(`#plots figure:nth-of-type(${1 + ["energy", "residual", "contacts", "cost"].indexOf(name)}) figcaption`);
    }
    const small = await toned("energy");
    const canvas = page.locator("#plots figure canvas").first();
    const bare = await canvas.evaluate((element) => element.toDataURL());
    await canvas.hover({ position: { x: 60, y: 20 } });
    check((await canvas.evaluate((element) => element.toDataURL())) !== bare, "the pointer leaves no line");
    await page.click('[aria-label="Enlarge the plot of energy"]');
    const large = await toned("energy");
    check(large.every((count, i) => count > small[i]), `enlarged the lines have ${large} pixels, before ${small}`);
    await page.click('[aria-label="Enlarge the plot of energy"]');
  });
}

async function recordedPlots() {
  await openGiven(recordedCart());
  await page.evaluate(() => window.rigor.seek(1));
  await world.frame();
  await withPanel(async () => {
    for (const name of ["energy", "residual", "contacts"]) {
      const counts = await toned(name);
      check(counts.some((count) => count > 15), `${name}: the lines have ${counts} pixels`);
    }
    const canvas = page.locator("#plots figure canvas").first();
    const at = await canvas.evaluate((element) => element.toDataURL());
    await page.evaluate(() => window.rigor.seek(2));
    await world.frame();
    check((await canvas.evaluate((element) => element.toDataURL())) !== at, "no line shows the time");
  });
}

async function slow() {
  await world.open("stack.json");
  await page.evaluate(() => {
    const { panel, engine } = window.rigor;
    for (let i = 0; i < 8; ++i) panel.show({ ...engine.frame, pace: 0.4 }, true, 1, "");
  });
  await world.frame(); // which shows that it is paused
  await page.evaluate(() => (document.querySelector("#slow").hidden = false));
  await checkInk("#slow", 0.02);
}

// --- 6: what once was wrong ---

async function panelLeavesPicture() {
  await world.open("arch.json");
  await withPanel(async () => {
    const box = boxOf(await picture());
    check(isInside(box) && box[2] - box[0] > 0.3, `with the panel the bodies fill ${box}`);
  });
}

async function help() {
  await page.click("#brand");
  await checkInk("#help", 0.02);
  await page.keyboard.press("Escape");
  await checkInk("#brand", 0.02);
}

async function messages() {
  await drop('{"rigor": 1,\n "bodies": [{"shapes": [{"shape": "sphere", "radius": -1}]}]}', "bad.json");
  await page.waitForSelector("#error:not([hidden])");
  await checkInk("#error-message");
  await checkInk("#error-line", 0.002);
  await page.click("#close-error");
}

// --- 7: the tour ---

async function tour() {
  await page.evaluate(() => window.rigor.tour.go(1));
  await page.evaluate(async () => {
    const { rigor } = window;
    await rigor.play(false);
    const { engine } = rigor.tour.variant;
    await engine.play(false);
    for (const one of [rigor.engine, engine]) await one.step(Math.max(1, Math.round((1.5 - one.state().time) / one.state().step)));
    await rigor.settled();
    rigor.tour.variant.view.update();
  });
  const [own, other] = [await picture(), await pictureOf(page, "variant")];
  for (const [name, one] of [["own", own], ["other", other]]) check(share(one, isStrong) > 0.003, `the ${name} picture has ${percent(share(one, isStrong))} of colours`);
  check(own.data.length !== other.data.length || difference(own, other) > 0.005, "both pictures show the same");
  await checkInk("#tour", 0.01);
  await page.evaluate(() => window.rigor.tour.end());
}

const ITEMS = [
  ["1: the camera follows a cart that drives away, and F goes back", followsCart],
  ["1: a double click keeps a body in the middle", tracksBody],
  ["1: scenes are framed", framesScenes],
  ["1: a stated camera is taken", statedCamera],
  ["1: a flat world has filled outlines", flatWorld],
  ["1: a recorded run fits from its start to its end", playbackFits],
  ["3: the gallery has pictures, and a search", gallery],
  ["3: a scene at rest offers to be seen again", again],
  ["4: contacts", overlay("contacts", "stack.json", 0.02)],
  ["4: normals", overlay("normals", "stack.json", 0.02)],
  ["4: forces", overlay("forces", "stack.json", 0.02, 1e-3)],
  ["4: friction cones", overlay("cones", "stack.json", 0.02, 1e-3)],
  ["4: overlaps", overlay("penetration", "contact_stabilization.json", 0.02, 2e-5)],
  ["4: joints", overlay("joints", "jansen.json", 0.05)],
  ["4: bounds", overlay("bounds", "dominoes.json", 0.02)],
  ["4: islands", overlay("islands", "spheres.json", 0.1, 2e-3)],
  ["4: the card of a selected body, a legend, and its own forces alone", inspector],
  ["4: a dragging hand has a spring and a number", spring],
  ["5: plots have all their lines, the value under the pointer, and grow", plots],
  ["5: a recorded run has plots with a line at the time", recordedPlots],
  ["5: what is slower than the clock says so", slow],
  ["6: the panel leaves the picture to be seen", panelLeavesPicture],
  ["6: the help, the name and the version", help],
  ["6: messages with the line they are about", messages],
  ["7: the tour has two pictures, which differ", tour],
];

for (const [setting, options] of Object.entries(SETTINGS))
  await within(page, options, async () => {
    for (const [name, body] of ITEMS) await test(`${setting}, ${name}`, body);
  });
