// simulator.ts - the simulation as the page calls it: steps an engine by the clock and answers calls
// in between. It does not know whether it runs in a worker or beside the page.
import { Engine, type Option, type Vector } from "./engine";
import { History } from "./frames";
import { StepPace } from "./pace";
import {
  type Answer, type Calls, type Frame, type Light, type Picture, type Port, type Poses, type Request, SAMPLE, START,
  type Start, type Structure, type Wants, type World,
} from "./protocol";
import { makeSoon } from "./soon";

const RESOLVED = 1; // [ms] above which the clock tells what a single step took
const MEAN_OF = 16; // steps that a mean is of
const SLICE = 8; // [ms] of stepping between looks at what the page has asked
const SAMPLES = 240; // steps of which a frame tells at most

function structureOf(engine: Engine): Structure {
  return {
    title: engine.title(),
    names: Array.from({ length: engine.bodyCount() }, (_, i) => engine.bodyName(i)),
    joints: engine.jointNames(),
    masses: engine.masses().slice(),
    shapes: Array.from({ length: engine.shapeCount() }, (_, i) => engine.shape(i)),
    bounds: engine.bounds().slice(),
  };
}

const NOTHING: Wants = { contacts: false, bounds: false, inspect: -1 };

// How the world stands; nothing is said of how it came to that.
function frameOf(engine: Engine, wants: Wants): Frame {
  return {
    state: engine.state(),
    bodies: engine.bodies().slice(),
    joints: engine.joints().slice(),
    forces: engine.forces().slice(),
    contacts: wants.contacts ? engine.contacts().slice() : new Float64Array(),
    bounds: wants.bounds ? engine.bounds().slice() : new Float64Array(),
    inspect: wants.inspect >= 0 ? engine.inspect(wants.inspect).slice() : new Float64Array(),
    grip: engine.grip(),
    samples: new Float64Array(),
    light: "none",
    playing: false,
    message: "",
    pace: 0,
    lag: 0,
  };
}

// What there is to see of a scene that was just opened.
export const pictureOf = (engine: Engine): Picture => ({ structure: structureOf(engine), frame: frameOf(engine, NOTHING) });

class Simulator implements Calls {
  private frames = new History();
  private pace = new StepPace();
  private playing = false;
  private run = 0; // counts the times it was started, so that an old loop ends
  private speed = 1;
  private light: Light = "none";
  private trouble = ""; // why a step failed, or the hand was refused, until a frame has told it
  private samples: number[] = [];
  private meanCost = 0; // [ms]
  private lost = 0; // [J] since the start: in contacts, joints and by the integration
  private soon = makeSoon();

  constructor(private engine: Engine) {}

  presets(): string[] {
    return this.engine.presets();
  }

  open(text: string, name: string, options: [string, string][], wants: Wants): World | string {
    if (!this.engine.open(text, name)) return this.engine.message();
    this.play(false);
    this.light = "none";
    this.trouble = "";
    this.samples = [];
    this.lost = 0;
    for (const [option, value] of options) this.engine.setOption(option, value);
    this.frames.clear();
    this.frames.add(this.engine.state().time, () => this.engine.bodies());
    return this.world(wants);
  }

  private world(wants: Wants): World {
    return { structure: structureOf(this.engine), options: this.engine.options(), frame: this.frame(wants) };
  }

  frame(wants: Wants): Frame {
    const { samples, trouble } = this;
    this.samples = [];
    this.trouble = "";
    return {
      ...frameOf(this.engine, wants),
      samples: Float64Array.from(samples),
      light: this.light,
      playing: this.playing,
      message: trouble,
      pace: this.pace.pace,
      lag: this.playing ? this.pace.lag(this.speed) : 0,
    };
  }

  play(on: boolean): void {
    this.playing = on;
    this.run += 1;
    this.pace.start(performance.now());
    if (on) this.advance(this.run);
  }

  setSpeed(speed: number): void {
    this.speed = speed;
  }

  step(count: number): boolean {
    this.play(false);
    for (let i = 0; i < count; ++i) if (!this.makeStep()) return false;
    return true;
  }

  options(): Option[] {
    return this.engine.options();
  }
  setOption(name: string, value: string): string {
    return this.engine.setOption(name, value) ? "" : this.engine.message();
  }
  setPreset(name: string): string {
    return this.engine.setPreset(name) ? "" : this.engine.message();
  }

