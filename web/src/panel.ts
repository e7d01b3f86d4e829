// panel.ts - buttons, options, plots and messages: the page without its picture.
import { version } from "virtual:rigor";
import type { Option } from "./engine";
import { type SceneText, shortName } from "./gallery";
import type { Tool } from "./hand";
import { LIVE_ONLY, OVERLAYS, type Overlay } from "./overlays";
import { Plot } from "./plots";
import { type Frame, type Light, SAMPLE } from "./protocol";
import type { Simulation } from "./simulation";
import type { Tier } from "./tier";
import { measure, plain } from "./units";

export interface Actions {
  play(): void;
  step(): void;
  reset(): void;
  again(): void;
  openFiles(files: File[]): void;
  setOption(name: string, value: string): void;
  setPreset(name: string): void;
  seek(time: number): void;
  setSpeed(speed: number): void;
  setTool(tool: Tool): void;
  setOverlay(overlay: Overlay, on: boolean): void;
  setTier(tier: Tier | ""): void;
  onlySelected(on: boolean): void;
  deselect(): void;
  throwBall(): void;
  picture(): void;
  film(): void;
  gltf(): void;
}

// Those that one changes most; the others follow under "More".
const FIRST_OPTIONS = ["step", "stepper", "solver", "stabilizer", "cone", "gravity", "tolerance"];
const HIDDEN_OPTIONS = ["threads"]; // there is one

const ENERGY_LEAST = 1e-9; // of the energy at the start: changes below are rounding
const SLOWER = 0.9; // of the clock, from which on the page says so
const SLOW_LOOKS = 6; // times in a row
const FASTEST = "realtime"; // preset

const LIGHTS: Record<Light, string> = {
  none: "not stepped yet",
  met: "tolerance met",
  budget: "tolerance not met",
  failed: "step failed",
};

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

