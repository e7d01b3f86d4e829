// overlays.ts - what one does not see otherwise: contacts, forces, cones, joints, bounds.
import * as THREE from "three";
import { BODY, BOUNDS, BodyKind, CONTACT, FORCE, ForceKind, JOINT } from "./layout.js";
import { Marks } from "./marks";
import type { Wants } from "./protocol";
import type { Simulation } from "./simulation";
import type { View } from "./view";

export const OVERLAYS = {
  contacts: "Contacts",
  normals: "Normals",
  forces: "Forces",
  cones: "Cones",
  penetration: "Penetration",
  joints: "Joint axes",
  bounds: "Bounds",
  islands: "Islands",
} as const;
export type Overlay = keyof typeof OVERLAYS;
export const LIVE_ONLY: Overlay[] = ["islands"]; // which a recorded run does not tell
const OF_CONTACTS: Overlay[] = ["contacts", "normals", "forces", "cones", "penetration"];

const TOUCHING = 1e-3; // a gap, of the size of the scene, up to which a contact is shown
const OVERLAP_FULL = 1e-3; // overlap, of the size of the scene, that is drawn in the full colour
const CONE_SIDES = 16;

const ARROW = 0.0045; // radius of a thin arrow, of the size of the scene
const WEIGHT = 0.14; // length of the weight of a mean body, likewise
const LONGEST = 0.7; // arrow, likewise: where forces are larger, all are drawn half as long, or less
const THICKEST = 3; // of a thin arrow
const MARK = 0.08; // length of normals and cones, of the size of the scene

// Forces as they are drawn, for the legend.
export interface Drawn {
  perNewton: number; // [m/N] length
  pressure: number; // [N] largest
  friction: number; // [N] largest
  overlap: number; // [m] that has the full colour
  mu: [number, number]; // smallest and largest coefficient; empty of contacts it is [Infinity, 0]
}

export const TONES = { normals: "#2f7de1", pressure: "#d6283b", friction: "#f2930d", cones: "#d9a441" }; // as the legend shows them
const NORMAL = new THREE.Color(0x2f7de1);
const PRESSURE = new THREE.Color(0xd6283b);
const FRICTION = new THREE.Color(0xf2930d);
const CONE = new THREE.Color(0xd9a441);
const JOINT_AXIS = new THREE.Color(0x7a2fd3);
const BOX = new THREE.Color(0x2f8f6f);
const SPRING = new THREE.Color(0xf2930d);
const ATTRACTS = new THREE.Color(0x2f7de1);
const REPELS = new THREE.Color(0xd3382f);
const SPRING_TURNS = 12;

// A line is one pixel wide, half of one where four are drawn for one: there it is drawn three times,
// also to the right and above.
class LineMaterial extends THREE.ShaderMaterial {
  constructor(private shifted: [number, number]) {
    super({
      uniforms: { shift: { value: new THREE.Vector2() } },
      vertexShader: `
uniform vec2 shift;
varying vec3 tone;
void main() {
  tone = color;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_Position.xy += shift * gl_Position.w;
}`,
      fragmentShader: `
varying vec3 tone;
void main() {
  gl_FragColor = vec4(tone, 1.0);
  #include <colorspace_fragment>
}`,
      vertexColors: true, depthTest: false, depthWrite: false,
    });
  }
  override onBeforeRender(renderer: THREE.WebGLRenderer): void {
    const pixels = renderer.getDrawingBufferSize(new THREE.Vector2());
    const wide = renderer.getPixelRatio() > 1 ? 2 : 0; // of the whole, which is 2
    this.uniforms.shift.value.set((wide * this.shifted[0]) / pixels.x, (wide * this.shifted[1]) / pixels.y);
    this.uniformsNeedUpdate = true;
  }
}

// Line segments and dots that are written anew for each frame, into the same room while they fit.
class Strokes {
  private room = 0; // points
  private positions: number[] = [];
  private colors: number[] = [];
  readonly object: THREE.LineSegments | THREE.Points;

