// gltf.ts - a run as a file of glTF: one node per body, its shapes as meshes, its motion as an
// animation.
import * as THREE from "three";
import { GLTFExporter } from "three/examples/jsm/exporters/GLTFExporter.js";
import { BODY, BodyKind } from "./layout.js";
import { placeAt } from "./poses";
import type { Poses } from "./protocol";

// What a body looks like: meshes in its frame.
export interface Look {
  name: string;
  parts: { geometry: THREE.BufferGeometry; local: THREE.Matrix4; color: THREE.Color; flatShading: boolean }[];
}

function bodyNode(look: Look): THREE.Object3D {
  const node = new THREE.Group();
  node.name = look.name;
  for (const { geometry, local, color, flatShading } of look.parts) {
    const mesh = new THREE.Mesh(
      geometry, new THREE.MeshStandardMaterial({ color, vertexColors: true, roughness: 0.8, metalness: 0, flatShading }));
    mesh.applyMatrix4(local);
    node.add(mesh);
  }
  return node;
}

// Position and orientation over time; of a body that came later, also that it is not there before.
function tracksOf(node: THREE.Object3D, body: number, frames: Poses): THREE.KeyframeTrack[] {
  const first = frames.poses.findIndex((poses) => poses.length > body * BODY.size);
  const times = frames.times.slice(first);
  const positions: number[] = [];
  const turns: number[] = [];
  const position = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  for (const poses of frames.poses.slice(first)) {
    placeAt(poses, body, position, turn);
    positions.push(...position.toArray());
    turns.push(...turn.toArray());
  }
  const tracks: THREE.KeyframeTrack[] = [
    new THREE.VectorKeyframeTrack(`${node.uuid}.position`, times, positions),
    new THREE.QuaternionKeyframeTrack(`${node.uuid}.quaternion`, times, turns),
  ];
  if (first > 0)
    tracks.push(new THREE.VectorKeyframeTrack(
      `${node.uuid}.scale`, [frames.times[0], times[0]], [0, 0, 0, 1, 1, 1], THREE.InterpolateDiscrete));
  return tracks;
}

// The file (.glb). Its y axis is up, as the format wants; a world in space has z up and is turned.
export async function writeGltf(title: string, looks: Look[], frames: Poses, flat: boolean): Promise<ArrayBuffer> {
  const root = new THREE.Scene();
  root.name = title;
  const world = new THREE.Group();
  world.name = "world";
  if (!flat) world.rotation.x = -Math.PI / 2;
  root.add(world);
  const last = frames.poses.at(-1)!;
  const tracks: THREE.KeyframeTrack[] = [];
  looks.forEach((look, body) => {
    const kind = last[body * BODY.size + BODY.kind];
    if (kind < 0 || look.parts.length === 0) return;
    const node = bodyNode(look);
    world.add(node);
    const first = frames.poses.find((poses) => poses.length > body * BODY.size)!;
    placeAt(first, body, node.position, node.quaternion);
    if (kind !== BodyKind.Static) tracks.push(...tracksOf(node, body, frames));
  });
  const animations = tracks.length > 0 && frames.times.length > 1 ? [new THREE.AnimationClip("run", -1, tracks)] : [];
  const file = await new GLTFExporter().parseAsync(root, { binary: true, animations, onlyVisible: false });
  return file as ArrayBuffer;
}
