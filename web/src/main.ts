// main.ts - the page: opens scenes, steps them in real time, shows them.
import { scenes as ownScenes } from "virtual:rigor";
import type { Engine } from "./engine";
import { History, Recording } from "./frames";
import { Gallery, type SceneText, shortName } from "./gallery";
import { writeGltf } from "./gltf";
import { Hand, type Tool } from "./hand";
import { type Overlay, Overlays } from "./overlays";
import { type Light, Panel } from "./panel";
import { startEngine } from "./start";
import "./style.css";
import { Video, endingOf } from "./video";
import { type Theme, View, makeRenderer } from "./view";

// [ms] of stepping per frame, so that the page stays alive in a slow scene: the least, and the most
// where drawing takes that long too.
const FRAME_BUDGET = [14, 45];
const LONGEST_FRAME = 0.1; // [s] a longer pause, as of a hidden page, is not caught up with
const PACE_OVER = 500; // [ms] over which the pace is measured

const ZOOM = 1.2; // of one press of a key
const TRAJECTORY_HEAD = "time,step,body,"; // of the files of `rigor run -o FILE.csv`
const HDF5_MARK = "HDF\r\n"; // in the first bytes of such files

const LIGHT_THEME: Theme = { background: 0xe9ecef, ground: "#dcdfe2", line: "#c9cdd1" };
const DARK_THEME: Theme = { background: 0x24272b, ground: "#4a4e53", line: "#5a5e63" };