  constructor(dots: boolean) {
    const geometry = new THREE.BufferGeometry();
    const line = (right: number, up: number) => new THREE.LineSegments(geometry, new LineMaterial([right, up]));
    this.object = dots
      ? new THREE.Points(geometry, new THREE.PointsMaterial({
        vertexColors: true, size: 6, sizeAttenuation: false, depthTest: false }))
      : line(0, 0).add(line(1, 0), line(0, 1));
    this.object.visible = false; // there is nothing yet
    this.object.traverse((part) => {
      part.frustumCulled = false;
      part.renderOrder = 1;
    });
  }
  add(point: THREE.Vector3, color: THREE.Color): void {
    this.positions.push(point.x, point.y, point.z);
    this.colors.push(color.r, color.g, color.b);
  }
  line(from: THREE.Vector3, to: THREE.Vector3, color: THREE.Color): void {
    this.add(from, color);
    this.add(to, color);
  }
  // Shows what was added since the last time.
  finish(): void {
    const geometry = this.object.geometry;
    const points = this.positions.length / 3;
    if (points > this.room) {
      this.room = 2 * points;
      geometry.dispose(); // which had the old room
      for (const name of ["position", "color"])
        geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * this.room), 3));
    }
    for (const [name, numbers] of [["position", this.positions], ["color", this.colors]] as const) {
      const attribute = geometry.getAttribute(name) as THREE.BufferAttribute | undefined;
      if (!attribute) continue;
      attribute.array.set(numbers);
      attribute.needsUpdate = true;
    }
    geometry.setDrawRange(0, points);
    this.object.visible = points > 0;
    this.positions = [];
    this.colors = [];
  }
}

export class Overlays {
  readonly shown = new Set<Overlay>();
  onlySelected = false; // contacts of other bodies are not shown
  private poses: Float64Array = new Float64Array();
  private recorded: Float64Array | null = null; // contacts of a recorded run, with their forces
  selected = -1; // body, whose bounds are drawn
  drawn: Drawn = { perNewton: 0, pressure: 0, friction: 0, overlap: 0, mu: [Infinity, 0] };
  private lines = new Strokes(false);
  private dots = new Strokes(true);
  readonly marks: Marks;

  constructor(private engine: Simulation, private view: View) {
    view.marks.add(this.lines.object, this.dots.object);
    this.marks = new Marks(view.marks);
  }

  toggle(overlay: Overlay, on: boolean): void {
    if (on) this.shown.add(overlay);
    else this.shown.delete(overlay);
    if (overlay === "islands") this.view.setIslands(on);
  }

  // What frames must have for what is shown.
  wants(): Wants {
    return {
      contacts: OF_CONTACTS.some((overlay) => this.shown.has(overlay)),
      bounds: this.shown.has("bounds") || this.selected >= 0,
      inspect: this.selected,
    };
  }

  // A recorded run has no place for a body that was removed.
  private isThere(body: number): boolean {
    return Number.isFinite(this.poses[body * BODY.size + BODY.position]);
  }

  // `poses` of the bodies as they are drawn, and the contacts that were recorded with them, if any.
  update(poses: Float64Array = this.engine.bodies(), recorded: Float64Array | null = null): void {
    this.poses = poses;
    this.recorded = recorded;
    const { contacts, bounds } = this.wants();
    if (contacts) this.drawContacts();
    if (this.shown.has("joints")) this.drawJoints();
    if (bounds) this.drawBounds(this.shown.has("bounds"));
    this.drawForces();
    this.lines.finish();
    this.dots.finish();
    this.marks.finish();
  }

  // Springs, and attractors of the scene, which are a part of it as the bodies are.
  private drawForces(): void {
    const forces = this.engine.forces();
    for (let at = 0; at < forces.length; at += FORCE.size) {
      const kind = forces[at + FORCE.kind];
      const from = new THREE.Vector3().fromArray(forces, at + FORCE.from);
      if (kind === ForceKind.Spring)
        this.drawSpring(from, new THREE.Vector3().fromArray(forces, at + FORCE.to));
      if (kind === ForceKind.Attractor)
        this.drawAttractor(from, forces[at + FORCE.strength] > 0 ? ATTRACTS : REPELS);
    }
  }

