// plots.ts - small plots of what was measured in the last steps.

const SAMPLES = 240;
const FLOOR = 1e-16; // what a logarithmic plot shows as zero

export interface PlotDef {
  title: string;
  unit: string;
  logarithmic?: boolean;
  show: (value: number) => string;
}

export class Plot {
  readonly element: HTMLElement;
  private canvas = document.createElement("canvas");
  private now = document.createElement("output");
  private samples: number[] = [];

  constructor(private def: PlotDef) {
    this.element = document.createElement("figure");
    const caption = document.createElement("figcaption");
    caption.append(def.title, this.now);
    this.element.append(caption, this.canvas);
  }

  clear(): void {
    this.samples = [];
  }

  add(value: number): void {
    this.samples.push(value);
    if (this.samples.length > SAMPLES) this.samples.shift();
  }

  private level(value: number): number {
    return this.def.logarithmic ? Math.log10(Math.max(value, FLOOR)) : value;
  }

  draw(): void {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0) return; // its panel is closed
    const ratio = window.devicePixelRatio;
    const pixels = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (this.canvas.width !== pixels.width || this.canvas.height !== pixels.height)
      Object.assign(this.canvas, pixels); // makes room anew, which takes time
    const pen = this.canvas.getContext("2d", { willReadFrequently: true })!; // is drawn by the processor: small
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const last = this.samples.at(-1);
    this.now.textContent = last === undefined ? "" : `${this.def.show(last)} ${this.def.unit}`;
    if (this.samples.length < 2) return;
    const levels = this.samples.map((value) => this.level(value));
    let low = Math.min(...levels);
    let high = Math.max(...levels);
    if (!this.def.logarithmic) low = Math.min(low, 0);
    if (!(high > low)) high = low + Math.max(Math.abs(low) * 0.1, FLOOR);
    pen.strokeStyle = getComputedStyle(this.canvas).color;
    pen.lineWidth = 1.25;
    pen.beginPath();
    levels.forEach((level, i) => {
      const x = (width * i) / (SAMPLES - 1);
      const y = height - 2 - ((height - 4) * (level - low)) / (high - low);
      if (i === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    });
    pen.stroke();
  }
}
