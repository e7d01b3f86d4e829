// page.ts - opens scenes, has them simulated, shows them, and does what users ask for.
import { Recording } from "./frames";
import { Gallery, type SceneText, shortName } from "./gallery";
import { type Ball, Hand, type Tool } from "./hand";
import type { Stated } from "./eye";
import { bindKeys } from "./keys";
import { type Overlay, Overlays } from "./overlays";
import { DrawPace, Quality } from "./pace";
import type { Panel } from "./panel";
import type { Frame, Picture } from "./protocol";
import { showGrip, showInspector, showLegend } from "./inspector";
import { CONTACT } from "./layout.js";
import { Saver } from "./save";
import type { Simulation } from "./simulation";
import { DARK_THEME, LIGHT_THEME, type Theme } from "./theme";
import { readContacts, readMeasured } from "./tables";
import { Tour } from "./tour";
import { type Tier, rendererName, tierOf } from "./tier";
import { View, type makeRenderer } from "./view";

const LONGEST_FRAME = 0.1; // [s] in playback a longer pause, as of a hidden page, is not caught up with

const REST = 1500; // [ms] without movement, after which a scene is at rest
const NUMBERS_EVERY = 250; // [ms] text and plots are shown anew while it plays
const STILL = 200; // [ms] after which what does not change is drawn with all pixels
const FILMED = 1; // pixels per pixel of a film, which must not change
const TRAJECTORY_HEAD = "time,step,body,"; // of the files of `rigor run -o FILE.csv`
const CONTACTS_HEAD = "time,step,body_a,"; // of those beside them
const CERTIFICATE_HEAD = "time,step,signorini,";
const HDF5_MARK = /^.HDF\r\n/; // such files begin with it
const NO_TEXT = /[\0\ufffd]/; // what files that are no text have in them

const nextFrame = () => new Promise((next) => requestAnimationFrame(next));

// What a scene states about its camera; the module has checked it.
const cameraOf = (text: string): Stated | null => JSON.parse(text).camera ?? null;

export class Page {
  readonly view: View;
  readonly overlays: Overlays;
  readonly hand: Hand;
  tour: Tour | null = null;
  private saver: Saver;
  private gallery: Gallery;
  private current: SceneText;
  private changes = new Map<string, string>(); // options that were set since the scene was opened
  private preset = ""; // that was chosen since the scene was opened
  private playing = false;
  private wanted = false; // what was asked for last: it takes a moment until it plays
  private speed = 1;
  recording: Recording | null = null; // shown instead of the world
  private loads: Float64Array[] | null = null; // contacts of each of its frames, with forces
  private measured: number[][] | null = null; // in its steps
  recordedTime = 0; // [s] of the frame to show
  private placedTime = 0; // [s] of the one that is shown
  private lastFrame = 0; // [ms]
  private lastNumbers = 0; // [ms] when they were shown
  private dirty = true;
  private drawn = 0; // frames
  private restless = 0; // [ms] when something was last seen to move
  private calm = false; // it plays, but nothing moves
  private fetching = false; // a frame of the simulation was asked for
  readonly drawing = new DrawPace();
  readonly quality = new Quality();
  private coarse = 0; // [ms] when what is shown was drawn with less than all pixels; 0 when it was not
  private pictured: SceneText | null = null; // whose picture is shown before it is opened
  private acts: Promise<unknown> = Promise.resolve(); // what was asked of the page, one after the other
  private dark = window.matchMedia("(prefers-color-scheme: dark)");

