// engine.ts - the library as an object: a scene, its world, and what the hand does to it.
//
// Arrays of numbers are views into the module's memory and hold until the next call.
import { BODY, BOUNDS, CONTACT, FORCE, INSPECT, JOINT, MASS, SHAPE, STATE, ShapeKind, VERSION } from "./layout.js";
import { allocate, readText, startModule, withTexts } from "./module.js";

export interface State {
  time: number; // [s]
  steps: number;
  residual: number;
  tolerance: number;
  met: boolean;
  missed: string; // the stages that missed what was asked, in words; "" when none did
  penetration: number; // [m]
  energyError: number; // [J] of the last step
  iterations: number;
  contacts: number;
  kinetic: number; // [J]
  potential: number; // [J]
  islands: number;
  dimension: number;
  step: number; // [s]
  meanMass: number; // [kg] of dynamic bodies
  gravity: number; // [m/s2]
}

export interface Shape {
  body: number;
  kind: number; // of ShapeKind
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
    if (wasm.page_layout_version() >>> 0 !== VERSION) throw new Error("page and module are of different versions");
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
    const s = this.numbers(this.wasm.page_state(this.page), STATE.size);
    const state: State = {
      time: s[STATE.time], steps: s[STATE.steps], residual: s[STATE.residual], tolerance: s[STATE.tolerance],
      met: s[STATE.met] !== 0, missed: "", penetration: s[STATE.penetration], energyError: s[STATE.energy],
      iterations: s[STATE.iterations], contacts: s[STATE.contacts], kinetic: s[STATE.kinetic],
      potential: s[STATE.potential], islands: s[STATE.islands], dimension: s[STATE.dimension], step: s[STATE.step],
      meanMass: s[STATE.meanMass], gravity: s[STATE.gravity],
    };
    if (!state.met) state.missed = this.text(this.wasm.page_missed(this.page));
    return state;
  }

  bodyCount(): number {
    return this.wasm.page_body_count(this.page);
  }
  bodyName(body: number): string {
    return this.text(this.wasm.page_body_name(this.page, body));
  }
  // Records BODY, as the following ones are records of their names (layout.js).
  bodies(): Float64Array {
    return this.numbers(this.wasm.page_bodies(this.page), BODY.size * this.bodyCount());
  }

  // Records MASS.
  masses(): Float64Array {
    return this.numbers(this.wasm.page_masses(this.page), MASS.size * this.bodyCount());
  }
  // A record INSPECT.
  inspect(body: number): Float64Array {
    return this.numbers(this.wasm.page_inspect(this.page, body), INSPECT.size);
  }
  jointNames(): string[] {
    return Array.from({ length: this.wasm.page_joint_count(this.page) }, (_, i) => this.text(this.wasm.page_joint_name(this.page, i)).trim());
  }
  // [N] of the spring that drags.
  grip(): number {
    return this.wasm.page_grip(this.page);
  }

  shapeCount(): number {
    return this.wasm.page_shape_count(this.page);
  }
  shape(index: number): Shape {
    const address = this.wasm.page_shape(this.page, index);
    const s = this.numbers(address, SHAPE.size);
    const corners = this.numbers(address + s.byteLength, 3 * s[SHAPE.corners]);
    const three = (at: number): Vector => [s[at], s[at + 1], s[at + 2]];
    const turn = SHAPE.orientation;
    return {
      body: s[SHAPE.body], kind: s[SHAPE.kind], position: three(SHAPE.position),
      orientation: [s[turn], s[turn + 1], s[turn + 2], s[turn + 3]],
      radius: s[SHAPE.radius], halfLength: s[SHAPE.halfLength], half: three(SHAPE.half), extent: s[SHAPE.extent],
      corners: s[SHAPE.kind] === ShapeKind.Tube ? new Float32Array() : Float32Array.from(corners), // drawn by its numbers
    };
  }
  bounds(): Float64Array {
    return this.numbers(this.wasm.page_bounds(this.page), BOUNDS.size * this.shapeCount());
  }

  contacts(): Float64Array {
    const count = this.wasm.page_contact_count(this.page);
    return count ? this.numbers(this.wasm.page_contacts(this.page), CONTACT.size * count) : new Float64Array();
  }
  joints(): Float64Array {
    const count = this.wasm.page_joint_count(this.page);
    return count ? this.numbers(this.wasm.page_joints(this.page), JOINT.size * count) : new Float64Array();
  }

  forces(): Float64Array {
    const count = this.wasm.page_force_count(this.page);
    return count ? this.numbers(this.wasm.page_forces(this.page), FORCE.size * count) : new Float64Array();
  }

  // Bodies stand where a frame of a recorded run says; contacts are sought there when wanted.
  place(poses: Float64Array, seek: boolean): boolean {
    const address = allocate(this.wasm, poses.byteLength);
    new Float64Array(this.wasm.memory.buffer, address, poses.length).set(poses);
    const good = this.wasm.page_place(this.page, address, poses.length / BODY.size, seek);
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
