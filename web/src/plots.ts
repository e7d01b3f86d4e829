// plots.ts - plots of what was measured: the last steps of a live run, or all of a recorded one.

const SAMPLES = 240; // steps of a live run
const FLOOR = 1e-16; // what a logarithmic plot shows as zero
const MARGIN = 3; // [pixels] above and below

export interface Line {
  name: string; // "" when it is the only one
  tone: string; // name of a colour of the style
}

export interface PlotDef {
  title: string;
  lines: Line[];
  logarithmic?: boolean;
  counts?: boolean; // whole numbers from 0 on
  show: (value: number) => string;
}

export class Plot {
  readonly element = document.createElement("figure");
  private canvas = document.createElement("canvas");
  private now = document.createElement("output");
  private key = document.createElement("div");
  private rows: number[][] = []; // a number for each line
  least = 0; // that the axis spans at least
  private all = false; // rows are a whole run, not its last steps
  private cursor = -1; // row of the recorded run that is shown
  private pointed = -1; // row under the pointer

  constructor(private def: PlotDef) {
    const caption = document.createElement("figcaption");
    const enlarge = document.createElement("button");
    enlarge.textContent = "⤢";
    enlarge.title = "Enlarge";
    enlarge.setAttribute("aria-label", `Enlarge the plot of ${def.title.toLowerCase()}`);
    enlarge.setAttribute("aria-pressed", "false");
    enlarge.addEventListener("click", () => {
      const on = this.element.classList.toggle("enlarged");
      enlarge.setAttribute("aria-pressed", String(on));
      this.draw();
    });
    this.now.setAttribute("aria-label", `${def.title}, in numbers`);
    caption.append(def.title, this.now, enlarge);
    this.key.className = "key";
    if (def.lines.length > 1)
      this.key.append(...def.lines.map(({ name, tone }) => {
        const part = document.createElement("span");
        part.style.setProperty("--tone", `var(${tone})`);
        part.textContent = name;
        return part;
      }));
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", def.title);
    this.canvas.addEventListener("pointermove", (event) => this.point(event.offsetX));
    this.canvas.addEventListener("pointerleave", () => this.point(-1));
    this.element.append(caption, this.canvas, this.key);
  }

  clear(): void {
    this.rows = [];
    this.all = false;
    this.cursor = this.pointed = -1;
  }

  add(...values: number[]): void {
    this.rows.push(values);
    if (this.rows.length > SAMPLES) this.rows.shift();
  }

  // A whole run.
  set(rows: number[][]): void {
    this.clear();
    this.rows = rows;
    this.all = true;
  }

  // The row of a whole run that is shown.
  mark(row: number): void {
    this.cursor = row;
  }

  private get length(): number {
    return this.all ? Math.max(this.rows.length, 2) : SAMPLES;
  }

  private point(x: number): void {
    const row = Math.round((x / Math.max(this.canvas.clientWidth, 1)) * (this.length - 1));
    this.pointed = x < 0 || this.rows.length === 0 ? -1 : Math.min(row, this.rows.length - 1);
    this.draw();
  }

  private level(value: number): number {
    return this.def.logarithmic ? Math.log10(Math.min(Math.max(value, FLOOR), 1 / FLOOR)) : value;
  }

  // From the lowest to the highest level; zero is always there.
  private range(): [number, number] {
    let [low, high] = this.def.logarithmic ? [Infinity, -Infinity] : [0, 0];
    for (const row of this.rows)
      for (const value of row) {
        low = Math.min(low, this.level(value));
        high = Math.max(high, this.level(value));
      }
    if (this.def.logarithmic) return high > low ? [low, high] : [low, low + 1];
    if (this.def.counts) return [0, Math.max(high, 1)];
    // What is smaller than all that matters is a line.
    const least = Math.max(this.least, FLOOR);
    return high - low > least ? [low, high] : [low - least / 2, high + least / 2];
  }

  private tell(): void {
    const row = this.rows[this.pointed >= 0 ? this.pointed : this.cursor >= 0 ? this.cursor : this.rows.length - 1];
    this.now.textContent = row === undefined ? "" : this.def.show(row[0]);
    this.now.classList.toggle("pointed", this.pointed >= 0);
    this.def.lines.forEach(({ name }, i) => {
      const part = this.key.children[i];
      if (!part) return;
      (part as HTMLElement).hidden = row !== undefined && i >= row.length; // a recorded run may lack a line
      part.textContent = row && i < row.length ? `${name} ${this.def.show(row[i])}` : name;
    });
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.tell();
    if (width === 0) return; // its panel is closed
    const ratio = window.devicePixelRatio;
    const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (this.canvas.width !== pixels.width || this.canvas.height !== pixels.height)
      Object.assign(this.canvas, pixels); // makes room anew, which takes time
    const pen = this.canvas.getContext("2d", { willReadFrequently: true })!; // is drawn by the processor: small
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (this.rows.length < 2) return;
    const [low, high] = this.range();
    const style = getComputedStyle(this.canvas);
    const xOf = (row: number) => (width * row) / (this.length - 1);
    const yOf = (level: number) => height - MARGIN - ((height - 2 * MARGIN) * (level - low)) / (high - low);
    pen.lineWidth = 1;
    pen.strokeStyle = style.getPropertyValue("--rule");
    const upright = (x: number) => pen.strokeRect(x, 0, 0, height);
    if (!this.def.logarithmic && low < 0) pen.strokeRect(0, yOf(0), width, 0);
    if (this.cursor >= 0) upright(xOf(this.cursor));
    pen.lineWidth = 1.4;
    for (let line = this.rows[0].length - 1; line >= 0; --line) {
      pen.strokeStyle = style.getPropertyValue(this.def.lines[line].tone);
      pen.beginPath();
      this.rows.forEach((row, i) => pen.lineTo(xOf(i), yOf(this.level(row[line]))));
      pen.stroke();
    }
    this.drawAxis(pen, low, high, height, style.getPropertyValue("--soft"), style.getPropertyValue("--paper"));
    pen.lineWidth = 1.4;
    if (this.pointed < 0) return;
    pen.strokeStyle = style.getPropertyValue("--soft");
    upright(xOf(this.pointed));
  }

  // The numbers of both ends.
  private drawAxis(pen: CanvasRenderingContext2D, low: number, high: number, height: number, tone: string, paper: string): void {
    const number = (level: number) => (this.def.logarithmic ? `1e${Math.round(level)}` : this.def.show(level));
    pen.fillStyle = tone;
    // Lines that pass behind a number leave it to be read.
    pen.strokeStyle = paper;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    const write = (text: string, y: number) => {
      pen.strokeText(text, 2, y);
      pen.fillText(text, 2, y);
    };
    pen.font = `${this.element.classList.contains("enlarged") ? 12 : 10}px system-ui, sans-serif`;
    pen.textBaseline = "top";
    write(number(high), 1);
    pen.textBaseline = "bottom";
    write(number(low), height - 1);
  }
}
