// main.ts - the page: opens scenes, steps them in real time, shows them.
import { scenes, wasm } from "virtual:rigor";
import { Engine } from "./engine";
import { Hand, type Tool } from "./hand";
import { type Overlay, Overlays } from "./overlays";
import { type Light, Panel } from "./panel";
import { Recording } from "./recording";
import "./style.css";
import { type Theme, View } from "./view";

const FRAME_BUDGET = 14; // [ms] of stepping per frame, so that the page stays alive in a slow scene
const LONGEST_FRAME = 0.1; // [s] a longer pause, as of a hidden page, is not caught up with
const PACE_OVER = 500; // [ms] over which the pace is measured

const LIGHT_THEME: Theme = { background: 0xe9ecef, ground: "#dcdfe2", line: "#c9cdd1" };
const DARK_THEME: Theme = { background: 0x24272b, ground: "#4a4e53", line: "#5a5e63" };

interface SceneText {
  name: string;
  text: string;
  run?: string; // a recorded run of it, CSV
}

async function unzip(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// The scene that `rigor view` has put into the page, if it has.
function givenScene(): SceneText | null {
  return JSON.parse(document.querySelector("#rigor-given")?.textContent ?? "null");
}

class Page {
  readonly view: View;
  readonly overlays: Overlays;
  readonly hand: Hand;
  private panel: Panel;
  private current: SceneText = scenes[0];
  private changes = new Map<string, string>(); // options that were set since the scene was opened
  private playing = false;
  private speed = 1;
  recording: Recording | null = null; // shown instead of the world
  recordedTime = 0; // [s] of the frame that is shown
  private behind = 0; // [s] simulated time that is due
  private lastFrame = 0; // [ms]
  private light: Light = "none";
  private dirty = true;
  private pace = 0;
  private paceStart = { at: 0, time: 0 };

  constructor(readonly engine: Engine, canvas: HTMLCanvasElement) {
    const given = givenScene();
    if (given) scenes.unshift(given);
    this.view = new View(engine, canvas);
    this.overlays = new Overlays(engine, this.view);
    this.hand = new Hand(engine, this.view, canvas);
    this.panel = new Panel({
      play: () => this.play(!this.playing),
      step: () => this.single(),
      reset: () => this.reset(),
      open: (index) => this.open(scenes[index]),
      openFile: (file) => void this.openFile(file),
      setOption: (name, value) => this.setOption(name, value),
      setPreset: (name) => this.setPreset(name),
      seek: (time) => this.seek(time),
      setSpeed: (speed) => (this.speed = speed),
      setTool: (tool) => this.setTool(tool),
      setOverlay: (overlay, on) => this.setOverlay(overlay, on),
      throwBall: () => this.throwBall(),
      picture: () => this.picture(),
    }, scenes);
    this.panel.listPresets(engine.presets());
    this.hand.onSelect = (body) => (this.overlays.selected = body);
    this.hand.onChange = () => (this.dirty = true);
    this.hand.onThrow = () => this.play(true);
    this.bindWindow(canvas);
    this.setTool("hand");
  }

  private bindWindow(canvas: HTMLCanvasElement): void {
    const frame = canvas.parentElement!;
    const fit = () => {
      this.view.resize(frame.clientWidth, frame.clientHeight);
      this.dirty = true;
    };
    new ResizeObserver(fit).observe(frame);
    fit();
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const paint = () => {
      this.view.setTheme(dark.matches ? DARK_THEME : LIGHT_THEME);
      this.dirty = true;
    };
    dark.addEventListener("change", () => {
      paint();
      this.view.rebuild();
    });
    paint();
    window.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.openFile(file);
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    const actions: Record<string, () => void> = {
      " ": () => this.play(!this.playing),
      ".": () => this.single(),
      r: () => this.reset(),
      b: () => this.throwBall(),
      1: () => this.setTool("hand"),
      2: () => this.setTool("push"),
      3: () => this.setTool("throw"),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  }

  // Opens a scene and plays it; what is refused leaves everything as it was, with a message.
  open(scene: SceneText, play = true): boolean {
    if (!this.engine.open(scene.text, scene.name)) {
      this.panel.showError(this.engine.message(), scene.text);
      return false;
    }
    this.current = scene;
    this.changes.clear();
    const trouble = this.readRun(scene);
    this.begin();
    if (trouble) this.panel.showError(trouble);
    this.view.open();
    this.view.controls.addEventListener("change", () => (this.dirty = true));
    this.play(play);
    return true;
  }

  // The recorded run that comes with a scene, if one does; what is wrong with it is returned.
  private readRun(scene: SceneText): string {
    this.recording = null;
    try {
      if (scene.run) this.recording = new Recording(scene.run, this.engine.bodies().slice());
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  private begin(): void {
    this.hand.reset();
    this.hand.enabled = this.recording === null;
    this.seek(0);
    this.panel.showTimeline(this.recording?.end ?? null);
    this.overlays.selected = -1;
    this.light = "none";
    this.behind = 0;
    this.panel.showScene(
      this.current.name, scenes.indexOf(this.current), this.engine.title(), this.engine);
    this.dirty = true;
  }

  async openFile(file: File): Promise<void> {
    this.open({ name: file.name, text: await file.text() });
  }

  // Back to the start, with the options that were set.
  reset(): void {
    this.engine.open(this.current.text, this.current.name);
    for (const [name, value] of this.changes) this.engine.setOption(name, value);
    this.begin();
    this.view.rebuild();
  }

  play(on: boolean): void {
    if (on && this.recording && this.recordedTime >= this.recording.end) this.seek(0);
    this.playing = on;
    this.behind = 0;
    this.paceStart = { at: performance.now(), time: this.engine.state().time };
    this.pace = 0;
    this.panel.showPlaying(on);
    this.dirty = true;
  }

  single(): void {
    this.play(false);
    if (this.recording) this.seek(this.recordedTime + this.engine.state().step);
    else this.makeStep();
  }

  // Shows another instant of a recorded run.
  seek(time: number): void {
    this.recordedTime = Math.min(time, this.recording?.end ?? 0);
    this.dirty = true;
  }

  private throwBall(): void {
    if (!this.recording) this.hand.throwBall();
  }

  setOption(name: string, value: string): void {
    if (this.engine.setOption(name, value)) {
      this.changes.set(name, value);
      this.panel.hideError();
    } else {
      this.panel.showError(this.engine.message());
    }
    this.panel.showOptions(this.engine.options());
    this.dirty = true;
  }

  // Options that differ between presets; all are kept as changes, so that a reset keeps them.
  setPreset(name: string): void {
    this.engine.setPreset(name);
    const options = this.engine.options();
    for (const option of options) this.changes.set(option.name, option.value);
    this.panel.showOptions(options);
    this.dirty = true;
  }

  setTool(tool: Tool): void {
    this.hand.tool = tool;
    this.panel.showTool(tool);
  }

  setOverlay(overlay: Overlay, on: boolean): void {
    this.overlays.toggle(overlay, on);
    this.dirty = true;
  }

  private picture(): void {
    this.view.render();
    const link = document.createElement("a");
    link.href = this.view.renderer.domElement.toDataURL("image/png");
    link.download = `${this.current.name.replace(/\.json$/, "")}.png`;
    link.click();
  }

  private makeStep(): boolean {
    const start = performance.now();
    const good = this.engine.step();
    const state = this.engine.state();
    this.panel.record(state, performance.now() - start);
    this.light = !good ? "failed" : state.met ? "met" : "budget";
    this.dirty = true;
    if (!good) {
      this.panel.showError(this.engine.message());
      this.play(false);
    }
    return good;
  }

  private advance(now: number): void {
    const step = this.engine.state().step;
    this.behind += Math.min((now - this.lastFrame) / 1000, LONGEST_FRAME) * this.speed;
    const start = performance.now();
    while (this.playing && this.behind >= step) {
      if (!this.makeStep()) return;
      this.behind -= step;
      if (performance.now() - start > FRAME_BUDGET) {
        this.behind = Math.min(this.behind, step);
        break;
      }
    }
    const time = this.engine.state().time;
    const passed = performance.now() - this.paceStart.at;
    if (passed < PACE_OVER) return;
    this.pace = (1000 * (time - this.paceStart.time)) / passed;
    this.paceStart = { at: performance.now(), time };
  }

  private playBack(now: number, recording: Recording): void {
    const passed = Math.min((now - this.lastFrame) / 1000, LONGEST_FRAME) * this.speed;
    this.seek(this.recordedTime + passed);
    if (this.recordedTime >= recording.end) this.play(false);
  }

  frame(now: number): void {
    if (this.playing && this.recording) this.playBack(now, this.recording);
    else if (this.playing) this.advance(now);
    this.lastFrame = now;
    if (!this.dirty) return;
    this.dirty = false;
    if (this.recording) {
      this.view.update(this.recording.at(this.recordedTime));
      this.view.render();
      this.panel.showRecorded(this.recordedTime);
      return;
    }
    this.view.update();
    this.overlays.update();
    this.view.render();
    const { selected } = this.overlays;
    const name = selected >= 0 ? this.engine.bodyName(selected) || `body ${selected}` : "";
    this.panel.show(this.engine.state(), this.light, this.playing ? this.pace : 0, name);
  }

  run(): void {
    if (!this.open(scenes[0])) this.open(scenes[1]); // a given scene that is refused has shown why
    const loop = (now: number) => {
      this.frame(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }
}

const engine = await Engine.start(await unzip(wasm));
const page = new Page(engine, document.querySelector("canvas#view")!);
page.run();
// For the console of the browser; docs/page.md.
(window as unknown as { rigor: Page }).rigor = page;
document.body.dataset.ready = "true";
