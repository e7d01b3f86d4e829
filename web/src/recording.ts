// recording.ts - a recorded run: the trajectory that `rigor run -o FILE.csv` has written.
import { BODY } from "./engine";

const POSE = ["px", "py", "pz", "qw", "qx", "qy", "qz"];

export class Recording {
  readonly times: number[] = []; // [s] of the frames
  private frames: Float64Array[] = []; // as Engine.bodies gives them

  // Numbers are written so that reading gives the same bits. `still` has the kinds of the bodies,
  // and their poses where the file has none.
  constructor(csv: string, still: Float64Array) {
    const [head, ...rows] = csv.trim().split("\n");
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
    for (const row of rows) {
      const cells = row.split(",");
      const cell = (index: number) => cells[index < name || name < 0 ? index : index + cells.length - titles.length];
      if (cell(step) !== last) {
        this.times.push(Number(cell(time)));
        this.frames.push(still.slice());
        last = cell(step);
      }
      const at = Number(cell(body)) * BODY;
      if (!(at < still.length)) throw new Error(`the recorded run has a body ${cell(body)}, the scene has none`);
      pose.forEach((index, k) => (this.frames.at(-1)![at + k] = Number(cell(index))));
    }
    if (this.times.length === 0) throw new Error("the recorded run has no frames");
  }

  get end(): number {
    return this.times.at(-1)!;
  }

  // The bodies in the last frame up to a time.
  at(time: number): Float64Array {
    let low = 0;
    let high = this.times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    return this.frames[low];
  }
}
