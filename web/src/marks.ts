// marks.ts - solid things that are drawn over the bodies: arrows and friction cones, many at once.
import * as THREE from "three";
import { CROWD_VERTEX, Crowd, type Shading, crowdUniforms } from "./crowd";
import { withoutEdges } from "./edges";
import { inOneTone } from "./shapes";

const SIDES = 7; // of shafts and heads
const HEAD_WIDTH = 2.6; // of the shaft's
const HEAD_LENGTH = 6.5; // of the shaft's radius
const HEAD_MOST = 0.5; // of the length of the arrow
const ROOM = 64; // marks at first

function materialOf(opacity: number): Shading {
  const look = new THREE.ShaderMaterial({
    uniforms: { ...crowdUniforms(), opacity: { value: opacity } },
    vertexShader: `
${CROWD_VERTEX}
varying vec3 tone;
void main() {
  mat4 frame = pose();
  gl_Position = projectionMatrix * viewMatrix * (frame * vec4(position, 1.0));
  vec3 n = mat3(viewMatrix) * (mat3(frame) * normal);
  n /= max(length(n), 1e-30);
  tone = ownColor() * (0.72 + 0.28 * dot(n, normalize(vec3(-0.4, 0.7, 0.6))));
}`,
    fragmentShader: `
varying vec3 tone;
uniform float opacity;
void main() {
  gl_FragColor = vec4(tone, opacity);
  #include <colorspace_fragment>
}`,
    transparent: opacity < 1,
    depthWrite: opacity === 1,
    side: opacity < 1 ? THREE.DoubleSide : THREE.FrontSide,
  });
  return { look, depth: null };
}

// Copies of one geometry, placed anew for each frame, in room that only grows.
class Swarm {
  private source!: THREE.InstancedMesh;
  private crowd!: Crowd;
  private room = 0;
  private used = 0;
  private filled = 0; // places that hold a mark
  private shading: Shading;

  constructor(private geometry: THREE.BufferGeometry, opacity: number, private scene: THREE.Scene) {
    this.shading = materialOf(opacity);
  }

  private grow(): void {
    const { source: old, crowd } = this;
    this.room = Math.max(ROOM, 2 * this.room);
    this.source = new THREE.InstancedMesh(this.geometry, undefined, this.room);
    this.source.instanceMatrix.array.fill(0);
    this.source.setColorAt(0, new THREE.Color());
    if (old) {
      this.source.instanceMatrix.array.set(old.instanceMatrix.array);
      this.source.instanceColor!.array.set(old.instanceColor!.array);
      this.scene.remove(crowd.mesh);
      crowd.dispose();
      old.dispose();
    }
    this.crowd = new Crowd(this.source, this.shading);
    this.crowd.mesh.renderOrder = this.shading.look.transparent ? 2 : 1;
    this.crowd.mesh.visible = false;
    this.scene.add(this.crowd.mesh);
  }

  add(matrix: THREE.Matrix4, color: THREE.Color): void {
    if (this.used === this.room) this.grow();
    this.source.setMatrixAt(this.used, matrix);
    this.source.setColorAt(this.used, color);
    this.used += 1;
  }

  // Shows what was added since the last time; how many there are.
  finish(): number {
    const count = this.used;
    this.used = 0;
    if (this.room === 0) return 0;
    this.crowd.mesh.visible = count > 0;
    if (count === 0) return 0; // what was there before stays in its places, unseen
    this.source.instanceMatrix.array.fill(0, 16 * count, 16 * Math.max(this.filled, count));
    this.crowd.move();
    this.crowd.paint();
    this.filled = count;
    return count;
  }
}

const ready = (geometry: THREE.BufferGeometry) => withoutEdges(inOneTone(geometry.toNonIndexed()));
const UP = new THREE.Vector3(0, 0, 1);

export class Marks {
  private shafts: Swarm;
  private heads: Swarm;
  private cones: Swarm;
  count = 0; // arrows and cones that are drawn

  constructor(scene: THREE.Scene) {
    const along = (geometry: THREE.BufferGeometry) => geometry.rotateX(Math.PI / 2); // from y to z
    this.shafts = new Swarm(ready(along(new THREE.CylinderGeometry(1, 1, 1, SIDES, 1, true)).translate(0, 0, 0.5)), 1, scene);
    this.heads = new Swarm(ready(along(new THREE.ConeGeometry(1, 1, SIDES)).translate(0, 0, 0.5)), 1, scene);
    this.cones = new Swarm(ready(along(new THREE.ConeGeometry(1, 1, 24, 1, true)).rotateX(Math.PI).translate(0, 0, 0.5)), 0.28, scene);
  }

  private place(from: THREE.Vector3, along: THREE.Vector3, width: number, length: number): THREE.Matrix4 {
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, along);
    return new THREE.Matrix4().compose(from, turn, new THREE.Vector3(width, width, length));
  }

  // An arrow of some radius [m].
  arrow(from: THREE.Vector3, vector: THREE.Vector3, radius: number, color: THREE.Color): void {
    const length = vector.length();
    if (!(length > 0)) return;
    const along = vector.clone().divideScalar(length);
    const head = Math.min(HEAD_LENGTH * radius, HEAD_MOST * length);
    const wide = Math.min(HEAD_WIDTH * radius, 0.6 * head);
    this.shafts.add(this.place(from, along, Math.min(radius, 0.5 * wide), length - head), color);
    this.heads.add(this.place(from.clone().addScaledVector(along, length - head), along, wide, head), color);
  }

  // A cone that opens along `along`, `height` [m] high, `mu` times as wide.
  cone(apex: THREE.Vector3, along: THREE.Vector3, mu: number, height: number, color: THREE.Color): void {
    this.cones.add(this.place(apex, along, mu * height, height), color);
  }

  finish(): void {
    this.count = this.heads.finish() + this.cones.finish();
    this.shafts.finish();
  }
}
