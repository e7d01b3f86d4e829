// simulation.ts - the page's end of the simulation: calls that are answered later, and the last frame
// that came, for all that draws.
import type { Option, Shape, State, Vector } from "./engine";
import {
  type Answer, type Calls, type Frame, HERE, type Port, type Request, START, type Start, type Structure, type Wants,
} from "./protocol";
import { serve } from "./simulator";
import SimulationWorker from "./worker?worker&inline";

type Value<K extends keyof Calls> = ReturnType<Calls[K]>;

interface Waiting {
  done(value: any): void;
  failed(error: Error): void;
}

// Sends the module; the other end has started it when this is done.
function startAt(port: Worker | MessagePort, wasm: string, here: () => void): Promise<void> {
  return new Promise((done, failed) => {
    if (port instanceof Worker) port.onerror = (event) => failed(new Error(event.message));
    port.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (data.id === HERE) here();
      else if (data.error) failed(new Error(data.error));
      else done();
    };
    port.postMessage({ wasm } satisfies Start);
  });
}

// A worker that has started the module; where there are no workers, the same in this thread.
async function connect(wasm: string, here: () => void): Promise<{ port: Port; apart: boolean }> {
  try {
    const worker = new SimulationWorker();
    await startAt(worker, wasm, here);
    return { port: worker, apart: true };
  } catch {
    const { port1, port2 } = new MessageChannel();
    serve(port1);
    await startAt(port2, wasm, here);
    return { port: port2, apart: false };
  }
}

export class Simulation {
  private waiting = new Map<number, Waiting>();
  private lastId = START;
  private structure!: Structure;
  private lastOptions: Option[] = [];
  private last!: Frame;
  private wants: Wants = { contacts: false, bounds: false };
  onFrame: (frame: Frame) => void = () => {};

  private port: Promise<Port>;
  readonly here: Promise<void>; // its thread runs, which it does not before this one has been idle
  apart = false; // in a thread of its own

  // The module is zipped, base64. Calls wait until it is there.
  constructor(wasm: string) {
    let here = () => {};
    this.here = new Promise((done) => (here = done));
    this.port = connect(wasm, here).then(({ port, apart }) => {
      performance.mark("module started");
      port.onmessage = ({ data }: MessageEvent<Answer>) => this.receive(data);
      this.apart = apart;
      return port;
    });
  }

  private receive({ id, value, error }: Answer): void {
    const waiting = this.waiting.get(id)!;
    this.waiting.delete(id);
    if (error !== undefined) waiting.failed(new Error(error));
    else waiting.done(value);
  }

  call<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<Value<K>> {
    const id = ++this.lastId;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.port.then((port) => port.postMessage({ id, call, args } satisfies Request), failed);
    });
  }

  // The world as it is now becomes what is shown.
  async refresh(): Promise<void> {
    const frame = await this.call("frame", this.wants);
    this.last = frame;
    this.onFrame(frame);
  }

  // Likewise after bodies came or went, or options changed.
  private async refreshAll(): Promise<void> {
    const [structure, options, frame] = [this.call("structure"), this.call("options"), this.refresh()];
    this.structure = await structure;
    this.lastOptions = await options;
    await frame;
  }

  show(wants: Wants): Promise<void> {
    this.wants = wants;
    return this.refresh();
  }

  // Why the scene was refused, or "".
  async open(text: string, name: string, options: Iterable<[string, string]> = []): Promise<string> {
    const refused = await this.call("open", text, name);
    if (refused) return refused;
    for (const [option, value] of options) void this.call("setOption", option, value);
    await this.refreshAll();
    return "";
  }

  // Why the option was refused, or "".
  async setOption(name: string, value: string): Promise<string> {
    const refused = this.call("setOption", name, value);
    await this.refreshAll();
    return refused;
  }
  async setPreset(name: string): Promise<void> {
    void this.call("setPreset", name);
    await this.refreshAll();
  }

  async step(count = 1): Promise<boolean> {
    const good = this.call("step", count);
    await this.refresh();
    return good;
  }

  async throwBall(from: Vector, velocity: Vector, radius: number, density: number): Promise<void> {
    void this.call("throwBall", from, velocity, radius, density);
    await this.refreshAll();
  }

  async play(on: boolean): Promise<void> {
    void this.call("play", on);
    await this.refresh();
  }

  // A frame of a recorded run becomes what is shown.
  async place(poses: Float64Array): Promise<void> {
    void this.call("place", poses, this.wants.contacts);
    await this.refresh();
  }

  hash(): Promise<string> {
    return this.call("hash");
  }

  // --- what was seen last ---

  get frame(): Frame {
    return this.last;
  }
  state(): State {
    return this.last.state;
  }
  bodies(): Float64Array {
    return this.last.bodies;
  }
  contacts(): Float64Array {
    return this.last.contacts;
  }
  joints(): Float64Array {
    return this.last.joints;
  }
  forces(): Float64Array {
    return this.last.forces;
  }
  bounds(): Float64Array {
    return this.last.bounds;
  }
  firstBounds(): Float64Array {
    return this.structure.bounds;
  }
  options(): Option[] {
    return this.lastOptions;
  }
  title(): string {
    return this.structure.title;
  }
  bodyCount(): number {
    return this.structure.names.length;
  }
  bodyName(body: number): string {
    return this.structure.names[body];
  }
  shapes(): (Shape | null)[] {
    return this.structure.shapes;
  }
}
