// frames.ts - poses of the bodies at instants: a recorded run, or what the page has simulated.
import { BODY } from "./layout.js";

export class Frames {
  readonly times: number[] = []; // [s]
  readonly steps: string[] = []; // of a recorded run, as written
  readonly poses: Float64Array[] = []; // as Engine.bodies gives them; later ones may have more bodies

  get end(): number {
    return this.times.at(-1) ?? 0;
  }

  // The bodies in the last frame up to a time.
  at(time: number): Float64Array {
    return this.poses[this.indexAt(time)];
  }

  // The last frame up to a time.
  indexAt(time: number): number {
    let low = 0;
    let high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return low;
  }
}

// The whole rows of a table. A line break inside quotes belongs to a name; what has no line break at its
// end was cut when the run was killed.
export function wholeRows(csv: string): string[] {
  const rows: string[] = [];
  let open = "";
  for (const line of csv.split("\n").slice(0, -1)) {
    open += line;
    if (open.split('"').length % 2 === 1) {
      rows.push(open);
      open = "";
    } else open += "\n";
  }
  return rows;
}

const isPose = ([px, py, pz, w, x, y, z]: number[]) =>
  Number.isFinite(px + py + pz) && Math.abs(w * w + x * x + y * y + z * z - 1) < 1e-6;

const POSE = ["px", "py", "pz", "qw", "qx", "qy", "qz"];

// The trajectory that `rigor run -o FILE.csv` has written.
export class Recording extends Frames {
  // Numbers are written so that reading gives the same bits. `still` has the kinds of the bodies,
  // and their poses where the file has none.
  constructor(csv: string, still: Float64Array) {
    super();
    const [head = "", ...rows] = wholeRows(csv);
    const titles = head.split(",");
    const column = (title: string) => {
      const index = titles.indexOf(title);
      if (index < 0) throw new Error(`the recorded run has no column ${title}`);
      return index;
    };
    const [time, step, body, ...pose] = ["time", "step", "body", ...POSE].map(column);
    // A name may have commas: what follows it is counted from the end.
    const name = titles.indexOf("name");
    let last = "";
    const counts: number[] = []; // rows of each frame
    for (const [number, row] of rows.entries()) {
      const wrong = (what: string) => new Error(`the recorded run, line ${number + 2}: ${what}`);
      const cells = row.split(",");
      const cell = (index: number) => cells[index < name || name < 0 ? index : index + cells.length - titles.length];
      if (cells.length < titles.length) throw wrong(`has ${cells.length} cells, must have ${titles.length}`);
      if (cell(step) !== last) {
        const instant = Number(cell(time));
        if (!(instant >= this.end)) throw wrong(`time is ${cell(time)}, must be ${this.end} or later`);
        this.times.push(instant);
        this.steps.push(cell(step));
        this.poses.push(still.slice());
        counts.push(0);
        last = cell(step);
      }
      const at = Number(cell(body)) * BODY.size;
      if (!(at >= 0 && at < still.length && at % BODY.size === 0))
        throw wrong(`body is ${cell(body)}, must be a whole number from 0 to ${still.length / BODY.size - 1}`);
      const numbers = pose.map((index) => (cell(index) === "" ? NaN : Number(cell(index))));
      // A body that was removed has no pose in an HDF5 file.
      if (!isPose(numbers) && !numbers.every(Number.isNaN)) throw wrong("is no pose");
      this.poses.at(-1)!.set(numbers, at + BODY.position);
      counts[counts.length - 1]++;
    }
    // A run that was killed may have left a part of a frame.
    if (counts.length > 1 && counts.at(-1)! < counts.at(-2)!) {
      this.times.pop();
      this.steps.pop();
      this.poses.pop();
    }
    if (this.times.length === 0) throw new Error("the recorded run has no frames");
  }
}

const RATE = 60; // [1/s] frames per simulated second at first
const NUMBERS = 6e6; // kept at most, 48 MB; then every second frame is dropped

// What the page has simulated since the start of the scene.
export class History extends Frames {
  private rate = RATE;
  private count = 0; // numbers kept

  clear(): void {
    this.times.length = this.poses.length = this.count = 0;
    this.rate = RATE;
  }

  // Keeps the present poses when a frame is due.
  add(time: number, poses: () => Float64Array): void {
    // A step of exactly a frame may come a rounding early.
    if (this.times.length > 0 && (time - this.end) * this.rate < 1 - 1e-9) return;
    const copy = poses().slice();
    this.times.push(time);
    this.poses.push(copy);
    this.count += copy.length;
    if (this.count > NUMBERS) this.thin();
  }

  private thin(): void {
    const kept = this.times.flatMap((time, i) => (i % 2 === 0 ? [{ time, poses: this.poses[i] }] : []));
    this.times.splice(0, Infinity, ...kept.map(({ time }) => time));
    this.poses.splice(0, Infinity, ...kept.map(({ poses }) => poses));
    this.count = this.poses.reduce((sum, poses) => sum + poses.length, 0);
    this.rate /= 2;
  }
}