  private note(good: boolean): void {
    if (!good) this.trouble = this.engine.message();
  }
  attract(center: Vector, strength: number, range: number): void {
    this.note(this.engine.attract(center, strength, range));
  }
  grab(body: number, point: Vector, frequency: number): void {
    this.note(this.engine.grab(body, point, frequency));
  }
  drag(point: Vector): void {
    this.note(this.engine.drag(point));
  }
  letGo(): void {
    this.engine.letGo();
  }
  throwBall(from: Vector, velocity: Vector, radius: number, density: number, wants: Wants): World | string {
    const slot = this.engine.throwBall(from, velocity, radius, density);
    return slot < 0 ? this.engine.message() : this.world(wants);
  }

  place(poses: Float64Array, seek: boolean): void {
    this.note(this.engine.place(poses, seek));
  }

  history(): Poses {
    return { times: this.frames.times, poses: this.frames.poses };
  }
  hash(): string {
    return this.engine.hash();
  }

  private tryStep(): boolean {
    try {
      if (this.engine.step()) return true;
      this.trouble = this.engine.message();
    } catch (error) {
      this.trouble = `the module has failed: ${error}`;
    }
    return false;
  }

  // [ms] Browsers tell the time in steps of up to 0.1 ms: what is as short is known by its mean alone.
  private costOf(measured: number): number {
    this.meanCost += (measured - this.meanCost) / MEAN_OF;
    return measured > RESOLVED ? measured : this.meanCost;
  }

  private makeStep(): boolean {
    const start = performance.now();
    const good = this.tryStep();
    const cost = this.costOf(performance.now() - start);
    const { kinetic, potential, energyError, residual, contacts, met, time } = this.engine.state();
    this.lost -= energyError;
    this.samples.push(kinetic, potential, this.lost, residual, contacts, cost);
    if (this.samples.length > SAMPLE * SAMPLES) this.samples.splice(0, SAMPLE);
    this.light = !good ? "failed" : met ? "met" : "budget";
    this.frames.add(time, () => this.engine.bodies());
    return good;
  }

  // Steps that are due, as many as fit into a slice, and so on while it plays.
  private advance(run: number): void {
    if (run !== this.run) return;
    const { step } = this.engine.state();
    const end = performance.now() + SLICE;
    let now = performance.now();
    this.pace.advance(now, this.speed);
    while (this.pace.isDue(step) && now < end) {
      if (!this.makeStep()) return this.play(false);
      this.pace.made(step);
      now = performance.now();
      this.pace.advance(now, this.speed);
    }
    const next = () => this.advance(run);
    if (this.pace.isDue(step)) this.soon(next);
    else setTimeout(next, this.pace.wait(step, this.speed));
  }
}

// What a message may hand over: the arrays of a frame, alone or of a world, which are its own.
function buffersOf(value: unknown): ArrayBuffer[] {
  const frame = (value as World | undefined)?.frame ?? value;
  const parts = frame && typeof frame === "object" ? Object.values(frame) : [];
  return parts.flatMap((part) => (part instanceof Float64Array ? [part.buffer as ArrayBuffer] : []));
}

// Unpacked in this thread, beside what the page does.
async function unpack(wasm: string): Promise<ArrayBuffer> {
  const zipped = await fetch(`data:application/gzip;base64,${wasm}`);
  const bytes = zipped.body!.pipeThrough(new DecompressionStream("gzip"));
  return new Response(bytes).arrayBuffer();
}

// Answers at a port: at first to the module, which it starts, then to calls.
export function serve(port: Port): void {
  const answer = (message: Answer) => port.postMessage(message, buffersOf(message.value));
  port.onmessage = async ({ data }: MessageEvent<Start>) => {
    try {
      const simulator = new Simulator(await Engine.start(await unpack(data.wasm)));
      port.onmessage = ({ data: { id, call, args } }: MessageEvent<Request>) => {
        try {
          answer({ id, value: (simulator[call] as (...args: unknown[]) => unknown)(...args) });
        } catch (error) {
          answer({ id, error: String(error) });
        }
      };
      answer({ id: START });
    } catch (error) {
      answer({ id: START, error: String(error) });
    }
  };
}
