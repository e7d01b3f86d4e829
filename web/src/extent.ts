// extent.ts - how much room a scene takes: the box that its first picture has to show.
import * as THREE from "three";
import type { Frames } from "./frames";
import { BODY, BOUNDS, BodyKind, FORCE, ForceKind, JOINT } from "./layout.js";
import type { Simulation } from "./simulation";

const LINKAGE_PLAY = 0.15; // room on each side of a linkage, of its size
const THIN = 0.2; // thickness of a mechanism, of its reach, that counts as flat
const LOOKS = 240; // frames of a recorded run that are looked at, at most

const ballOf = (box: THREE.Box3) => box.getBoundingSphere(new THREE.Sphere());

// What hangs on the ground at one point may swing about it; on several, it moves about its place.
function addSwings(box: THREE.Box3, engine: Simulation, flat: boolean): void {
  const joints = engine.joints();
  const anchors: THREE.Vector3[] = [];
  for (let at = 0; at < joints.length; at += JOINT.size)
    if (joints[at + JOINT.bodyA] < 0 || joints[at + JOINT.bodyB] < 0)
      anchors.push(new THREE.Vector3().fromArray(joints, at + JOINT.position));
  if (box.isEmpty() || anchors.length === 0) return;
  const size = box.getSize(new THREE.Vector3());
  if (anchors.length > 1) {
    box.expandByVector(size.multiplyScalar(LINKAGE_PLAY));
    return;
  }
  const [anchor] = anchors;
  const far = new THREE.Vector3().subVectors(box.max, anchor).max(new THREE.Vector3().subVectors(anchor, box.min));
  const reach = Math.max(far.x, far.y, far.z);
  const swing = new THREE.Vector3(reach, reach, flat ? 0 : reach);
  // What is thin stays in its plane.
  if (!flat && size.y < THIN * reach) swing.y = size.y;
  if (!flat && size.x < THIN * reach) swing.x = size.x;
  box.union(new THREE.Box3(anchor.clone().sub(swing), anchor.clone().add(swing)));
}

// Where springs are held.
function addSprings(box: THREE.Box3, engine: Simulation): void {
  const forces = engine.forces();
  for (let at = 0; at < forces.length; at += FORCE.size)
    if (forces[at + FORCE.kind] === ForceKind.Spring)
      box.expandByPoint(new THREE.Vector3().fromArray(forces, at + FORCE.to));
}

// Every place where a body is in a recorded run, with what it had about it at first.
function addRun(box: THREE.Box3, own: Map<number, THREE.Box3>, first: Float64Array, run: Frames): void {
  const every = Math.max(1, Math.floor(run.poses.length / LOOKS));
  const looks = run.poses.filter((_, i) => i % every === 0 || i === run.poses.length - 1);
  const place = new THREE.Vector3();
  for (const [body, around] of own) {
    const from = new THREE.Vector3().fromArray(first, body * BODY.size + BODY.position);
    const reach = Math.max(from.distanceTo(around.min), from.distanceTo(around.max));
    for (const poses of looks) {
      place.fromArray(poses, body * BODY.size + BODY.position);
      if (Number.isFinite(place.x)) box.union(new THREE.Box3(place.clone().subScalar(reach), place.clone().addScalar(reach)));
    }
  }
}

// The box about what moves and the smaller of what does not; about everything bounded when nothing
// moves. Of a recorded run it holds all poses.
export function extentOf(engine: Simulation, flat: boolean, run: Frames | null): THREE.Box3 {
  const bounds = engine.firstBounds();
  const bodies = engine.bodies();
  const box = new THREE.Box3();
  const wide = new THREE.Box3();
  const still: THREE.Box3[] = [];
  const moving = new Map<number, THREE.Box3>();
  engine.shapes().forEach((shape, i) => {
    if (!shape || !Number.isFinite(shape.extent)) return;
    const [lx, ly, lz, ux, uy, uz] = bounds.subarray(i * BOUNDS.size);
    const own = new THREE.Box3(new THREE.Vector3(lx, ly, lz), new THREE.Vector3(ux, uy, uz));
    wide.union(own);
    if (bodies[shape.body * BODY.size + BODY.kind] !== BodyKind.Dynamic) still.push(own);
    else {
      box.union(own);
      moving.set(shape.body, (moving.get(shape.body) ?? new THREE.Box3()).union(own));
    }
  });
  if (run) addRun(box, moving, bodies, run);
  const ball = ballOf(box);
  if (!box.isEmpty())
    for (const own of still)
      if (ballOf(own).radius < ball.radius && ballOf(own).intersectsSphere(ball)) box.union(own);
  if (!run) addSwings(box, engine, flat);
  addSprings(box, engine);
  const used = box.isEmpty() ? wide : box;
  if (used.isEmpty()) used.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
  return used;
}