  private drawSpring(from: THREE.Vector3, to: THREE.Vector3): void {
    const along = to.clone().sub(from);
    const side = this.view.camera.getWorldDirection(new THREE.Vector3()).cross(along);
    side.setLength(0.02 * this.view.size);
    let last = from;
    for (let i = 1; i < 2 * SPRING_TURNS; ++i) {
      const next = from.clone().addScaledVector(along, i / (2 * SPRING_TURNS));
      if (i > 2 && i < 2 * SPRING_TURNS - 2) next.addScaledVector(side, i % 2 ? 1 : -1);
      this.lines.line(last, next, SPRING);
      last = next;
    }
    this.lines.line(last, to, SPRING);
  }

  private drawAttractor(center: THREE.Vector3, color: THREE.Color): void {
    const reach = 0.05 * this.view.size;
    for (const axis of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.7, 0.7, 0], [0.7, -0.7, 0]]) {
      const arm = new THREE.Vector3(...axis).multiplyScalar(reach);
      this.lines.line(center.clone().sub(arm), center.clone().add(arm), color);
    }
  }

  private drawContacts(): void {
    const state = this.engine.state();
    const size = this.view.size;
    // Without weight, the force that moves a mean body by the size of the scene in a second.
    const weight = state.meanMass * (state.gravity || size);
    let perNewton = (WEIGHT * size) / (weight || 1);
    const longest = perNewton * this.largestForce();
    if (longest > LONGEST * size) perNewton /= 2 ** Math.ceil(Math.log2(longest / (LONGEST * size)));
    this.drawn = { perNewton, pressure: 0, friction: 0, overlap: OVERLAP_FULL * size, mu: [Infinity, 0] };
    const { shown, recorded } = this;
    // Contacts of a recorded run are found in its poses; their forces come from the file, as forces.
    if (!recorded) return this.drawAll(this.engine.contacts(), state.step, shown);
    this.drawAll(this.engine.contacts(), 1, new Set([...shown].filter((overlay) => overlay !== "forces")));
    if (shown.has("forces")) this.drawAll(recorded, 1, new Set<Overlay>(["forces"]));
  }

  // [N] of all contacts.
  private largestForce(): number {
    const contacts = this.recorded ?? this.engine.contacts();
    let largest = 0;
    for (let at = CONTACT.impulse; at < contacts.length; at += CONTACT.size)
      largest = Math.max(largest, Math.hypot(contacts[at], contacts[at + 1], contacts[at + 2]));
    return largest / (this.recorded ? 1 : this.engine.state().step || 1);
  }

  // Records CONTACT, with impulses over `step` [s].
  private drawAll(contacts: Float64Array, step: number, shown: Set<Overlay>): void {
    const size = this.view.size;
    const bodies = this.engine.bodies();
    for (let at = 0; at < contacts.length; at += CONTACT.size) {
      const c = contacts.subarray(at, at + CONTACT.size);
      const [bodyA, bodyB, gap] = [c[CONTACT.bodyA], c[CONTACT.bodyB], c[CONTACT.gap]];
      if (!this.isThere(bodyA) || !this.isThere(bodyB)) continue;
      if (this.onlySelected && this.selected >= 0 && bodyA !== this.selected && bodyB !== this.selected) continue;
      const force = new THREE.Vector3().fromArray(c, CONTACT.impulse).divideScalar(step || 1);
      if (gap > TOUCHING * size && force.lengthSq() === 0) continue;
      // Drawn is what acts on the one that moves; of two, on the selected or the upper one.
      const moves = (body: number) => bodies[body * BODY.size + BODY.kind] === BodyKind.Dynamic;
      const normal = new THREE.Vector3().fromArray(c, CONTACT.normal);
      const upper = this.onlySelected && this.selected >= 0 ? bodyA === this.selected : (this.view.flat ? normal.y : normal.z) >= 0;
      const side = moves(bodyA) && (upper || !moves(bodyB)) ? 1 : -1;
      this.drawContact(
        new THREE.Vector3().fromArray(c, CONTACT.point), normal.multiplyScalar(side), gap, force.multiplyScalar(side), c[CONTACT.mu], shown);
    }
  }

  private drawForce(point: THREE.Vector3, force: THREE.Vector3, color: THREE.Color): void {
    const { size } = this.view;
    const vector = force.clone().multiplyScalar(this.drawn.perNewton);
    const wide = Math.min(0.6 + Math.sqrt(vector.length() / (WEIGHT * size)), THICKEST);
    this.marks.arrow(point, vector, ARROW * size * wide, color);
  }

  private drawContact(point: THREE.Vector3, normal: THREE.Vector3, gap: number, force: THREE.Vector3,
    mu: number, shown: Set<Overlay>): void {
    const { size } = this.view;
    const { drawn } = this;
    if (shown.has("contacts")) this.dots.add(point, new THREE.Color(this.view.theme.mark));
    if (shown.has("penetration") && gap < 0) {
      const depth = Math.min(1, -gap / drawn.overlap);
      this.dots.add(point, new THREE.Color().setHSL(0.33 * (1 - depth), 0.9, 0.45));
    }
    if (shown.has("normals"))
      this.marks.arrow(point, normal.clone().multiplyScalar(MARK * size), ARROW * size, NORMAL);
    if (shown.has("forces")) {
      const pressure = normal.clone().multiplyScalar(normal.dot(force));
      const friction = force.clone().sub(pressure);
      drawn.pressure = Math.max(drawn.pressure, pressure.length());
      drawn.friction = Math.max(drawn.friction, friction.length());
      this.drawForce(point, pressure, PRESSURE);
      this.drawForce(point, friction, FRICTION);
    }
    if (shown.has("cones") && mu > 0) {
      drawn.mu = [Math.min(drawn.mu[0], mu), Math.max(drawn.mu[1], mu)];
      this.drawCone(point, normal, mu, MARK * size);
    }
  }

  private drawCone(point: THREE.Vector3, normal: THREE.Vector3, mu: number, height: number): void {
    this.marks.cone(point, normal, mu, height, CONE);
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal);
    const rim = (i: number) => {
      const angle = (2 * Math.PI * i) / CONE_SIDES;
      return new THREE.Vector3(mu * Math.cos(angle), mu * Math.sin(angle), 1)
        .multiplyScalar(height).applyQuaternion(turn).add(point);
    };
    for (let i = 0; i < CONE_SIDES; ++i) this.lines.line(rim(i), rim(i + 1), CONE);
  }

  private drawJoints(): void {
    const joints = this.engine.joints();
    for (let at = 0; at < joints.length; at += JOINT.size) {
      const origin = new THREE.Vector3().fromArray(joints, at + JOINT.position);
      const [w, x, y, z] = joints.subarray(at + JOINT.orientation);
      const axis = new THREE.Vector3(1, 0, 0).applyQuaternion(new THREE.Quaternion(x, y, z, w));
      axis.multiplyScalar(0.1 * this.view.size);
      this.lines.line(origin.clone().sub(axis), origin.clone().add(axis), JOINT_AXIS);
      this.lines.line(origin, new THREE.Vector3().fromArray(joints, at + JOINT.other), JOINT_AXIS);
      this.dots.add(origin, JOINT_AXIS);
    }
  }

  private drawBounds(all: boolean): void {
    const bounds = this.engine.bounds(); // none until a frame with them has come
    this.engine.shapes().forEach((shape, i) => {
      const body = shape?.body ?? -1;
      if (body < 0 || (!all && body !== this.selected) || !this.isThere(body)) return;
      const b = bounds.subarray(i * BOUNDS.size, (i + 1) * BOUNDS.size);
      if (b.length === 0 || b.every((value) => value === 0)) return;
      this.drawBox(b, body === this.selected ? FRICTION : BOX);
    });
  }

  private drawBox(b: Float64Array, color: THREE.Color): void {
    const side = (upper: number, k: number) => b[(upper ? BOUNDS.upper : BOUNDS.lower) + k];
    const corner = (i: number) => new THREE.Vector3(side(i & 1, 0), side(i & 2, 1), side(i & 4, 2));
    for (let i = 0; i < 8; ++i)
      for (const bit of [1, 2, 4]) if (!(i & bit)) this.lines.line(corner(i), corner(i | bit), color);
  }
}
