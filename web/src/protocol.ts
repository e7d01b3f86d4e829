// protocol.ts - what goes between the page and the simulation, which runs in a worker: calls, each
// answered in its turn, and the frames that the page draws.
import type { Option, Shape, State, Vector } from "./engine";

export type Light = "none" | "met" | "budget" | "failed"; // the certificate of the last step

// What is wanted of a frame beside what all have.
export interface Wants {
  contacts: boolean;
  bounds: boolean;
  inspect: number; // the body to be looked at closely; -1: none
}

// The world at an instant. Arrays are as Engine gives them, and are handed over, not copied.
export interface Frame {
  state: State;
  bodies: Float64Array;
  joints: Float64Array;
  forces: Float64Array;
  contacts: Float64Array; // empty unless wanted
  bounds: Float64Array; // likewise
  inspect: Float64Array; // likewise
  grip: number; // [N] of the spring that drags a body
  samples: Float64Array; // SAMPLE numbers for each step since the frame before
  light: Light;
  playing: boolean;
  message: string; // why a step failed, or the hand was refused, in the first frame after it
  pace: number; // simulated time over that of the clock, lately; 0 when not known
  lag: number; // [s] of the clock by which it is late
}

// Of a step: kinetic and potential energy, and what was lost since the start [J], residual, contacts,
// time that it took [ms].
export const SAMPLE = 6;

// What changes only when a scene is opened or a body added.
export interface Structure {
  title: string;
  names: string[]; // of the bodies
  joints: string[]; // their kinds and names
  masses: Float64Array; // records MASS
  shapes: Shape[];
  bounds: Float64Array; // at the time of the call
}

// All that there is to see of a world.
export interface Picture {
  structure: Structure;
  frame: Frame;
}
export interface World extends Picture {
  options: Option[];
}

export interface Poses {
  times: number[]; // [s]
  poses: Float64Array[];
}

// Refusals are answered with the reason, "" when there is none. What bodies there are changes with one
// answer, so that no frame comes between that is of other bodies than those the page knows.
export interface Calls {
  presets(): string[];
  open(text: string, name: string, options: [string, string][], wants: Wants): World | string; // pauses
  frame(wants: Wants): Frame;
  play(on: boolean): void;
  setSpeed(speed: number): void;
  step(count: number): boolean; // pauses; false when one failed
  options(): Option[];
  setOption(name: string, value: string): string;
  setPreset(name: string): string;
  attract(center: Vector, strength: number, range: number): void;
  grab(body: number, point: Vector, frequency: number): void;
  drag(point: Vector): void;
  letGo(): void;
  throwBall(from: Vector, velocity: Vector, radius: number, density: number, wants: Wants): World | string;
  place(poses: Float64Array, seek: boolean): void; // bodies, for what is drawn of a recorded run
  history(): Poses; // at about 60 frames per simulated second since the start
  hash(): string;
}

export interface Request {
  id: number;
  call: keyof Calls;
  args: unknown[];
}
export interface Answer {
  id: number;
  value?: unknown;
  error?: string; // the call has thrown
}

// The first message has the module instead of a call.
export interface Start {
  wasm: string; // zipped, base64
}
// The id of what is not the answer to a call: the other end has started the module.
export const START = 0;

// A worker, the worker's own end, or a port of a MessageChannel.
export interface Port {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent) => void) | null;
}
