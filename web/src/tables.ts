// tables.ts - what a recorded run has beside its poses: contacts with forces, and the certificate of each step.
import { wholeRows } from "./frames";
import { CONTACT } from "./layout.js";

// The cells of a row; a name in quotes may have commas, and quotes written twice.
function cellsOf(row: string): string[] {
  if (!row.includes('"')) return row.split(",");
  return Array.from(row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, bare]) => quoted?.replace(/""/g, '"') ?? bare);
}

// Rows as numbers of the wanted columns, by their step.
function readTable(csv: string, what: string, wanted: string[]): Map<string, number[][]> {
  const [head = "", ...rows] = wholeRows(csv);
  const titles = cellsOf(head);
  const columns = wanted.map((title) => titles.indexOf(title));
  const missing = wanted.find((_, i) => columns[i] < 0);
  if (missing) throw new Error(`the recorded ${what} have no column ${missing}`);
  const step = titles.indexOf("step");
  const found = new Map<string, number[][]>();
  for (const [number, row] of rows.entries()) {
    const cells = cellsOf(row);
    if (cells.length !== titles.length)
      throw new Error(`the recorded ${what}, line ${number + 2}: has ${cells.length} cells, must have ${titles.length}`);
    const numbers = columns.map((column) => (cells[column] === "inf" ? Infinity : Number(cells[column])));
    if (!found.has(cells[step])) found.set(cells[step], []);
    found.get(cells[step])!.push(numbers);
  }
  return found;
}

const CONTACT_COLUMNS = [
  "point_x", "point_y", "point_z", "normal_x", "normal_y", "normal_z", "gap", "force_x", "force_y", "force_z", "body_a", "body_b"];
const CONTACT_PLACES = [CONTACT.point, CONTACT.point + 1, CONTACT.point + 2, CONTACT.normal, CONTACT.normal + 1, CONTACT.normal + 2,
  CONTACT.gap, CONTACT.impulse, CONTACT.impulse + 1, CONTACT.impulse + 2, CONTACT.bodyA, CONTACT.bodyB];

// Records CONTACT of each of these steps, with forces [N] in the place of impulses.
export function readContacts(csv: string, steps: string[]): Float64Array[] {
  const table = readTable(csv, "contacts", CONTACT_COLUMNS);
  return steps.map((step) => {
    const rows = table.get(step) ?? [];
    const records = new Float64Array(rows.length * CONTACT.size);
    rows.forEach((row, i) => row.forEach((value, k) => (records[i * CONTACT.size + CONTACT_PLACES[k]] = value)));
    return records;
  });
}

const MEASURED = ["time", "energy_kinetic", "energy_potential", "energy", "residual", "contacts", "step"];

// What the plots show of a recorded run: MEASURED of every frame.
export function readMeasured(csv: string): number[][] {
  return [...readTable(csv, "certificates", MEASURED).values()].map(([row]) => row);
}
