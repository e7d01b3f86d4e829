// print.mjs - the results as tables for people or as data for programs.
import { timeRatio } from "./run.mjs";

// A building counts as standing while no box has moved by more than half its width.
const STANDING = 0.5; // [m] for unit boxes

// Rows that went to their end, or to the end of their time.
const valid = (rows) => rows.filter((row) => !row.error && row.steps > 0);

// The peers, each with the faster of its settings, from fast to slow.
function peersOf(rows) {
  const best = new Map();
  for (const row of valid(rows)) {
    const other = best.get(row.family);
    if (row.family !== "rigor" && (!other || timeRatio(row, other) < 1)) best.set(row.family, row);
  }
  return [...best.values()].sort((a, b) => timeRatio(a, b) - 1);
}

const ratio = (part, whole) => (part === 0 ? 0 : part / whole);

/** What the goal asks: time of the slowest peer and a tenth of the overlap. */
export function judge(row, rows) {
  const peers = peersOf(rows);
  if (row.error || peers.length === 0) return null;
  const slowest = peers.at(-1);
  const exactest = peers.reduce((a, b) => (a.worst < b.worst ? a : b));
  return {
    slowest: slowest.engine,
    fastest: peers[0].engine,
    exactest: exactest.engine,
    timeToSlowest: timeRatio(row, slowest),
    timeToFastest: timeRatio(row, peers[0]),
    overlapToSlowest: ratio(row.worst, slowest.worst),
    overlapToExactest: ratio(row.worst, exactest.worst),
  };
}

// --- table ---------------------------------------------------------------------------------------

const fixed = (value, digits) => (value === null ? "-" : value.toFixed(digits));
const precise = (value, digits = 3) =>
  value === 0 || value >= 1e-3 ? value.toPrecision(digits) : value.toExponential(digits - 1);

const COLUMNS = [
  ["engine", -16, (row) => row.engine],
  ["median", 9, (row) => fixed(1e3 * row.median, 3)],
  ["mean [ms]", 10, (row) => fixed(1e3 * row.mean, 3)],
  ["to slowest", 11, (row, rows) => fixed(judge(row, rows)?.timeToSlowest ?? null, 2)],
  ["to fastest", 11, (row, rows) => fixed(judge(row, rows)?.timeToFastest ?? null, 2)],
  ["contacts", 9, (row) => String(row.contacts ?? "-")],
  ["overlap %", 10, (row) => precise(100 * row.end.relative)],
  ["worst %", 9, (row) => precise(100 * row.worst)],
];
const BUILT = [
  ["moved [m]", 10, (row) => precise(row.end.displacement, 2)],
  ["", -8, (row) => (row.end.displacement < STANDING ? "  stands" : "  fallen")],
];
const CERTIFIED = [
  ["certified", 10, (row) => (row.certificate ? share(row.certificate.met, row.steps) : "-")],
  ["residual", 9, (row) => (row.certificate ? row.certificate.residual.toExponential(1) : "-")],
];
const share = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;

function line(columns, cell) {
  const pad = (text, width) => (width < 0 ? text.padEnd(-width) : text.padStart(width));
  return columns.map((column) => pad(cell(column), column[1])).join(" ").trimEnd();
}

function rowLine(row, rows, columns, steps) {
  if (row.error)
    return `${row.engine.padEnd(16)} gave up after ${row.steps} steps: ${row.error.split("\n")[0]}`;
  const text = line(columns, ([, , cell]) => cell(row, rows));
  return row.steps < steps ? `${text}  (its time was up after ${row.steps} steps)` : text;
}

function goalLine(row, rows) {
  const goal = judge(row, rows);
  const word = (reached) => (reached ? "reached" : "MISSED");
  return [
    `${row.engine}: ${goal.timeToSlowest.toFixed(2)} of the time of the slowest peer`,
    `(${goal.slowest}), goal 1 ${word(goal.timeToSlowest <= 1)};`,
    `worst overlap ${precise(goal.overlapToSlowest, 2)} of its,`,
    `${precise(goal.overlapToExactest, 2)} of the smallest (${goal.exactest}),`,
    `goal 0.1 ${word(goal.overlapToExactest <= 0.1)}`,
  ].join(" ");
}

export function heading(versions, engines) {
  return [
    `Engines as WebAssembly under Node ${versions.node}: one thread, CPU time of a step, sleeping off,`,
    "defaults otherwise. Overlap is measured from the poses alone, the same way for all; % are of the",
    "smaller body's half-width, at the end and the worst over the run. Ratios of time are to the",
    "slowest and the fastest peer, each peer with the faster of its settings.",
    ...engines.map((engine) => `  ${engine.name.padEnd(16)} ${engine.settings}`),
  ].join("\n");
}

export function table(entry, rows, steps) {
  const columns = [...COLUMNS, ...(entry.built ? BUILT : []), ...CERTIFIED];
  const lines = [`\n${entry.name}: ${entry.summary}, ${steps} steps of 1/${Math.round(1 / entry.step)} s`];
  lines.push(line(columns, ([title]) => title));
  for (const row of rows) lines.push(rowLine(row, rows, columns, steps));
  for (const row of rows)
    if (row.family === "rigor" && judge(row, rows)) lines.push(goalLine(row, rows));
  return lines.join("\n");
}

// --- data ----------------------------------------------------------------------------------------

export function data(entry, rows, steps) {
  return {
    scene: entry.name,
    step_s: entry.step,
    steps,
    engines: rows.map((row) => ({
      engine: row.engine,
      error: row.error,
      steps: row.steps,
      cpu_median_s: row.median,
      cpu_mean_s: row.mean,
      contacts: row.contacts,
      overlap_end_relative: row.end?.relative ?? null,
      overlap_worst_relative: row.worst,
      displacement_m: row.end?.displacement ?? null,
      stands: entry.built && row.end ? row.end.displacement < STANDING : null,
      certificate: row.certificate && {
        residual_worst: row.certificate.residual,
        steps_met: row.certificate.met,
        iterations_mean: row.certificate.iterations,
      },
      against_peers: row.family === "rigor" ? judge(row, rows) : null,
    })),
  };
}
