// poses.ts - where a body is, out of the records BODY of a frame.
import type * as THREE from "three";
import { BODY } from "./layout.js";

export function placeAt(poses: Float64Array, body: number, position: THREE.Vector3, turn: THREE.Quaternion): void {
  const at = body * BODY.size;
  position.fromArray(poses, at + BODY.position);
  const q = at + BODY.orientation; // w x y z
  turn.set(poses[q + 1], poses[q + 2], poses[q + 3], poses[q]);
}
