// hand.ts - mouse, pen and finger in the world: drag by a spring, push and pull, throw.
//
// Push and pull is the cursor of Cline (2002), 4.7: it moves in a level plane, up and down while the
// middle button is held, or a second finger; left repels and right attracts, with the tool "pull"
// the other way round.
import * as THREE from "three";
import type { Vector } from "./engine";
import { BODY, BodyKind } from "./layout.js";
import type { Simulation } from "./simulation";
import type { View } from "./view";

export type Tool = "hand" | "push" | "pull" | "throw";

const GRIP_FREQUENCY = 2; // [1/s] of the spring that drags
const PUSH_STRENGTH = 4; // of the weight of a mean body
const PUSH_RANGE = 0.5; // of the size of the scene
const BALL_RADIUS = 0.09; // of the size of the scene
const BALL_MASS = 4; // of a mean body
const BALL_SPEED = 3; // of the speed that a fall by the size of the scene gives, about
const CLICK = 4; // [pixels] a pointer that moved less has clicked
const FALLBACK_DENSITY = 1000; // [kg/m3] of a ball where nothing has a mass

const REPEL = 0xd3382f;
const ATTRACT = 0x2f7de1;

export interface Ball {
  from: Vector; // [m]
  velocity: Vector; // [m/s]
  radius: number; // [m]
  density: number; // [kg/m3]
}

type Grip = "none" | "spring" | "cursor";

export class Hand {
  tool: Tool = "hand";
  enabled = true; // a recorded run cannot be touched
  onSelect: (body: number) => void = () => {};
  onChange: () => void = () => {};
  onThrow: (ball: Ball) => void = () => {};
  private grip: Grip = "none";
  private pointer = new THREE.Vector2();
  private down = new THREE.Vector2();
  private held = new THREE.Vector3(); // where the spring or the cursor is
  private sign = 0; // of the cursor: 1 attracts, -1 repels
  private holder = -1; // pointer that holds it
  private buttons = 0; // one of those that were down then must stay so
  private fingers = new Set<number>(); // others that are down
  private marker: THREE.Mesh<THREE.SphereGeometry, THREE.MeshBasicMaterial>;

