// engine.ts - the library as an object: a scene, its world, and what the hand does to it.
//
// Arrays of numbers are views into the module's memory and hold until the next call.
import { allocate, readText, startModule, withTexts } from "./module.js";

export const BODY = 9;
export const CONTACT = 13;
export const JOINT = 15;
export const BOUNDS = 6;
export const FORCE = 8;
const STATE = 20;
const SHAPE = 16;

export enum BodyKind { Dynamic, Static, Kinematic }
export enum ForceKind { Spring = 2, Attractor = 5 } // those that are drawn
export enum ShapeKind { // those the page has geometry for; all others come as triangles
  Sphere, Box, Capsule, Cylinder, Ellipsoid, Hull, Halfspace, Mesh, Field, Circle, Polygon, Segment,
}

export interface State {
  time: number; // [s]
  steps: number;
  residual: number;
  tolerance: number;
  met: boolean;
  penetration: number; // [m]
  energyError: number; // [J] of the last step
  iterations: number;
  contacts: number;
  kinetic: number; // [J]
  potential: number; // [J]
  islands: number;
  notMet: number; // islands
  dimension: number;
  step: number; // [s]
  meanMass: number; // [kg] of dynamic bodies
  gravity: number; // [m/s2]
}

export interface Shape {
  body: number;
  kind: ShapeKind;
  position: [number, number, number];
  orientation: [number, number, number, number]; // w x y z
  radius: number;
  halfLength: number;
  half: [number, number, number];
  extent: number; // [m] infinite for half-spaces
  corners: Float32Array; // three numbers each
}

export interface Option {
  name: string;
  help: string;
  value: string;
  choices: string[]; // empty unless the option is one of some words
}

export type Vector = [number, number, number];

export class Engine {
  private page: number;

  private constructor(private wasm: Record<string, any>) {
    this.page = wasm.page_create();
    const sizes = [STATE, BODY, SHAPE, CONTACT, JOINT, BOUNDS, FORCE];
    sizes.forEach((size, i) => {
      if (wasm.page_layout(i) !== size) throw new Error("page and module are of different versions");
    });
  }

  static async start(bytes: BufferSource): Promise<Engine> {
    return new Engine(await startModule(bytes));
  }

  private text(address: number): string {
    return readText(this.wasm, address) ?? "";
  }
  private numbers(address: number, count: number): Float64Array {
    if (address === 0) throw new Error(this.message());
    return new Float64Array(this.wasm.memory.buffer, address, count);
  }

  // Why the last call that failed did so.
  message(): string {
    return this.text(this.wasm.page_message(this.page));
  }

  // Opens a scene; when it is refused the old one stays.
  open(text: string, name: string): boolean {
    return withTexts(this.wasm, [text, name], ([a, b], length) =>
      Boolean(this.wasm.page_open(this.page, a, length, b)));
  }
  title(): string {
    return this.text(this.wasm.page_title(this.page));
  }
  step(count = 1): boolean {
    return Boolean(this.wasm.page_step(this.page, count));
  }
  hash(): string {
    return this.text(this.wasm.page_hash(this.page));
  }

  options(): Option[] {
    const options: Option[] = [];
    for (let i = 0; this.wasm.page_option_name(i); ++i) {
      const choices: string[] = [];
      for (let k = 0; this.wasm.page_option_choice(i, k); ++k)
        choices.push(this.text(this.wasm.page_option_choice(i, k)));
      options.push({
        name: this.text(this.wasm.page_option_name(i)),
        help: this.text(this.wasm.page_option_help(i)),
        value: this.text(this.wasm.page_option_value(this.page, i)),
        choices,
      });
    }
    return options;
  }
  setOption(name: string, value: string): boolean {
    return withTexts(this.wasm, [name, value], ([a, b]) =>
      Boolean(this.wasm.page_set_option(this.page, a, b)));
  }
  presets(): string[] {
    const names: string[] = [];
    for (let i = 0; this.wasm.page_preset(i); ++i) names.push(this.text(this.wasm.page_preset(i)));
    return names;
  }
  setPreset(name: string): boolean {
    return withTexts(this.wasm, [name], ([a]) => Boolean(this.wasm.page_set_preset(this.page, a)));
  }

