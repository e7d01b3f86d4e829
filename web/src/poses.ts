// poses.ts - where a body is, out of the records BODY of a frame.
import type * as THREE from "three";
import { BODY, MASS } from "./layout.js";

export function placeAt(poses: Float64Array, body: number, position: THREE.Vector3, turn: THREE.Quaternion): void {
  const at = body * BODY.size;
  position.fromArray(poses, at + BODY.position);
  const q = at + BODY.orientation; // w x y z
  turn.set(poses[q + 1], poses[q + 2], poses[q + 3], poses[q]);
}

// The centre of mass of a body; `turn` is room for its orientation.
export function centerAt(poses: Float64Array, masses: Float64Array, body: number, center: THREE.Vector3, turn: THREE.Quaternion): void {
  const at = body * BODY.size;
  const q = at + BODY.orientation;
  turn.set(poses[q + 1], poses[q + 2], poses[q + 3], poses[q]);
  center.fromArray(masses, body * MASS.size + MASS.center).applyQuaternion(turn);
  for (const [axis, k] of [["x", 0], ["y", 1], ["z", 2]] as const) center[axis] += poses[at + BODY.position + k];
}
