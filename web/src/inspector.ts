// inspector.ts - the card of the selected body, the legend of what is drawn, and what a dragging hand pulls with.
import { INSPECT, JOINT } from "./layout.js";
import { type Drawn, type Overlay, TONES } from "./overlays";
import type { Simulation } from "./simulation";
import { measure, plain, round } from "./units";

const BAR = 70; // [pixels] of the legend's arrow at most
const NOISE = 1e-6; // of a vector: a part that is smaller is shown as zero
const JOINTS = 4; // told of one body at most

const norm = (numbers: ArrayLike<number>, at = 0) => Math.hypot(numbers[at], numbers[at + 1], numbers[at + 2]);
const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;

type Row = [string, string];

// What a joint tells: its free coordinates, what acts along them, and the force that holds it together.
function jointRows(engine: Simulation, joint: number): Row[] {
  const j = engine.joints().subarray(joint * JOINT.size, (joint + 1) * JOINT.size);
  const rows: Row[] = [];
  for (let axis = 0; axis < j[JOINT.axes]; ++axis) {
    const angle = j[JOINT.angle + axis] === 1;
    const coordinate = j[JOINT.coordinate + axis];
    const place = angle ? measure((coordinate * 180) / Math.PI, "°") : measure(coordinate, "m");
    rows.push(["coordinate", place], ["along it", measure(j[JOINT.along + axis], angle ? "N m" : "N")]);
  }
  rows.push(["reaction", `${measure(j[JOINT.force], "N")}, ${measure(j[JOINT.torque], "N m")}`]);
  return rows;
}

// `contactForce` [N] of a recorded run; what a frame of the simulation tells when it is null.
export function showInspector(engine: Simulation, body: number, tracked: boolean, contactForce: number[] | null, live: boolean): void {
  const card = find("#inspector");
  const { inspect } = engine.frame;
  card.hidden = body < 0 || inspect.length === 0;
  if (card.hidden) return;
  find("#inspector-name").textContent = engine.bodyName(body) || `body ${body}`;
  const force = contactForce ?? inspect.subarray(INSPECT.contactForce, INSPECT.contactForce + 3);
  const rows: Row[] = [["mass", inspect[INSPECT.mass] > 0 ? measure(inspect[INSPECT.mass], "kg") : "not moved by forces"]];
  if (live) rows.push(
    ["speed", measure(norm(inspect, INSPECT.velocity), "m/s")],
    ["turns", measure(norm(inspect, INSPECT.spin), "rad/s")]);
  if (live || contactForce)
    rows.push(["contacts", measure(norm(force), "N")], ["", `(${Array.from(force, (x) => plain(Math.abs(x) < NOISE * norm(force) ? 0 : x, 3)).join(", ")}) N`]);
  const joints = engine.joints();
  let told = 0;
  for (let i = 0; live && i * JOINT.size < joints.length && told < JOINTS; ++i) {
    if (joints[i * JOINT.size + JOINT.bodyA] !== body && joints[i * JOINT.size + JOINT.bodyB] !== body) continue;
    rows.push(["joint", engine.jointName(i)], ...jointRows(engine, i));
    told += 1;
  }
  if (tracked) rows.push(["view", "goes along; F ends it"]);
  find("#inspector-rows").replaceChildren(...rows.flatMap(([name, text]) => {
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    value.textContent = text;
    if (name === "joint") term.className = value.className = "joint";
    return [term, value];
  }));
}

function entry(tone: string, width: number, text: string): HTMLElement {
  const row = document.createElement("div");
  const bar = document.createElement("i");
  bar.style.setProperty("background", tone);
  bar.style.setProperty("width", `${width}px`);
  row.append(bar, text);
  return row;
}

// `pixels` of the page are a metre in the middle of the picture.
export function showLegend(shown: Set<Overlay>, drawn: Drawn, pixels: number): void {
  const rows: HTMLElement[] = [];
  if (shown.has("forces") && drawn.perNewton > 0) {
    const force = round(BAR / (pixels * drawn.perNewton));
    const bar = force * pixels * drawn.perNewton;
    rows.push(
      entry(TONES.pressure, bar, `${measure(force, "N", 1)} normal · largest ${measure(drawn.pressure, "N")}`),
      entry(TONES.friction, bar, `${measure(force, "N", 1)} friction · largest ${measure(drawn.friction, "N")}`));
  }
  if (shown.has("normals")) rows.push(entry(TONES.normals, 24, "normal of a contact"));
  if (shown.has("cones") && drawn.mu[1] > 0) {
    const [low, high] = drawn.mu;
    rows.push(entry(TONES.cones, 24, `friction cone, μ ${plain(low, 2)}${high > low ? ` to ${plain(high, 2)}` : ""}`));
  }
  if (shown.has("penetration"))
    rows.push(entry("linear-gradient(90deg, #0bd80b, #d8d80b, #d80b0b)", BAR, `overlap 0 to ${measure(drawn.overlap, "m", 2)}`));
  if (shown.has("joints")) rows.push(entry("#7a2fd3", 24, "axis of a joint"));
  const legend = find("#legend");
  legend.hidden = rows.length === 0;
  legend.replaceChildren(...rows);
}

// Where the pointer is, in pixels of the picture; null when nothing is dragged.
export function showGrip(at: { x: number; y: number } | null, force: number): void {
  const label = find("#grip");
  label.hidden = at === null;
  if (!at) return;
  label.textContent = measure(force, "N");
  label.style.setProperty("transform", `translate(${Math.round(at.x + 14)}px, ${Math.round(at.y - 10)}px)`);
}