  state(): State {
    const s = this.numbers(this.wasm.page_state(this.page), STATE);
    return {
      time: s[0], steps: s[1], residual: s[2], tolerance: s[3], met: s[4] !== 0, penetration: s[5],
      energyError: s[6], iterations: s[7], contacts: s[8], kinetic: s[9], potential: s[10],
      islands: s[11], notMet: s[14], dimension: s[16], step: s[17], meanMass: s[18], gravity: s[19],
    };
  }

  bodyCount(): number {
    return this.wasm.page_body_count(this.page);
  }
  bodyName(body: number): string {
    return this.text(this.wasm.page_body_name(this.page, body));
  }
  // Position, orientation (w x y z), kind, island.
  bodies(): Float64Array {
    return this.numbers(this.wasm.page_bodies(this.page), BODY * this.bodyCount());
  }

  shapeCount(): number {
    return this.wasm.page_shape_count(this.page);
  }
  shape(index: number): Shape | null {
    const address = this.wasm.page_shape(this.page, index);
    const s = this.numbers(address, SHAPE);
    if (s[0] < 0) return null;
    const corners = this.numbers(address + 8 * SHAPE, 3 * s[15]);
    return {
      body: s[0], kind: s[1], position: [s[2], s[3], s[4]], orientation: [s[5], s[6], s[7], s[8]],
      radius: s[9], halfLength: s[10], half: [s[11], s[12], s[13]], extent: s[14],
      corners: Float32Array.from(corners),
    };
  }
  bounds(): Float64Array {
    return this.numbers(this.wasm.page_bounds(this.page), BOUNDS * this.shapeCount());
  }

  // Point, normal, gap, impulse on A, mu, A, B.
  contacts(): Float64Array {
    const count = this.wasm.page_contact_count(this.page);
    return count ? this.numbers(this.wasm.page_contacts(this.page), CONTACT * count) : new Float64Array();
  }
  // Kind, frame on A (position, w x y z), origin on B, error, size of the reaction, A and B (-1 the ground).
  joints(): Float64Array {
    const count = this.wasm.page_joint_count(this.page);
    return count ? this.numbers(this.wasm.page_joints(this.page), JOINT * count) : new Float64Array();
  }

  // Kind (-1: nothing to draw), ends of a spring or place of an attractor, strength.
  forces(): Float64Array {
    const count = this.wasm.page_force_count(this.page);
    return count ? this.numbers(this.wasm.page_forces(this.page), FORCE * count) : new Float64Array();
  }

  // Bodies stand where a frame of a recorded run says; contacts are sought there when wanted.
  place(poses: Float64Array, seek: boolean): boolean {
    const address = allocate(this.wasm, poses.byteLength);
    new Float64Array(this.wasm.memory.buffer, address, poses.length).set(poses);
    const good = this.wasm.page_place(this.page, address, poses.length / BODY, seek);
    this.wasm.page_release(address);
    return Boolean(good);
  }

  // strength [N] > 0 attracts, < 0 repels, 0 ends it.
  attract(center: Vector, strength: number, range: number): boolean {
    return Boolean(this.wasm.page_attract(this.page, ...center, strength, range));
  }
  grab(body: number, point: Vector, frequency: number): boolean {
    return Boolean(this.wasm.page_grab(this.page, body, ...point, frequency));
  }
  drag(point: Vector): boolean {
    return Boolean(this.wasm.page_drag(this.page, ...point));
  }
  letGo(): void {
    this.wasm.page_let_go(this.page);
  }
  // The slot of the new ball, or -1.
  throwBall(from: Vector, velocity: Vector, radius: number, density: number): number {
    return this.wasm.page_throw(this.page, ...from, ...velocity, radius, density);
  }
}
