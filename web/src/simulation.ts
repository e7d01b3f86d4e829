// simulation.ts - the page's end of the simulation: calls that are answered later, and the last frame
// that came, for all that draws.
import type { Option, Shape, State, Vector } from "./engine";
import { MASS } from "./layout.js";
import {
  type Answer, type Calls, type Frame, type Picture, type Port, type Request, START, type Start, type Structure,
  type Wants, type World,
} from "./protocol";
import { serve } from "./simulator";
import SimulationWorker from "./worker?worker&inline";

type Value<K extends keyof Calls> = ReturnType<Calls[K]>;

interface Waiting {
  done(value: any): void;
  failed(error: Error): void;
}

// Sends the module; the other end has started it when this is done.
function startAt(port: Worker | MessagePort, wasm: string): Promise<void> {
  return new Promise((done, failed) => {
    if (port instanceof Worker) port.onerror = (event) => failed(new Error(event.message));
    port.onmessage = ({ data }: MessageEvent<Answer>) => (data.error ? failed(new Error(data.error)) : done());
    port.postMessage({ wasm } satisfies Start);
  });
}

// A worker that has started the module; where there are no workers, the same in this thread.
async function connect(wasm: string): Promise<{ port: Port; apart: boolean }> {
  let worker: Worker | undefined;
  try {
    worker = new SimulationWorker();
    await startAt(worker, wasm);
    return { port: worker, apart: true };
  } catch {
    worker?.terminate();
    const { port1, port2 } = new MessageChannel();
    serve(port1);
    await startAt(port2, wasm);
    return { port: port2, apart: false };
  }
}

export class Simulation {
  private waiting = new Map<number, Waiting>();
  private lastId = START;
  private structure!: Structure;
  private lastOptions: Option[] = [];
  private last!: Frame;
  private wants: Wants = { contacts: false, bounds: false, inspect: -1 };
  onFrame: (frame: Frame) => void = () => {};
  onTrouble: (reason: string) => void = () => {}; // it has failed, apart from any call

  private begin: (port: Promise<Port>) => void = () => {};
  private port = new Promise<Port>((begin) => (this.begin = begin)); // calls wait for it
  apart = false; // in a thread of its own

  // The module is zipped, base64.
  start(wasm: string): void {
    this.begin(connect(wasm).then(({ port, apart }) => {
      performance.mark("module started");
      port.onmessage = ({ data }: MessageEvent<Answer>) => this.receive(data);
      if (port instanceof Worker) {
        port.onerror = (event) => this.fail(`the simulation has failed: ${event.message || "its thread has ended"}`);
        port.onmessageerror = () => this.fail("an answer of the simulation could not be read");
      }
      this.apart = apart;
      return port;
    }));
  }

  // A picture to look at while nothing is simulated yet.
  preset({ structure, frame }: Picture): void {
    this.structure = structure;
    this.last = frame;
  }

  private receive({ id, value, error }: Answer): void {
    const waiting = this.waiting.get(id); // none when it was given up
    this.waiting.delete(id);
    if (error !== undefined) waiting?.failed(new Error(error));
    else waiting?.done(value);
  }

  // Nobody knows what will still be answered: all that waits is given up.
  private fail(reason: string): void {
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { failed } of waiting) failed(new Error(reason));
    this.onTrouble(reason);
  }

  call<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): Promise<Value<K>> {
    const id = ++this.lastId;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.port.then((port) => port.postMessage({ id, call, args } satisfies Request), failed);
    });
  }

  // A call that nobody waits for.
  send<K extends keyof Calls>(call: K, ...args: Parameters<Calls[K]>): void {
    this.call(call, ...args).catch((error) => this.onTrouble(String(error)));
  }

  // The world as it is now becomes what is shown.
  async refresh(): Promise<void> {
    this.take(await this.call("frame", this.wants));
  }

  private take(frame: Frame): void {
    this.last = frame;
    this.onFrame(frame);
  }

  // Another world, or one with other bodies, becomes what is shown; or why there is none.
  private takeWorld(world: World | string): string {
    if (typeof world === "string") return world;
    this.structure = world.structure;
    this.lastOptions = world.options;
    this.take(world.frame);
    return "";
  }

  show(wants: Wants): Promise<void> {
    this.wants = wants;
    return this.refresh();
  }

  // Why the scene was refused, or "".
  async open(text: string, name: string, options: Iterable<[string, string]> = []): Promise<string> {
    return this.takeWorld(await this.call("open", text, name, [...options], this.wants));
  }

  // Why the option was refused, or "".
  async setOption(name: string, value: string): Promise<string> {
    const refused = this.call("setOption", name, value);
    await this.refreshOptions();
    return refused;
  }
  async setPreset(name: string): Promise<string> {
    const refused = this.call("setPreset", name);
    await this.refreshOptions();
    return refused;
  }
  private async refreshOptions(): Promise<void> {
    const [options] = await Promise.all([this.call("options"), this.refresh()]);
    this.lastOptions = options;
  }

  async step(count = 1): Promise<boolean> {
    const good = this.call("step", count);
    await this.refresh();
    return good;
  }

  // Why there is no ball, or "".
  async throwBall(from: Vector, velocity: Vector, radius: number, density: number): Promise<string> {
    return this.takeWorld(await this.call("throwBall", from, velocity, radius, density, this.wants));
  }

  async play(on: boolean): Promise<void> {
    this.send("play", on);
    await this.refresh();
  }

  // A frame of a recorded run becomes what is shown.
  async place(poses: Float64Array): Promise<void> {
    this.send("place", poses, this.wants.contacts);
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
  jointName(joint: number): string {
    return this.structure.joints[joint];
  }
  // [kg]; 0 of a body that is not dynamic, or not there.
  mass(body: number): number {
    return this.structure.masses[body * MASS.size + MASS.mass] ?? 0;
  }
  masses(): Float64Array {
    return this.structure.masses;
  }
  shapes(): Shape[] {
    return this.structure.shapes;
  }
}
