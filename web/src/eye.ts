// eye.ts - where one looks from: sees all at first, follows what matters when it leaves the picture,
// goes along with one body when asked to.
//
// Worlds of dimension 2 are looked at straight and without perspective. "Distance" means the same
// for both cameras: that from which a camera with perspective sees as much.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { BODY, MASS } from "./layout.js";
import { centerAt } from "./poses";

const FOV = 40; // [degrees] across the height
const TANGENT = Math.tan(THREE.MathUtils.degToRad(FOV / 2));
const FILLED = 0.84; // part of the window that the scene fills when it is opened
const NEAREST = 1.7; // distance at least, of the size of the scene
const KEY_TURN = 20; // [1/height of the window] turns of one press of an arrow
const KEY_SHIFT = 30; // [pixels] of one press
const INNER = 0.8; // part of the picture in which what moves is left alone
const LEFT = 0.05; // part of the moving mass that may be outside of it
const BROUGHT = 0.55; // part of the picture that what is followed may fill
const FARTHEST = 4; // distance of following, of that at the start
const RATE = 4.5; // [1/s] of the spring, critically damped, that moves the eye
const AHEAD = 0.05; // [s] over which the speed of what is followed is averaged
const ARRIVED = 2e-3; // of the size: so near to its goal the eye stays
const LONGEST = 0.1; // [s] that the eye moves at once
const MOVED = 2e-4; // of the size, between two looks: so far goes what moves
const LOOK_EVERY = 0.15; // [s] between looks at what moves

// How a scene states its camera (docs/scene.md).
export interface Stated {
  at: number[];
  from?: number[];
  height?: number;
}

// [m] that a stated camera shows across the picture.
export function heightOf({ at, from, height = 1 }: Stated): number {
  return from ? 2 * TANGENT * Math.hypot(...from.map((x, i) => x - (at[i] ?? 0))) : height;
}

export class Eye {
  private perspective = new THREE.PerspectiveCamera(FOV, 1, 0.01, 1000);
  private straight = new THREE.OrthographicCamera();
  camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
  controls: OrbitControls;
  onChange: () => void = () => {};
  tracked = -1; // body that the eye goes along with
  private box = new THREE.Box3();
  private size = 1;
  private flat = false;
  private stated: Stated | null = null;
  private aspect = 1;
  private own = true; // nobody has moved it: it may follow
  private home = { target: new THREE.Vector3(), distance: 1, away: new THREE.Vector3(0, -1, 0) };
  private goal: { target: THREE.Vector3; distance: number } | null = null;
  private speed = new THREE.Vector3();
  private goalBefore: THREE.Vector3 | null = null; // where the goal was at the last step of the eye
  private goalSpeed = new THREE.Vector3(); // [m/s] mean
  private zoomSpeed = 0; // [1/s] of the logarithm of the distance
  private placing = false;
  private known = { target: new THREE.Vector3(), distance: 1 };
  private before: Float64Array = new Float64Array(); // poses at the last look
  private moves: boolean[] = [];
  private lookedAt = -1; // [s]
  private last = 0; // [s] of the clock

  constructor(private canvas: HTMLCanvasElement) {
    this.controls = new OrbitControls(this.camera, canvas);
  }

  get target(): THREE.Vector3 {
    return this.controls.target;
  }

  get distance(): number {
    const { camera } = this;
    if (camera === this.straight) return this.straight.top / (this.straight.zoom * TANGENT);
    return camera.position.distanceTo(this.target);
  }

  // [m] that the picture is high at the target.
  get height(): number {
    return 2 * TANGENT * this.distance;
  }

  // Looks at what is in `box`, a scene of `size` [m].
  open(box: THREE.Box3, size: number, flat: boolean, stated: Stated | null): void {
    Object.assign(this, { box, size, flat, stated, tracked: -1, before: new Float64Array() });
    this.camera = flat ? this.straight : this.perspective;
    this.camera.up.set(0, flat ? 1 : 0, flat ? 0 : 1);
    this.camera.near = flat ? 0 : size / 100;
    this.camera.far = 120 * size;
    this.controls.dispose();
    // A new one, because it keeps the axis that was up when it was made.
    this.controls = new OrbitControls(this.camera, this.canvas);
    const { controls } = this;
    controls.maxDistance = 30 * size;
    [controls.minZoom, controls.maxZoom] = [1 / 30, 100];
    controls.keyRotateSpeed = KEY_TURN;
    controls.keyPanSpeed = KEY_SHIFT;
    controls.enableRotate = !flat;
    controls.screenSpacePanning = true;
    if (flat) {
      controls.mouseButtons.LEFT = THREE.MOUSE.PAN;
      controls.touches.ONE = THREE.TOUCH.PAN;
    }
    controls.listenToKeyEvents(this.canvas);
    controls.addEventListener("change", () => this.changed());
    this.goHome();
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(height, 1);
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    const half = this.straight.top;
    Object.assign(this.straight, { left: -half * this.aspect, right: half * this.aspect });
    this.straight.updateProjectionMatrix();
    if (this.own && !this.goal && this.tracked < 0 && this.target.distanceTo(this.home.target) < 1e-9 * this.size) this.goHome();
  }