  constructor(private engine: Simulation, private view: View, private canvas: HTMLCanvasElement) {
    this.marker = new THREE.Mesh(
      new THREE.SphereGeometry(1, 24, 16),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.75, depthTest: false }));
    this.marker.visible = false;
    this.marker.renderOrder = 2;
    view.marks.add(this.marker);
    // Seen before the camera's controls, which are told to keep still while the hand holds something.
    const frame = canvas.parentElement!;
    frame.addEventListener("pointerdown", (event) => this.press(event), true);
    frame.addEventListener("pointermove", (event) => this.move(event), true);
    frame.addEventListener("pointerup", (event) => this.release(event), true);
    frame.addEventListener("pointercancel", (event) => {
      if (!this.fingers.delete(event.pointerId)) this.letGo();
    }, true);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  // Where the spring pulls to, in pixels of the picture; null when none does.
  gripAt(): { x: number; y: number } | null {
    if (this.grip !== "spring") return null;
    const at = this.view.project(this.held);
    return { x: ((at.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - at.y) / 2) * this.canvas.clientHeight };
  }

  // Something is held: the eye keeps still.
  get holds(): boolean {
    return this.grip !== "none";
  }

  private locate(event: PointerEvent): void {
    const frame = this.canvas.getBoundingClientRect();
    this.pointer.set(
      (2 * (event.clientX - frame.left)) / frame.width - 1,
      1 - (2 * (event.clientY - frame.top)) / frame.height);
  }

  private press(event: PointerEvent): void {
    if (event.target !== this.canvas || !this.enabled) return;
    if (this.grip === "none") this.locate(event);
    this.down.set(event.clientX, event.clientY);
    if (this.grip !== "none") {
      if (event.pointerId !== this.holder) this.fingers.add(event.pointerId);
      return;
    }
    const cursor = this.tool === "push" || this.tool === "pull";
    if (this.tool === "hand" && event.button === 0) this.take();
    if (cursor && event.button !== 1 && !event.shiftKey) this.startCursor(event);
    this.view.controls.enabled = this.grip === "none";
    if (this.grip !== "none") {
      this.holder = event.pointerId;
      this.buttons = event.buttons;
      this.canvas.setPointerCapture(event.pointerId);
    }
    this.onChange();
  }

  private take(): void {
    const hit = this.view.pick(this.pointer.x, this.pointer.y);
    const free = hit && this.engine.bodies()[hit.body * BODY.size + BODY.kind] === BodyKind.Dynamic;
    this.onSelect(hit && free ? hit.body : -1);
    if (!hit || !free) return;
    this.held.copy(hit.point);
    this.engine.send("grab", hit.body, this.vector(), GRIP_FREQUENCY);
    this.grip = "spring";
    this.mark(0xe08a00, 0.015);
  }

  private startCursor(event: PointerEvent): void {
    const hit = this.view.pick(this.pointer.x, this.pointer.y);
    if (hit) this.held.copy(hit.point);
    else this.held.copy(this.view.center);
    const other = event.button === 2 || event.ctrlKey;
    this.sign = (this.tool === "pull") === other ? -1 : 1;
    this.grip = "cursor";
    this.mark(this.sign > 0 ? ATTRACT : REPEL, 0.03);
    this.applyCursor();
  }

  private mark(color: number, radius: number): void {
    this.marker.material.color.set(color);
    this.marker.scale.setScalar(radius * this.view.size);
    this.marker.position.copy(this.held);
    this.marker.visible = true;
  }

  private vector(): Vector {
    return [this.held.x, this.held.y, this.held.z];
  }

  private applyCursor(): void {
    const state = this.engine.state();
    const weight = state.meanMass * (state.gravity || this.view.size);
    this.engine.send("attract", this.vector(), this.sign * PUSH_STRENGTH * weight, PUSH_RANGE * this.view.size);
  }

  // Moves the held point in a plane through it.
  private follow(normal: THREE.Vector3): void {
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, this.held);
    const target = this.view.ray(this.pointer.x, this.pointer.y).ray.intersectPlane(plane, new THREE.Vector3());
    // Near the horizon a level plane goes on for ever; the cursor stays with the scene.
    if (target && target.distanceTo(this.view.center) < 6 * this.view.size) this.held.copy(target);
  }

  private move(event: PointerEvent): void {
    if (this.grip !== "none" && event.pointerId !== this.holder) return;
    this.locate(event);
    if (this.grip === "none") return;
    // A button that goes up while another is down is told as a movement.
    if ((event.buttons & this.buttons) === 0) return this.letGo();
    const facing = this.view.camera.getWorldDirection(new THREE.Vector3());
    const upright = (event.buttons & 4) !== 0 || this.fingers.size > 0;
    if (this.view.flat) this.follow(new THREE.Vector3(0, 0, 1));
    else if (this.grip === "spring") this.follow(facing);
    else if (!upright) this.follow(new THREE.Vector3(0, 0, 1));
    else {
      const { x, y } = this.held;
      this.follow(facing.setZ(0).normalize());
      this.held.setX(x).setY(y);
    }
    this.marker.position.copy(this.held);
    if (this.grip === "spring") this.engine.send("drag", this.vector());
    else this.applyCursor();
    this.onChange();
  }

  private release(event: PointerEvent): void {
    const clicked = this.down.distanceTo(new THREE.Vector2(event.clientX, event.clientY)) < CLICK;
    if (this.enabled && this.tool === "throw" && clicked && event.button === 0 && event.target === this.canvas) {
      this.locate(event);
      this.throwBall();
    }
    if (this.fingers.delete(event.pointerId)) return; // only the way it moves ends
    this.letGo();
  }

  // Also when a scene is opened: what was taken while it came is in the new one.
  letGo(): void {
    if (this.grip === "spring") this.engine.send("letGo");
    if (this.grip === "cursor") this.engine.send("attract", [0, 0, 0], 0, 1);
    this.grip = "none";
    this.holder = -1;
    this.fingers.clear();
    this.marker.visible = false;
    this.view.controls.enabled = true;
    this.onChange();
  }

  // A ball along the view ray; in a flat world from the upper left to where the pointer is.
  throwBall(): void {
    const state = this.engine.state();
    const { size, flat } = this.view;
    const { origin, direction } = this.view.ray(this.pointer.x, this.pointer.y).ray;
    let from = origin.clone().addScaledVector(direction, 0.5 * size);
    let along = direction.clone();
    if (flat) {
      const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), 0);
      const target = this.view.ray(this.pointer.x, this.pointer.y).ray.intersectPlane(plane, new THREE.Vector3());
      from = (target ?? this.view.center).clone().add(new THREE.Vector3(-1.5 * size, 0.5 * size, 0));
      along = (target ?? this.view.center).clone().sub(from).normalize();
    }
    const radius = BALL_RADIUS * size;
    const speed = BALL_SPEED * Math.sqrt((state.gravity || size) * size);
    const volume = flat ? Math.PI * radius ** 2 : (4 / 3) * Math.PI * radius ** 3;
    const density = (BALL_MASS * state.meanMass) / volume || FALLBACK_DENSITY;
    along.multiplyScalar(speed);
    this.onThrow({ from: [from.x, from.y, from.z], velocity: [along.x, along.y, along.z], radius, density });
  }
}