// The scene that `rigor view` has put into the page, if it has.
function givenScene(): SceneText | null {
  const given = JSON.parse(document.querySelector("#rigor-given")?.textContent ?? "null");
  return given && { ...given, group: "" };
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

class Page {
  readonly view: View;
  readonly overlays: Overlays;
  readonly hand: Hand;
  readonly history = new History(); // of what was simulated
  readonly video: Video;
  private panel: Panel;
  private gallery: Gallery;
  private scenes: SceneText[];
  private current: SceneText;
  private changes = new Map<string, string>(); // options that were set since the scene was opened
  private playing = false;
  private speed = 1;
  recording: Recording | null = null; // shown instead of the world
  recordedTime = 0; // [s] of the frame that is shown
  private behind = 0; // [s] simulated time that is due
  private lastFrame = 0; // [ms]
  private light: Light = "none";
  private dirty = true;
  private stepping = 0; // [ms] spent in the last frame
  private pace = 0;
  private paceStart = { at: 0, time: 0 };

  constructor(readonly engine: Engine, renderer: ReturnType<typeof makeRenderer>) {
    const given = givenScene();
    this.scenes = given ? [given, ...ownScenes] : ownScenes;
    this.current = this.scenes[0];
    const canvas = renderer.domElement;
    this.view = new View(engine, renderer);
    this.overlays = new Overlays(engine, this.view);
    this.hand = new Hand(engine, this.view, canvas);
    this.panel = new Panel({
      play: () => this.play(!this.playing),
      step: () => void this.single(),
      reset: () => this.reset(),
      openFile: (file) => void this.openFile(file),
      setOption: (name, value) => this.setOption(name, value),
      setPreset: (name) => this.setPreset(name),
      seek: (time) => this.seek(time),
      setSpeed: (speed) => (this.speed = speed),
      setTool: (tool) => this.setTool(tool),
      setOverlay: (overlay, on) => this.setOverlay(overlay, on),
      throwBall: () => this.throwBall(),
      picture: () => this.picture(),
      film: () => void this.film(),
      gltf: () => void this.saveGltf(),
    });
    this.gallery = new Gallery(this.scenes, (scene) => this.open(scene));
    this.video = new Video(canvas);
    this.panel.showFilming(false, this.video.reason());
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
    canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
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
      ".": () => void this.single(),
      r: () => this.reset(),
      b: () => this.throwBall(),
      1: () => this.setTool("hand"),
      2: () => this.setTool("push"),
      3: () => this.setTool("pull"),
      4: () => this.setTool("throw"),
      g: () => this.gallery.show(),
      "+": () => this.zoom(1 / ZOOM),
      "-": () => this.zoom(ZOOM),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    action();
  }

  private zoom(factor: number): void {
    this.view.zoom(factor);
    this.dirty = true;
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
    this.history.clear();
    if (!this.recording) this.remember();
    this.panel.showTimeline(this.recording?.end ?? null);
    this.overlays.selected = -1;
    this.light = "none";
    this.behind = 0;
    this.panel.showScene(this.current.name, this.engine.title(), this.engine);
    this.gallery.mark(this.current);
    this.dirty = true;
  }

  // A scene, or a recorded run of the present one.
  async openFile(file: File): Promise<void> {
    this.gallery.close();
    const text = await file.text();
    if (text.startsWith(TRAJECTORY_HEAD)) this.open({ ...this.current, run: text });
    else if (text.includes(HDF5_MARK))
      this.panel.showError(`${file.name} is HDF5, which the command reads: rigor view ${file.name} -o page.html`);
    else this.open({ name: file.name, group: "", text });
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
    this.lastFrame = performance.now();
    this.paceStart = { at: performance.now(), time: this.engine.state().time };
    this.pace = 0;
    this.panel.showPlaying(on);
    this.dirty = true;
  }

  // One step; false when it failed.
  single(): boolean {
    this.play(false);
    if (!this.recording) return this.makeStep();
    this.seek(this.recordedTime + this.engine.state().step);
    return true;
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

  private fileName(ending: string): string {
    return `${this.current.name.replace(/\.json$/, "")}.${ending}`;
  }

  private picture(): void {
    this.view.render();
    this.view.renderer.domElement.toBlob((blob) => blob && save(blob, this.fileName("png")));
  }

  private async film(): Promise<void> {
    if (this.video.running) {
      const film = await this.video.stop();
      save(film, this.fileName(endingOf(film)));
    } else {
      this.video.start();
      this.dirty = true;
    }
    this.panel.showFilming(this.video.running, this.video.reason());
  }

  // The recorded run, or what was simulated since the start, as a file of glTF.
  gltf(): Promise<ArrayBuffer> {
    const title = this.engine.title() || shortName(this.current.name);
    return writeGltf(title, this.view.looks(), this.recording ?? this.history, this.view.flat);
  }

  private async saveGltf(): Promise<void> {
    save(new Blob([await this.gltf()], { type: "model/gltf-binary" }), this.fileName("glb"));
  }

  private remember(): void {
    this.history.add(this.engine.state().time, () => this.engine.bodies());
  }

  private makeStep(): boolean {
    const start = performance.now();
    const good = this.engine.step();
    const state = this.engine.state();
    this.panel.record(state, performance.now() - start);
    this.light = !good ? "failed" : state.met ? "met" : "budget";
    this.remember();
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
    const drawing = now - this.lastFrame - this.stepping;
    const budget = Math.min(Math.max(drawing, FRAME_BUDGET[0]), FRAME_BUDGET[1]);
    while (this.playing && this.behind >= step) {
      if (!this.makeStep()) return;
      this.behind -= step;
      if (performance.now() - start > budget) {
        this.behind = Math.min(this.behind, step);
        break;
      }
    }
    this.stepping = performance.now() - start;
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
    if (!this.open(this.scenes[0])) this.open(this.scenes[1]); // a given one that is refused has shown why
    const loop = (now: number) => {
      this.frame(now);
      requestAnimationFrame(loop);
    };
    this.frame(performance.now()); // at once; the browser's own frames come later
    performance.mark("first frame");
    requestAnimationFrame(() => {
      this.view.showShadows();
      this.dirty = true;
      requestAnimationFrame(loop);
    });
  }
}

const starting = startEngine();
const renderer = makeRenderer(document.querySelector("canvas#view")!);
performance.mark("ready to draw");
const engine = await starting;
performance.mark("module started");
const page = new Page(engine, renderer);
page.run();
// For the console of the browser; docs/page.md.
(window as unknown as { rigor: Page }).rigor = page;
document.body.dataset.ready = "true";