  // Somebody else may have moved the camera: it is theirs when it was shifted or zoomed, not when turned.
  private changed(): void {
    if (this.placing) return;
    const { known, target, distance } = this;
    if (target.distanceTo(known.target) > 1e-9 * this.size || Math.abs(distance / known.distance - 1) > 1e-6) {
      this.own = false;
      this.goal = null;
    }
    this.remember();
    this.onChange();
  }

  private remember(): void {
    this.known.target.copy(this.target);
    this.known.distance = this.distance;
  }

  private place(target: THREE.Vector3, distance: number, away: THREE.Vector3): void {
    this.placing = true;
    this.controls.target.copy(target);
    const { camera, straight } = this;
    camera.position.copy(target).addScaledVector(away, this.flat ? 60 * this.size : distance);
    if (camera === straight) {
      const half = distance * TANGENT;
      Object.assign(straight, { top: half, bottom: -half, left: -half * this.aspect, right: half * this.aspect, zoom: 1 });
    }
    camera.updateProjectionMatrix();
    this.controls.update();
    this.placing = false;
    this.remember();
    this.onChange();
  }

  // From where the long side of the scene is seen.
  private defaultAway(): THREE.Vector3 {
    if (this.flat) return new THREE.Vector3(0, 0, 1);
    const { x, y } = this.box.getSize(new THREE.Vector3());
    const away = x > 2 * y ? [0.42, -1, 0.32] : y > 2 * x ? [1, -0.42, 0.32] : [0.72, -1, 0.36];
    return new THREE.Vector3(...away).normalize();
  }