  constructor(readonly engine: Simulation, renderer: ReturnType<typeof makeRenderer>, private panel: Panel,
    private scenes: SceneText[]) {
    this.current = scenes[0];
    const canvas = renderer.domElement;
    this.view = new View(engine, renderer);
    this.view.setTier(this.automaticTier);
    this.view.eye.onChange = () => (this.dirty = true);
    this.overlays = new Overlays(engine, this.view);
    this.hand = new Hand(engine, this.view, canvas);
    panel.bind({
      play: () => void this.play(!this.wanted),
      step: () => void this.single(),
      reset: () => void this.restart(),
      again: () => void this.again(),
      openFiles: (files) => void this.openFiles(files),
      setOption: (name, value) => void this.setOption(name, value),
      setPreset: (name) => void this.setPreset(name),
      seek: (time) => this.seek(time),
      setSpeed: (speed) => this.setSpeed(speed),
      setTool: (tool) => this.setTool(tool),
      setOverlay: (overlay, on) => void this.setOverlay(overlay, on),
      onlySelected: (on) => this.showOnlySelected(on),
      deselect: () => this.select(-1),
      setTier: (tier) => this.setTier(tier),
      throwBall: () => this.throwBall(),
      picture: () => void this.act(() => this.saver.picture(this.stillRatio)),
      film: () => void this.film(),
      gltf: () => void this.saveGltf(),
    });
    this.gallery = new Gallery(scenes, (scene) => {
      this.tour?.end();
      void this.open(scene);
    });
    this.saver = new Saver(this.view);
    panel.showFilming(false, this.video.reason());
    this.hand.onSelect = (body) => this.select(body);
    this.hand.onChange = () => (this.dirty = true);
    this.hand.onThrow = (ball) => void this.addBall(ball);
    engine.onFrame = (frame) => this.receive(frame);
    engine.onTrouble = (reason) => {
      panel.showError(reason);
      this.stop();
    };
    this.bindWindow(canvas);
    this.setTool("hand");
  }

  select(body: number): void {
    this.overlays.selected = body;
    void this.engine.show(this.overlays.wants());
    this.dirty = true;
  }

  // Whether only contacts of the selected body are shown.
  private showOnlySelected(on: boolean): void {
    this.overlays.onlySelected = on;
    this.dirty = true;
  }

  // By what the driver calls itself.
  private get automaticTier(): Tier {
    return tierOf(rendererName(this.view.renderer.getContext() as WebGL2RenderingContext));
  }

  // "" leaves the choice to the page.
  setTier(tier: Tier | ""): void {
    this.view.setTier(tier || this.automaticTier);
    this.dirty = true;
  }