const exponent = (value: number) => (value === 0 ? "0" : value.toExponential(1));
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export class Panel {
  private plots = {
    energy: new Plot({
      title: "Energy", show: (v) => measure(v, "J"),
      lines: [
        { name: "E − E(0)", tone: "--accent" }, { name: "kinetic", tone: "--warm" },
        { name: "change of potential", tone: "--good" }, { name: "dissipated", tone: "--bad" },
      ],
    }),
    residual: new Plot({ title: "Residual", lines: [{ name: "", tone: "--accent" }], logarithmic: true, show: exponent }),
    contacts: new Plot({ title: "Contacts", lines: [{ name: "", tone: "--accent" }], counts: true, show: String }),
    cost: new Plot({ title: "Time per step", lines: [{ name: "", tone: "--accent" }], show: (v) => measure(v, "s", 2) }),
  };
  private fields = new Map<string, HTMLInputElement | HTMLSelectElement>(); // by option
  private start = { kinetic: 0, potential: 0 }; // [J]
  private measured: number[][] | null = null; // rows of a recorded run
  private slow = 0; // looks in a row at which it was slower than the clock

  private actions!: Actions;

  // From now on buttons and fields do something.
  bind(actions: Actions): void {
    this.actions = actions;
    find("#version").textContent = version;
    find("#plots").append(...Object.values(this.plots).map((plot) => plot.element));
    this.bindButtons();
    this.listOverlays();
  }

  toggleHelp(): void {
    const help = find<HTMLDialogElement>("#help");
    if (help.open) help.close();
    else help.showModal();
  }

  listPresets(names: string[]): void {
    const select = find<HTMLSelectElement>("#preset");
    select.append(...names.map((name) => new Option(name, name)));
    select.addEventListener("change", () => {
      this.actions.setPreset(select.value);
      select.value = "";
    });
  }

  private bindButtons(): void {
    const click = (selector: string, action: () => void) =>
      find<HTMLButtonElement>(selector).addEventListener("click", action);
    click("#play", () => this.actions.play());
    click("#step", () => this.actions.step());
    click("#reset", () => this.actions.reset());
    click("#faster", () => this.actions.setPreset(FASTEST));
    click("#again", () => this.actions.again());
    click("#throw", () => this.actions.throwBall());
    click("#picture", () => this.actions.picture());
    click("#close-error", () => this.hideError());
    click("#film", () => this.actions.film());
    click("#gltf", () => this.actions.gltf());
    click("#close-inspector", () => this.actions.deselect());
    find<HTMLInputElement>("#only-selected").addEventListener("change", (event) =>
      this.actions.onlySelected((event.target as HTMLInputElement).checked));
    click("#close-help", () => this.toggleHelp());
    find<HTMLAnchorElement>("#brand").addEventListener("click", (event) => {
      event.preventDefault();
      this.toggleHelp();
    });
    find<HTMLSelectElement>("#tier").addEventListener("change", (event) =>
      this.actions.setTier((event.target as HTMLSelectElement).value as Tier | ""));
    click("#menu", () => {
      const open = document.body.classList.toggle("panel-open");
      find("#menu").setAttribute("aria-expanded", String(open));
      this.drawPlots(); // which they were not while the panel was closed
    });
    find<HTMLSelectElement>("#speed").addEventListener("change", (event) =>
      this.actions.setSpeed(Number((event.target as HTMLSelectElement).value)));
    find<HTMLInputElement>("#timeline").addEventListener("input", (event) =>
      this.actions.seek(Number((event.target as HTMLInputElement).value)));
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-tool]"))
      button.addEventListener("click", () => this.actions.setTool(button.dataset.tool as Tool));
    find<HTMLInputElement>("#file").addEventListener("change", (event) => {
      const input = event.target as HTMLInputElement;
      if (input.files?.length) this.actions.openFiles([...input.files]);
      input.value = "";
    });
  }

  private listOverlays(): void {
    find("#overlays").replaceChildren(...Object.entries(OVERLAYS).map(([key, title]) => {
      const label = document.createElement("label");
      label.classList.toggle("live", LIVE_ONLY.includes(key as Overlay));
      label.classList.toggle("loads", key === "forces");
      const box = document.createElement("input");
      box.type = "checkbox";
      box.dataset.overlay = key;
      box.addEventListener("change", () => this.actions.setOverlay(key as Overlay, box.checked));
      label.append(box, title);
      return label;
    }));
  }

  showScene({ name, title }: SceneText, simulation: Simulation): void {
    find("#title").textContent = simulation.title() || name;
    find("#scene-name").textContent = title ?? shortName(name);
    document.title = `${title ?? name.replace(/\.json$/, "")} · Rigor`;
    this.showRest(false);
    this.showOptions(simulation.options());
    this.hideError();
    const { kinetic, potential } = simulation.state();
    this.start = { kinetic, potential };
    this.plots.energy.least = ENERGY_LEAST * Math.max(Math.abs(kinetic), Math.abs(potential));
    this.slow = 0;
    this.measured = null;
    find<HTMLElement>("#slow").hidden = true;
    Object.values(this.plots).forEach((plot) => plot.clear());
  }

  // The fields stay where they are, so that the one that is being used keeps the focus.
  showOptions(options: Option[]): void {
    if (this.fields.size === 0) this.listOptions(options);
    for (const { name, value } of options) {
      const field = this.fields.get(name);
      if (field) field.value = value;
    }
  }

  private listOptions(options: Option[]): void {
    const known = new Map(options.map((option) => [option.name, option]));
    const first = FIRST_OPTIONS.flatMap((name) => known.get(name) ?? []);
    const rest = options.filter(({ name }) => !FIRST_OPTIONS.includes(name) && !HIDDEN_OPTIONS.includes(name));
    find("#options").replaceChildren(...first.map((option) => this.field(option)));
    find("#more-options").replaceChildren(...rest.map((option) => this.field(option)));
  }

  private field(option: Option): HTMLElement {
    const label = document.createElement("label");
    label.title = option.help;
    const input = document.createElement(option.choices.length ? "select" : "input");
    if (input instanceof HTMLSelectElement)
      input.append(...option.choices.map((choice) => new Option(choice, choice)));
    this.fields.set(option.name, input);
    input.dataset.option = option.name;
    input.addEventListener("change", () => this.actions.setOption(option.name, input.value));
    label.append(option.name.replace(/_/g, " "), input);
    return label;
  }

  // Nothing moves any more.
  showRest(on: boolean): void {
    find<HTMLElement>("#rest").hidden = !on;
  }

  showPlaying(playing: boolean): void {
    const button = find<HTMLButtonElement>("#play");
    button.textContent = playing ? "Pause" : "Play";
    button.setAttribute("aria-pressed", String(playing));
  }

  showTool(tool: Tool): void {
    for (const button of document.querySelectorAll<HTMLButtonElement>("[data-tool]"))
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
  }

  // A video is being made, or can be; `reason` says why it cannot.
  showFilming(on: boolean, reason: string): void {
    const button = find<HTMLButtonElement>("#film");
    button.textContent = on ? "Stop" : "Video";
    button.setAttribute("aria-pressed", String(on));
    button.disabled = reason !== "";
    if (reason) button.title = reason;
  }

  // Steps were made; Frame.samples.
  record(samples: Float64Array): void {
    for (let at = 0; at < samples.length; at += SAMPLE) {
      const [kinetic, potential, lost, residual, contacts, cost] = samples.subarray(at, at + SAMPLE);
      this.plots.energy.add(...this.energies(kinetic, potential, lost));
      this.plots.residual.add(residual);
      this.plots.contacts.add(contacts);
      this.plots.cost.add(cost / 1000);
    }
  }

  private energies(kinetic: number, potential: number, lost: number): number[] {
    const { start } = this;
    return [kinetic + potential - start.kinetic - start.potential, kinetic, potential - start.potential, lost];
  }

  // What was measured in a recorded run, as tables.ts reads it.
  showMeasured(rows: number[][] | null): void {
    this.measured = rows;
    document.body.classList.toggle("with-plots", rows !== null);
    if (!rows) return;
    const [[, kinetic, potential]] = rows;
    this.start = { kinetic, potential };
    // What was dissipated is the sum over all steps: where some were not recorded, nobody knows.
    let lost = 0;
    const whole = rows.every((row, i) => i === 0 || row[6] === rows[i - 1][6] + 1);
    this.plots.energy.set(rows.map(([, k, v, change]) => this.energies(k, v, (lost -= change)).slice(0, whole ? 4 : 3)));
    this.plots.energy.least = ENERGY_LEAST * Math.max(Math.abs(kinetic), Math.abs(potential));
    this.plots.residual.set(rows.map((row) => [row[4]]));
    this.plots.contacts.set(rows.map((row) => [row[5]]));
  }

  // The simulation is slower than what was asked of it, for a while.
  private noteSlow(pace: number, speed: number, preset: string): void {
    this.slow = pace > 0 && pace < SLOWER * speed ? this.slow + 1 : 0;
    const box = find<HTMLElement>("#slow");
    box.hidden = this.slow < SLOW_LOOKS || preset === FASTEST;
    if (!box.hidden) find("#slow-text").textContent = `Slower than the clock: ${plain(pace / speed, 2)} of it`;
  }

  show({ state, light, pace }: Frame, playing: boolean, speed: number, preset: string): void {
    this.noteSlow(playing ? pace : 0, speed, preset);
    find<HTMLElement>("#light").dataset.light = light;
    const residual = light === "none" ? "" : ` · residual ${exponent(state.residual)} of ${exponent(state.tolerance)}`;
    const missed = state.missed && ` · ${state.missed}`; // why a step is not met though its residual is small
    find("#certificate").textContent = LIGHTS[light] + residual + missed;
    find("#time").textContent = `${state.time.toFixed(2)} s${playing && pace > 0 ? ` · ${pace.toFixed(2)} × real time` : ""}`;
    find("#facts").textContent =
      `${plural(state.contacts, "contact")} in ${plural(state.islands, "island")} · overlap ${measure(state.penetration, "m", 2)}`;
    this.drawPlots();
  }

  private drawPlots(): void {
    Object.values(this.plots).forEach((plot) => plot.draw());
  }

  // The timeline of a recorded run of `end` seconds; null when there is none.
  // It may have contacts with forces.
  showTimeline(end: number | null, loads: boolean): void {
    const timeline = find<HTMLInputElement>("#timeline");
    document.body.classList.toggle("recorded", end !== null);
    document.body.classList.toggle("with-loads", loads);
    timeline.max = String(end ?? 0);
    timeline.value = "0";
  }

  showRecorded(time: number): void {
    find<HTMLInputElement>("#timeline").value = String(time);
    find<HTMLElement>("#light").dataset.light = "none";
    if (this.measured) {
      const row = this.measured.findIndex(([instant]) => instant > time + 1e-9);
      for (const plot of [this.plots.energy, this.plots.residual, this.plots.contacts])
        plot.mark(Math.max(0, (row < 0 ? this.measured.length : row) - 1));
      this.drawPlots();
    }
    find("#certificate").textContent = "recorded run";
    find("#time").textContent = `${time.toFixed(2)} s`;
    find("#facts").textContent = "";
  }

  // A message, with the line of the text that it is about when it names one.
  showError(message: string, text = ""): void {
    find("#error-message").textContent = message;
    const place = /:(\d+):(\d+): /.exec(message);
    const line = place && text.split("\n")[Number(place[1]) - 1];
    find("#error-line").textContent = line ? `${line}\n${" ".repeat(Number(place[2]) - 1)}^` : "";
    find<HTMLElement>("#error").hidden = false;
  }

  hideError(): void {
    find<HTMLElement>("#error").hidden = true;
  }
}