  // How far from `center` the camera sees the whole box, looking against `away`.
  private fitting(center: THREE.Vector3, away: THREE.Vector3): number {
    const tangent = TANGENT * FILLED;
    const right = new THREE.Vector3().crossVectors(this.camera.up, away).normalize();
    const upward = new THREE.Vector3().crossVectors(away, right);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(
        i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y,
        i & 4 ? this.box.max.z : this.box.min.z).sub(center);
      const wide = Math.abs(corner.dot(right)) / (tangent * this.aspect);
      const high = Math.abs(corner.dot(upward)) / tangent;
      distance = Math.max(distance, (this.flat ? 0 : corner.dot(away)) + Math.max(wide, high));
    }
    return distance;
  }

  private findHome(): void {
    const { stated, home, flat } = this;
    if (stated) {
      const [x = 0, y = 0, z = 0] = stated.at;
      home.target.set(x, y, z);
      home.away.copy(stated.from ? new THREE.Vector3(...(stated.from as [number, number, number])).sub(home.target) : this.defaultAway());
      // What is stated is for a window that is wider than high.
      const far = flat ? (stated.height ?? 1) / (2 * TANGENT) : home.away.length();
      home.distance = far * Math.max(1, 1.3 / this.aspect);
      home.away.normalize();
    } else {
      this.box.getCenter(home.target);
      home.away.copy(this.defaultAway());
      home.distance = Math.max(this.fitting(home.target, home.away), flat ? 0 : NEAREST * this.size);
    }
  }

  private goHome(): void {
    this.findHome();
    this.own = true;
    this.goal = null;
    this.speed.setScalar(0);
    this.zoomSpeed = 0;
    this.place(this.home.target, this.home.distance, this.home.away);
  }

  // Back to where all is seen, and from now on the eye follows again.
  fit(): void {
    this.tracked = -1;
    this.goHome();
  }

  // Looks as another eye does.
  mirror(other: Eye): void {
    this.place(other.target.clone(), other.distance, other.away());
  }

  // Goes along with a body; -1 ends it.
  track(body: number): void {
    this.tracked = body;
    this.own = true;
    this.goal = null;
  }

  zoom(factor: number): void {
    this.place(this.target.clone(), this.distance * factor, this.away());
    this.own = false;
    this.goal = null;
  }

  private away(): THREE.Vector3 {
    return this.camera.position.clone().sub(this.target).normalize();
  }

  // Which bodies have moved since the last look.
  private look(poses: Float64Array, now: number): void {
    if (this.before.length === poses.length && now < this.lookedAt + LOOK_EVERY) return;
    const { before } = this;
    const moves = Array.from({ length: poses.length / BODY.size }, (_, i) => {
      const shift = [0, 1, 2].reduce((sum, k) => sum + Math.abs(poses[i * BODY.size + k] - before[i * BODY.size + k]), 0);
      return shift > MOVED * this.size;
    });
    if (moves.join() !== this.moves.join()) this.goalBefore = null; // the goal jumps, which is no speed
    this.moves = moves;
    this.before = poses.slice();
    this.lookedAt = now;
  }

  // Of every body that moves its mass [kg] and where it is.
  private *moving(poses: Float64Array, masses: Float64Array): Iterable<[number, THREE.Vector3]> {
    const turn = new THREE.Quaternion();
    for (const [i, moves] of this.moves.entries()) {
      const mass = masses[i * MASS.size + MASS.mass];
      if (!moves || !(mass > 0)) continue;
      const place = new THREE.Vector3();
      centerAt(poses, masses, i, place, turn);
      if (Number.isFinite(place.x)) yield [mass, place];
    }
  }

  // The part of the moving mass that is outside the inner part of the picture; 0 when nothing moves.
  outside(poses: Float64Array, masses: Float64Array): number {
    this.camera.updateMatrixWorld();
    const away = this.away();
    let [all, out] = [0, 0];
    for (const [mass, place] of this.moving(poses, masses)) {
      const behind = !this.flat && place.clone().sub(this.camera.position).dot(away) > 0;
      place.project(this.camera);
      all += mass;
      if (behind || Math.max(Math.abs(place.x), Math.abs(place.y)) > INNER) out += mass;
    }
    return all > 0 ? out / all : 0;
  }

  // The middle of the moving mass, but for its outermost parts of LEFT, and how far one has to be to see it.
  private findMoving(poses: Float64Array, masses: Float64Array): { target: THREE.Vector3; distance: number } | null {
    const all = [...this.moving(poses, masses)];
    if (all.length === 0) return null;
    const total = all.reduce((sum, [mass]) => sum + mass, 0);
    const away = this.away();
    const right = new THREE.Vector3().crossVectors(this.camera.up, away).normalize();
    const upward = new THREE.Vector3().crossVectors(away, right);
    const target = new THREE.Vector3();
    let distance = 0;
    for (const [axis, tangent] of [[right, TANGENT * this.aspect], [upward, TANGENT], [away, Infinity]] as const) {
      const along = all.map(([mass, place]) => ({ mass, at: place.dot(axis) })).sort((p, q) => p.at - q.at);
      const beyond = (list: typeof along) => {
        let sum = 0;
        return list.find(({ mass }) => (sum += mass) > 0.5 * LEFT * total)!.at;
      };
      const [low, high] = [beyond(along), beyond(along.reverse())];
      target.addScaledVector(axis, (low + high) / 2);
      distance = Math.max(distance, (high - low) / 2 / (tangent * BROUGHT));
    }
    return { target, distance };
  }

  private aim(poses: Float64Array, masses: Float64Array, now: number): void {
    if (this.tracked >= 0) {
      const target = new THREE.Vector3();
      centerAt(poses, masses, this.tracked, target, new THREE.Quaternion());
      if (Number.isFinite(target.x)) this.goal = { target, distance: this.distance };
      return;
    }
    this.look(poses, now);
    if (!this.goal && this.outside(poses, masses) <= LEFT) return;
    const found = this.findMoving(poses, masses);
    if (!found) return;
    const { distance } = this.home;
    this.goal = { target: found.target, distance: Math.min(Math.max(found.distance, distance), FARTHEST * distance) };
  }

  // How fast the goal goes, after `h` seconds.
  private noteGoal(h: number): void {
    if (!this.goal) {
      this.goalBefore = null;
      this.goalSpeed.set(0, 0, 0);
    } else {
      if (this.goalBefore && h > 0) {
        const seen = this.goal.target.clone().sub(this.goalBefore).divideScalar(h);
        this.goalSpeed.lerp(seen, h / (AHEAD + h));
      }
      this.goalBefore = this.goal.target.clone();
    }
  }

  // Moves towards what is to be seen of `poses`, with the records `masses` of the bodies, at the time
  // `now` [s] of the clock; true while it is on its way. It keeps still while it is `held`.
  follow(poses: Float64Array, masses: Float64Array, now: number, held: boolean): boolean {
    const h = Math.min(Math.max(now - this.last, 0), LONGEST);
    this.last = now;
    if (!this.own || held) return false;
    this.aim(poses, masses, now);
    this.noteGoal(h);
    if (!this.goal) return false;
    // The implicit step of a critically damped spring, which is stable for every h.
    // It is damped against the speed of its goal, or it would stay behind what moves steadily by twice that speed over RATE.
    const pull = (off: number, speed: number, ahead = 0) =>
      speed + (h * (RATE * RATE * off - 2 * RATE * (speed - ahead))) / (1 + RATE * h) ** 2;
    const off = this.goal.target.clone().sub(this.target);
    const stretch = Math.log(this.goal.distance / this.distance);
    const { speed, goalSpeed } = this;
    speed.set(pull(off.x, speed.x, goalSpeed.x), pull(off.y, speed.y, goalSpeed.y), pull(off.z, speed.z, goalSpeed.z));
    this.zoomSpeed = pull(stretch, this.zoomSpeed);
    const there = off.length() < ARRIVED * this.size && Math.abs(stretch) < ARRIVED && this.speed.length() < ARRIVED * this.size;
    this.place(this.target.clone().addScaledVector(this.speed, h), this.distance * Math.exp(this.zoomSpeed * h), this.away());
    if (there && this.tracked < 0) this.goal = null;
    return !there;
  }
}