  private bindWindow(canvas: HTMLCanvasElement): void {
    const frame = canvas.parentElement!;
    const fit = () => {
      this.view.resize(frame.clientWidth, frame.clientHeight);
      this.dirty = true;
    };
    new ResizeObserver(fit).observe(frame);
    fit();
    const paint = () => {
      this.view.setTheme(this.wantedTheme);
      this.dirty = true;
    };
    this.dark.addEventListener("change", paint);
    paint();
    bindKeys({
      play: () => void this.play(!this.wanted),
      step: () => void this.single(),
      reset: () => void this.restart(),
      throwBall: () => this.throwBall(),
      setTool: (tool) => this.setTool(tool),
      showGallery: () => this.gallery.show(),
      zoom: (factor) => this.view.eye.zoom(factor),
      fit: () => this.view.eye.fit(),
      help: () => this.panel.toggleHelp(),
    });
    // Nobody looks at a hidden page.
    document.addEventListener("visibilitychange", () =>
      this.engine.send("play", this.playing && !this.recording && !document.hidden));
    // The browser may take away what was drawn, and give the room for it back.
    canvas.addEventListener("webglcontextrestored", () => (this.dirty = true));
    canvas.addEventListener("dblclick", (event) => this.track(event));
    canvas.addEventListener("pointerdown", () => canvas.focus({ preventScroll: true }));
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.openFiles([...(event.dataTransfer?.files ?? [])]);
    });
  }

  // The eye goes along with the body under the pointer, or with none.
  private track(event: MouseEvent): void {
    const frame = this.view.renderer.domElement.getBoundingClientRect();
    const x = (2 * (event.clientX - frame.left)) / frame.width - 1;
    const y = 1 - (2 * (event.clientY - frame.top)) / frame.height;
    const body = this.view.pick(x, y)?.body ?? -1;
    this.view.eye.track(this.engine.mass(body) > 0 ? body : -1);
    if (this.engine.mass(body) > 0) this.select(body);
    this.dirty = true;
  }

  // What users, and tests, ask for is done in its order.
  private act<T>(action: () => Promise<T>): Promise<T> {
    const done = this.acts.then(action);
    this.acts = done.catch((error) => this.panel.showError(String(error)));
    return done;
  }

  get isPlaying(): boolean {
    return this.playing;
  }
  sceneNamed(name: string): SceneText | undefined {
    return this.scenes.find((scene) => scene.name === name);
  }
  complain(message: string): void {
    this.panel.showError(message);
  }

  // Done when all that was asked for so far is.
  async idle(): Promise<void> {
    await this.acts;
  }

  private get wantedTheme(): Theme {
    return this.dark.matches ? DARK_THEME : LIGHT_THEME;
  }

  // Whether the picture has the colours and the size that the window asks for. The browser tells of a
  // change only when it makes its next frame, which may be long after the change.
  get suitsWindow(): boolean {
    const { clientWidth, clientHeight } = this.view.renderer.domElement.parentElement!;
    const { width, height } = this.view.extent;
    return this.view.theme === this.wantedTheme && width === clientWidth && height === clientHeight;
  }

  // Done when the window is suited, and a frame drawn that was begun after that.
  async settledFrame(): Promise<void> {
    await this.acts;
    while (!this.suitsWindow) await nextFrame();
    this.dirty = true;
    const enough = this.drawn + (this.drawing.isBusy ? 2 : 1);
    while (this.drawn < enough) await nextFrame();
  }

  // Done when all that was asked for is done and drawn; while it is paused. Who waits for that gets the
  // picture with all pixels at once.
  async settled(): Promise<void> {
    await this.acts;
    while (!this.suitsWindow || this.dirty || this.coarse > 0 || (this.recording && this.placedTime !== this.recordedTime) ||
      !this.drawing.isDue(performance.now())) {
      this.coarse = Math.min(this.coarse, 1);
      await nextFrame();
    }
  }

  // Opens a scene and plays it; what is refused leaves everything as it was, with a message.
  open(scene: SceneText, play = true): Promise<boolean> {
    return this.act(async () => {
      const refused = await this.engine.open(scene.text, scene.name);
      if (refused) {
        this.panel.showError(refused, scene.text);
        return false;
      }
      this.current = scene;
      this.changes.clear();
      this.preset = "";
      const trouble = this.readRun(scene);
      this.begin();
      if (trouble) this.panel.showError(trouble);
      if (this.pictured !== scene || this.recording) this.look();
      this.pictured = null;
      await this.placeFirst();
      await this.setPlaying(play);
      return true;
    });
  }

  // A recorded run starts with its own first frame.
  private async placeFirst(): Promise<void> {
    if (this.recording) await this.engine.place(this.recording.at(0));
  }

  private look(): void {
    this.view.open(cameraOf(this.current.text), this.recording);
  }

  // The recorded run that comes with a scene, if one does; what is wrong with it is returned.
  private readRun(scene: SceneText): string {
    this.recording = null;
    this.loads = this.measured = null;
    try {
      if (scene.run) this.recording = new Recording(scene.run, this.engine.bodies());
      if (this.recording && scene.contacts) this.loads = readContacts(scene.contacts, this.recording.steps);
      if (this.recording && scene.certificate) this.measured = readMeasured(scene.certificate);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  private begin(): void {
    this.hand.letGo();
    this.hand.enabled = this.recording === null;
    this.recordedTime = this.placedTime = 0;
    this.panel.showTimeline(this.recording?.end ?? null, this.loads !== null);
    this.overlays.selected = -1;
    this.view.setIslands(!this.recording && this.overlays.shown.has("islands"));
    this.panel.showScene(this.current, this.engine);
    this.panel.showMeasured(this.measured);
    this.restless = performance.now();
    this.gallery.mark(this.current);
    this.saver.name = this.current.name.replace(/\.json$/, "");
    this.dirty = true;
  }

  // Scenes, and recorded runs of the present one, in their order.
  private async openFiles(files: File[]): Promise<void> {
    const first = (file: File) => Number(/\.(contacts|certificate|joints)\.csv$/.test(file.name)); // trajectories before their tables
    for (const file of files.sort((a, b) => first(a) - first(b))) await this.openFile(file);
  }

  // A scene, or a recorded run of the present one.
  async openFile(file: File): Promise<void> {
    this.gallery.close();
    let text;
    try {
      text = await file.text();
    } catch (error) {
      return this.panel.showError(`${file.name} cannot be read: ${(error as Error).message}`);
    }
    const table = text.startsWith(CONTACTS_HEAD) ? "contacts" : text.startsWith(CERTIFICATE_HEAD) ? "certificate" : "";
    if (text.startsWith(TRAJECTORY_HEAD)) await this.open({ ...this.current, run: text, contacts: undefined, certificate: undefined });
    else if (table && !this.recording) this.panel.showError(`${file.name} goes with a trajectory: drop that first, or both together`);
    else if (table) await this.open({ ...this.current, [table]: text });
    else if (HDF5_MARK.test(text))
      this.panel.showError(`${file.name} is HDF5, which the command reads: rigor view ${file.name} -o page.html`);
    else if (NO_TEXT.test(text.slice(0, 4096)))
      this.panel.showError(`${file.name} is no text; a scene (.json) or a recorded run (.csv) can be opened here`);
    else await this.open({ name: file.name, group: "", text });
  }

  // Back to the start, with the options that were set.
  reset(): Promise<void> {
    return this.act(async () => {
      await this.engine.open(this.current.text, this.current.name, this.changes);
      this.begin();
      this.view.rebuild();
      await this.placeFirst();
      await this.setPlaying(this.playing);
    });
  }

  private async restart(): Promise<void> {
    if (this.tour && this.tour.chapter >= 0) await this.tour.restart();
    else await this.reset();
  }

  private async again(): Promise<void> {
    await this.restart();
    await this.play(true);
  }

  play(on: boolean): Promise<void> {
    this.wanted = on;
    this.panel.showPlaying(on);
    return this.act(() => this.setPlaying(on));
  }

  private async setPlaying(on: boolean): Promise<void> {
    if (on && this.recording && this.recordedTime >= this.recording.end) this.seek(0);
    this.playing = this.wanted = on;
    this.lastFrame = performance.now();
    this.panel.showPlaying(on);
    await this.engine.play(on && !this.recording && !document.hidden);
  }

  // It plays no longer, whatever the reason.
  private stop(): void {
    this.playing = this.wanted = false;
    this.panel.showPlaying(false);
  }

  // One step; false when it failed.
  single(): Promise<boolean> {
    return this.act(async () => {
      if (this.playing) await this.setPlaying(false);
      if (!this.recording) return this.engine.step();
      this.seek(this.recordedTime + this.engine.state().step);
      return true;
    });
  }

  // Shows another instant of a recorded run.
  seek(time: number): void {
    this.recordedTime = Math.min(time, this.recording?.end ?? 0);
  }

  private throwBall(): void {
    if (!this.recording) this.hand.throwBall();
  }

  private addBall({ from, velocity, radius, density }: Ball): Promise<void> {
    return this.act(async () => {
      const refused = await this.engine.throwBall(from, velocity, radius, density);
      if (refused) this.panel.showError(refused);
      else this.view.rebuild();
      if (!this.playing) await this.setPlaying(true);
    });
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.engine.send("setSpeed", speed);
  }

  setOption(name: string, value: string): Promise<void> {
    return this.act(async () => {
      const refused = await this.engine.setOption(name, value);
      if (refused) {
        this.panel.showError(refused);
      } else {
        this.changes.set(name, value);
        this.panel.hideError();
      }
      this.panel.showOptions(this.engine.options());
    });
  }

  // Options that differ between presets; all are kept as changes, so that a reset keeps them.
  setPreset(name: string): Promise<void> {
    return this.act(async () => {
      const refused = await this.engine.setPreset(name);
      if (refused) return this.panel.showError(refused);
      this.preset = name;
      const options = this.engine.options();
      for (const option of options) this.changes.set(option.name, option.value);
      this.panel.showOptions(options);
    });
  }

  setTool(tool: Tool): void {
    this.hand.tool = tool;
    this.panel.showTool(tool);
  }

  setOverlay(overlay: Overlay, on: boolean): Promise<void> {
    return this.act(async () => {
      this.overlays.toggle(overlay, on);
      await this.engine.show(this.overlays.wants());
      if (this.recording) await this.engine.place(this.recording.at(this.placedTime));
    });
  }

  get video(): Saver["video"] {
    return this.saver.video;
  }

  private film(): Promise<void> {
    return this.act(async () => {
      await this.saver.film();
      this.dirty = true;
      this.panel.showFilming(this.video.running, this.video.reason());
    });
  }

  // The recorded run, or what was simulated since the start.
  private saveGltf(): Promise<void> {
    return this.act(async () => {
      const title = this.engine.title() || shortName(this.current.name);
      await this.saver.gltf(title, this.recording ?? (await this.engine.call("history")));
    });
  }

  // A frame of the simulation has come.
  private receive(frame: Frame): void {
    this.panel.record(frame.samples);
    if (frame.message) {
      this.panel.showError(frame.message);
      if (!frame.playing) this.stop();
    }
    const overlaid = this.overlays.shown.size > 0 || this.overlays.selected >= 0;
    this.calm = this.playing && !overlaid && !this.view.hasMoved(frame.bodies);
    if (!this.calm) this.dirty = true;
    this.noteRest(frame);
  }

  // What has come to rest may be seen again.
  private noteRest(frame: Frame): void {
    const now = performance.now();
    const moved = this.view.hasMoved(frame.bodies);
    if (moved || !this.playing || frame.state.steps === 0 || this.hand.holds) this.restless = now;
    this.panel.showRest(this.playing && now > this.restless + REST);
  }

  // Asks for what is to be drawn next: the world as it is, or a frame of a recorded run.
  private async fetch(): Promise<void> {
    this.fetching = true;
    const { recording, recordedTime } = this;
    try {
      await (recording ? this.engine.place(recording.at(recordedTime)) : this.engine.refresh());
    } catch (error) {
      this.panel.showError(String(error));
      this.stop();
    }
    this.placedTime = recordedTime;
    this.fetching = false;
  }

  private playBack(now: number, recording: Recording): void {
    const passed = Math.min((now - this.lastFrame) / 1000, LONGEST_FRAME) * this.speed;
    this.seek(this.recordedTime + passed);
    if (this.recordedTime >= recording.end) void this.play(false);
  }

  private frame(now: number): void {
    if (this.playing && this.recording) this.playBack(now, this.recording);
    this.lastFrame = now;
    if (!this.drawing.isDue(now)) return;
    const still = (!this.playing || this.calm) && this.coarse > 0 && now > this.coarse + STILL;
    if (this.dirty) this.draw(now, this.video.running ? FILMED : this.quality.moving);
    else if (still) this.draw(now, this.stillRatio);
    else if (this.calm) this.showNumbers(now);
    // The next one comes while this one is drawn.
    if (!this.fetching && (this.recording ? this.placedTime !== this.recordedTime : this.playing)) void this.fetch();
  }

  // The fine painter smooths edges by itself, and needs no more pixels than the screen has.
  private get stillRatio(): number {
    return this.view.tier === "fine" ? Math.min(Math.max(window.devicePixelRatio, 1), this.quality.still) : this.quality.still;
  }

  private draw(now: number, ratio: number): void {
    this.dirty = false;
    const shown = this.recording ? this.recording.at(this.placedTime) : this.engine.bodies();
    const follows = !this.recording || this.view.eye.tracked >= 0;
    const onItsWay = follows && this.view.eye.follow(shown, this.engine.masses(), now / 1000, this.hand.holds);
    this.dirty = onItsWay; // which the moving eye has set
    if (this.recording) {
      const poses = this.recording.at(this.placedTime);
      this.view.update(poses);
      this.overlays.update(poses, this.loadsNow);
      this.panel.showRecorded(this.placedTime);
    } else {
      this.view.update();
      this.overlays.update();
      this.showNumbers(now);
    }
    this.showBeside();
    this.render(now, ratio);
  }

  // Contacts with forces of the frame of a recorded run that is shown, if it has them.
  private get loadsNow(): Float64Array | null {
    return this.recording && this.loads ? this.loads[this.recording.indexAt(this.placedTime)] : null;
  }

  // The sum of the recorded contact forces on the selected body.
  private recordedForce(): number[] | null {
    const { loadsNow: loads } = this;
    if (!loads) return null;
    const sum = [0, 0, 0];
    for (let at = 0; at < loads.length; at += CONTACT.size) {
      const side = loads[at + CONTACT.bodyA] === this.overlays.selected ? 1 : loads[at + CONTACT.bodyB] === this.overlays.selected ? -1 : 0;
      for (let k = 0; k < 3; ++k) sum[k] += side * loads[at + CONTACT.impulse + k];
    }
    return sum;
  }

  // What stands over the picture.
  private showBeside(): void {
    const { selected, shown, drawn } = this.overlays;
    const { eye, renderer } = this.view;
    showInspector(this.engine, selected, eye.tracked >= 0 && eye.tracked === selected, this.recordedForce(), !this.recording);
    showLegend(shown, drawn, renderer.domElement.clientHeight / eye.height);
    showGrip(this.hand.gripAt(), this.engine.frame.grip);
  }

  private render(now: number, ratio: number, shadows = true): void {
    this.coarse = ratio < this.stillRatio ? now : 0;
    this.drawing.begin(now);
    this.view.render(ratio, shadows);
    this.view.whenDrawn(() => {
      this.drawn += 1;
      const moving = ratio === this.quality.moving;
      this.drawing.end(performance.now(), this.engine.frame.lag, moving);
      if (moving) this.quality.note(this.drawing.cost);
    });
  }

  // Beside the picture. To lay out and draw text and plots costs as much as the picture.
  private showNumbers(now: number): void {
    if (this.playing && now < this.lastNumbers + NUMBERS_EVERY) return;
    this.lastNumbers = now;
    this.panel.show(this.engine.frame, this.playing, this.speed, this.preset);
  }

  // The scene is seen before the module is there, which then opens it and finds the same.
  private showPicture(scene: SceneText, picture: Picture): void {
    this.engine.preset(picture);
    this.pictured = scene;
    this.look();
    this.drawFirst();
  }

  // Shadows, and numbers beside the picture, come with the second frame, so that the first is there the sooner.
  private drawFirst(): void {
    this.render(performance.now(), this.quality.moving, false);
    performance.mark("first frame");
    this.dirty = true;
    const loop = (now: number) => {
      this.frame(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  // `picture` of the first scene, when there is one; `wasm` is the module, zipped, base64.
  async run(picture: Picture | null, wasm: Promise<string>): Promise<void> {
    const [first, second] = this.scenes;
    if (picture) this.showPicture(first, picture);
    else this.view.warmUp();
    this.engine.start(await wasm);
    this.tour = new Tour(this, () => wasm);
    this.gallery.fill();
    if (!(await this.open(first))) await this.open(second); // a given one that is refused has shown why
    if (!picture) this.drawFirst();
    this.panel.listPresets(await this.engine.call("presets"));
    if (location.hash === "#tour") void this.tour.go(0);
  }
}
