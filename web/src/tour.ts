// tour.ts - six scenes, each live beside a variant of it: two pictures with one camera.
import { CHAPTERS, type Chapter } from "./chapters";
import type { Page } from "./page";
import { Simulation } from "./simulation";
import { View, makeRenderer } from "./view";

const RATIO = 0.75; // pixels of the second picture, where drawing is slow
const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;

// The picture of the variant, with a simulation of its own.
class Beside {
  readonly engine = new Simulation();
  readonly view: View;
  private drawing = false;

  constructor(wasm: string, private page: Page) {
    const canvas = find<HTMLCanvasElement>("#view-beside");
    this.view = new View(this.engine, makeRenderer(canvas));
    this.view.setTier(page.view.tier);
    this.engine.start(wasm);
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
  }

  private resize(): void {
    const { clientWidth, clientHeight } = find("#beside");
    if (clientWidth > 0) this.view.resize(clientWidth, clientHeight);
  }

  async open(text: string, name: string, options: [string, string][]): Promise<string> {
    const refused = await this.engine.open(text, name, options);
    if (refused) return refused;
    this.resize();
    this.view.theme = this.page.view.theme;
    this.view.open(JSON.parse(text).camera ?? null);
    this.view.controls.enabled = false;
    return "";
  }

  // Draws the world as it is, seen as the first picture is; one frame at a time.
  async draw(): Promise<void> {
    if (this.drawing) return;
    this.drawing = true;
    await this.engine.refresh();
    this.view.setTier(this.page.view.tier);
    if (this.view.theme !== this.page.view.theme) this.view.setTheme(this.page.view.theme);
    this.view.eye.mirror(this.page.view.eye);
    this.view.update();
    this.view.render(this.view.tier === "fine" ? 1 : RATIO);
    this.view.whenDrawn(() => (this.drawing = false));
  }
}

export class Tour {
  private at = -1; // chapter; -1: there is no tour
  private beside: Beside | null = null;
  private plays = false; // the variant

  constructor(private page: Page, private wasm: () => Promise<string>) {
    find("#tour-start").addEventListener("click", () => void this.go(0));
    find("#tour-next").addEventListener("click", () => void this.go(this.at + 1));
    find("#tour-back").addEventListener("click", () => void this.go(this.at - 1));
    find("#tour-end").addEventListener("click", () => this.end());
    find("#tour-dots").append(...CHAPTERS.map(({ title }, i) => {
      const dot = document.createElement("button");
      dot.textContent = String(i + 1);
      dot.title = title;
      dot.setAttribute("aria-label", `${i + 1}: ${title}`);
      dot.addEventListener("click", () => void this.go(i));
      return dot;
    }));
  }

  get chapter(): number {
    return this.at;
  }
  get variant(): Beside | null {
    return this.beside;
  }

  async go(chapter: number): Promise<void> {
    if (chapter >= CHAPTERS.length) return this.end();
    const first = this.at < 0;
    this.at = Math.max(0, chapter);
    document.body.classList.add("touring");
    this.tell(CHAPTERS[this.at]);
    this.beside ??= new Beside(await this.wasm(), this.page);
    await this.open(CHAPTERS[this.at]);
    if (first) this.loop();
  }

  private tell({ title, text, own, label }: Chapter): void {
    find("#tour-title").textContent = `${this.at + 1}. ${title}`;
    find("#tour-text").textContent = text;
    find("#label-own").textContent = `Rigor: ${own}`;
    find("#label-beside").textContent = label;
    find<HTMLButtonElement>("#tour-back").disabled = this.at === 0;
    find("#tour-next").textContent = this.at + 1 < CHAPTERS.length ? "Next" : "Done";
    [...find("#tour-dots").children].forEach((dot, i) => dot.setAttribute("aria-pressed", String(i === this.at)));
  }

  // Both pictures start at the same time.
  private async open({ scene, title, options = [], variant }: Chapter): Promise<void> {
    const known = this.page.sceneNamed(scene);
    const text = known?.text ?? scene;
    const name = known?.name ?? "tour.json";
    const refused = await this.beside!.open(variant ?? text, name, options);
    if (refused) return this.page.complain(refused);
    await this.page.open({ name, group: "", text, title }, false);
    this.plays = false;
    await this.page.play(true);
  }

  // Restarts with the page, plays and pauses with it.
  private loop(): void {
    if (this.at < 0) return;
    const { beside, page } = this;
    if (beside && page.isPlaying !== this.plays) {
      this.plays = page.isPlaying;
      beside.engine.send("play", this.plays);
    }
    void beside?.draw();
    requestAnimationFrame(() => this.loop());
  }

  // The page was put back to its start.
  async restart(): Promise<void> {
    if (this.at >= 0) await this.open(CHAPTERS[this.at]);
  }

  end(): void {
    this.at = -1;
    this.beside?.engine.send("play", false);
    this.plays = false;
    document.body.classList.remove("touring");
  }
}
