// view.ts - the picture: bodies, ground, light and camera. Bodies that look alike are drawn at once.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Shape } from "./engine";
import { BODY, BOUNDS, BodyKind, FORCE, ForceKind, JOINT, ShapeKind } from "./layout.js";
import { placeAt } from "./poses";
import { Crowd, type Shading } from "./crowd";
import type { Look } from "./gltf";
import { Light, type Theme } from "./light";
import { geometryOf, inOneTone, keyOf } from "./shapes";
import type { Simulation } from "./simulation";

const PALETTE = [0x5b8db8, 0xd08c60, 0x7aa874, 0xb5739d, 0xc9b458, 0x6fb3ac, 0xc46d6d, 0x8b85c1];
const STILL = 0x9a9da1;
const DRIVEN = 0x6f7f94;
const ALONE = 0xb9bcc0; // a body in no island
const GOLDEN_TURN = 0.618033988749895; // spreads the hues of islands
const FLAT_DEPTH = 0.12; // thickness of flat bodies, of the size of the scene
const GROUND_REACH = 40; // radius of a drawn half-space, of the size of the scene
const SHADOW_REACH = 2; // of shadows, likewise
const SAVED_REACH = 4; // and of one that is saved to a file
const KEY_TURN = 20; // [1/height of the window] turns of one press of an arrow
const KEY_SHIFT = 30; // [pixels] of one press
const LINKAGE_PLAY = 0.15; // room on each side of a linkage, of its size
const THIN = 0.2; // thickness of a mechanism, of its reach, that counts as flat
const SEEN = 3e-4; // of the size of the scene, or of a turn: a tenth of a pixel
const FENCE_LOOK = 2; // [ms] between looks whether a frame is drawn
const FILLED = 0.86; // part of the window that the scene fills when it is opened

interface Group {
  mesh: THREE.InstancedMesh; // for picking
  crowd: Crowd; // what is drawn of it
  bodies: number[];
  locals: THREE.Matrix4[];
  kind: number; // of ShapeKind
  ground: boolean; // half-spaces
}

const SHEETS: number[] = [ShapeKind.Mesh, ShapeKind.Field, ShapeKind.Tube, ShapeKind.Bowl, ShapeKind.Torus];
const isSheet = (kind: number): boolean => SHEETS.includes(kind);
// Which sides can be picked.
const sidesOf = (kind: number) => new THREE.MeshBasicMaterial({ side: isSheet(kind) ? THREE.DoubleSide : THREE.FrontSide });

export function makeRenderer(canvas: HTMLCanvasElement): THREE.WebGLRenderer {
  // In its final size at once: to make room anew takes as long as to make it.
  canvas.width = canvas.parentElement!.clientWidth;
  canvas.height = canvas.parentElement!.clientHeight;
  // Edges are smooth where four pixels are drawn for one; see Quality.
  const context = canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
  if (!context) throw new Error("this browser cannot draw here: it has no WebGL 2, or it is switched off");
  const renderer = new THREE.WebGLRenderer({ canvas, context });
  renderer.debug.checkShaderErrors = false; // asking would wait for each shader
  return renderer;
}

export class View {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  controls: OrbitControls;
  readonly center = new THREE.Vector3();
  private box = new THREE.Box3(); // about what is looked at
  size = 1; // [m] radius of a ball about the moving bodies at the start
  flat = false;
  private groups: Group[] = [];
  private colors: THREE.Color[] = [];
  private light = new Light();
  private byIsland = false;
  private drawn: Float64Array = new Float64Array(); // poses that were drawn last
  private theme: Theme = { background: 0xe9ecef, ground: "#dfe2e5", line: "#cfd3d7" };

  constructor(private engine: Simulation, readonly renderer: THREE.WebGLRenderer) {
    this.controls = new OrbitControls(this.camera, renderer.domElement);
  }

  // Has the programs made that a first frame needs, while there is nothing to draw yet.
  warmUp(): void {
    const nothing = new THREE.InstancedMesh(inOneTone(new THREE.BoxGeometry()), undefined, 1);
    nothing.setMatrixAt(0, new THREE.Matrix4().makeScale(0, 0, 0));
    const crowds = [this.light.solids, this.light.ground].map((shading) => new Crowd(nothing, shading));
    const scene = new THREE.Scene().add(...crowds.map(({ mesh }) => mesh));
    this.renderer.render(scene, this.camera);
    for (const crowd of crowds) crowd.dispose();
  }

  resize(width: number, height: number): void {
    this.renderer.setDrawingBufferSize(width, height, this.renderer.getPixelRatio());
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.light.setGround(theme, 10 ** Math.round(Math.log10(this.size / 2)));
    this.light.setFog(theme.background, 12 * this.size, GROUND_REACH * this.size);
  }

  // The ball about what moves and the smaller of what does not; about everything bounded when
  // nothing moves.
  private measure(): void {
    const bounds = this.engine.firstBounds();
    const bodies = this.engine.bodies();
    const shapes = this.engine.shapes();
    const box = new THREE.Box3();
    const wide = new THREE.Box3();
    const still: THREE.Box3[] = [];
    for (let i = 0; i * BOUNDS.size < bounds.length; ++i) {
      const shape = shapes[i];
      if (!shape || !Number.isFinite(shape.extent)) continue;
      const [lx, ly, lz, ux, uy, uz] = bounds.subarray(i * BOUNDS.size);
      const own = new THREE.Box3(new THREE.Vector3(lx, ly, lz), new THREE.Vector3(ux, uy, uz));
      wide.union(own);
      if (bodies[shape.body * BODY.size + BODY.kind] === BodyKind.Dynamic) box.union(own);
      else still.push(own);
    }
    const ballOf = (one: THREE.Box3) => one.getBoundingSphere(new THREE.Sphere());
    const moving = ballOf(box);
    if (!box.isEmpty())
      for (const own of still) {
        const ball = ballOf(own);
        if (ball.radius < moving.radius && ball.intersectsSphere(moving)) box.union(own);
      }
    this.addSwings(box);
    this.addSprings(box);
    const used = box.isEmpty() ? wide : box;
    if (used.isEmpty()) used.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    this.box.copy(used);
    const ball = ballOf(used);
    this.center.copy(ball.center);
    this.size = Math.max(ball.radius, 1e-9);
  }

  // What hangs on the ground at one point may swing about it; on several, it moves about its place.
  private addSwings(box: THREE.Box3): void {
    const joints = this.engine.joints();
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
    const far = new THREE.Vector3()
      .subVectors(box.max, anchor).max(new THREE.Vector3().subVectors(anchor, box.min));
    const reach = Math.max(far.x, far.y, far.z);
    const swing = new THREE.Vector3(reach, reach, this.flat ? 0 : reach);
    // What is thin stays in its plane.
    if (!this.flat && size.y < THIN * reach) swing.y = size.y;
    if (!this.flat && size.x < THIN * reach) swing.x = size.x;
    box.union(new THREE.Box3(anchor.clone().sub(swing), anchor.clone().add(swing)));
  }

  // Where springs are held.
  private addSprings(box: THREE.Box3): void {
    const forces = this.engine.forces();
    for (let at = 0; at < forces.length; at += FORCE.size)
      if (forces[at + FORCE.kind] === ForceKind.Spring)
        box.expandByPoint(new THREE.Vector3().fromArray(forces, at + FORCE.to));
  }

  // How far from the middle the camera sees the whole box, looking against `away`.
  private distance(away: THREE.Vector3): number {
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) * FILLED;
    const right = new THREE.Vector3().crossVectors(this.camera.up, away).normalize();
    const upward = new THREE.Vector3().crossVectors(away, right);
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      const corner = new THREE.Vector3(
        i & 1 ? this.box.max.x : this.box.min.x, i & 2 ? this.box.max.y : this.box.min.y,
        i & 4 ? this.box.max.z : this.box.min.z).sub(this.center);
      const wide = Math.abs(corner.dot(right)) / (tangent * this.camera.aspect);
      const high = Math.abs(corner.dot(upward)) / tangent;
      distance = Math.max(distance, corner.dot(away) + Math.max(wide, high));
    }
    return distance;
  }

  // Looks at a scene anew: camera, light and all bodies.
  open(): void {
    this.flat = this.engine.state().dimension === 2;
    this.measure();
    const { size, center, camera } = this;
    const away = this.flat ? new THREE.Vector3(0, 0.25, 1) : new THREE.Vector3(0.75, -1, 0.55);
    camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    away.normalize();
    camera.position.copy(center).addScaledVector(away, Math.max(this.distance(away), 1.8 * size));
    camera.near = size / 100;
    camera.far = 3 * GROUND_REACH * size;
    camera.updateProjectionMatrix();
    this.controls.dispose();
    // A new one, because it keeps the axis that was up when it was made.
    this.controls = new OrbitControls(camera, this.renderer.domElement);
    this.controls.target.copy(center);
    this.controls.maxDistance = 30 * size;
    this.controls.keyRotateSpeed = KEY_TURN;
    this.controls.keyPanSpeed = KEY_SHIFT;
    this.controls.listenToKeyEvents(this.renderer.domElement);
    this.controls.update();
    this.placeSun();
    this.setTheme(this.theme);
    this.rebuild();
  }

  private placeSun(): void {
    const from = this.flat ? new THREE.Vector3(-0.4, 0.8, 1) : new THREE.Vector3(-0.5, -0.4, 1);
    this.light.place(this.center, this.size, SHADOW_REACH * this.size, from, this.camera.up);
  }

  private shadingOf(kind: number): Shading {
    if (kind === ShapeKind.Halfspace) return this.light.ground;
    return isSheet(kind) ? this.light.sheets : this.light.solids;
  }

  // Makes the meshes anew: after opening a scene and after bodies were added.
  rebuild(): void {
    for (const { mesh, crowd } of this.groups) {
      this.scene.remove(crowd.mesh);
      crowd.dispose();
      mesh.geometry.dispose();
      mesh.dispose();
    }
    const alike = new Map<string, Shape[]>();
    for (const shape of this.engine.shapes()) {
      if (!shape) continue;
      const key = keyOf(shape);
      if (!alike.has(key)) alike.set(key, []);
      alike.get(key)!.push(shape);
    }
    this.groups = [...alike.values()].map((shapes) => this.makeGroup(shapes));
    for (const { crowd } of this.groups) this.scene.add(crowd.mesh);
    this.colorBodies();
    this.update();
  }

  private makeGroup(shapes: Shape[]): Group {
    const [first] = shapes;
    const reach = GROUND_REACH * this.size;
    const geometry = geometryOf(first, this.flat, FLAT_DEPTH * this.size, reach, shapes.length);
    const mesh = new THREE.InstancedMesh(geometry, sidesOf(first.kind), shapes.length);
    const crowd = new Crowd(mesh, this.shadingOf(first.kind));
    const ground = first.kind === ShapeKind.Halfspace;
    crowd.mesh.renderOrder = ground ? 0.5 : 0; // after the bodies, which hide much of it
    const locals = shapes.map((shape) => {
      const [w, x, y, z] = shape.orientation;
      return new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1));
    });
    return { mesh, crowd, bodies: shapes.map((shape) => shape.body), locals, kind: first.kind, ground };
  }

  private colorBodies(): void {
    const bodies = this.engine.bodies();
    this.colors = [];
    const hues = new Map<string, number>(); // by name, in the order in which they come
    for (let i = 0; i * BODY.size < bodies.length; ++i) {
      const kind = bodies[i * BODY.size + BODY.kind];
      const color = new THREE.Color(STILL);
      if (kind === BodyKind.Kinematic) color.set(DRIVEN);
      if (kind === BodyKind.Dynamic) {
        const name = this.engine.bodyName(i).replace(/[\s_\[(-]*\d.*$/, ""); // copies share a hue
        if (!hues.has(name)) hues.set(name, hues.size);
        color.set(PALETTE[hues.get(name)! % PALETTE.length]);
        color.offsetHSL(0, 0, 0.12 * (((i * GOLDEN_TURN) % 1) - 0.5));
      }
      this.colors.push(color);
    }
    this.paint();
  }

  // Colours of islands instead of those of bodies.
  setIslands(on: boolean): void {
    this.byIsland = on;
    this.paint();
  }

  private paint(): void {
    const bodies = this.byIsland ? this.engine.bodies() : null;
    const color = new THREE.Color();
    for (const { mesh, crowd, bodies: owners, ground } of this.groups) {
      if (ground) continue; // has colours of its own
      owners.forEach((body, i) => {
        const island = bodies?.[body * BODY.size + BODY.island] ?? -1;
        const free = bodies?.[body * BODY.size + BODY.kind] === BodyKind.Dynamic;
        if (island >= 0 && free) color.setHSL((island * GOLDEN_TURN) % 1, 0.5, 0.55);
        else if (free) color.set(ALONE);
        else color.copy(this.colors[body]);
        mesh.setColorAt(i, color);
      });
      crowd.paint();
    }
  }

  // Moves what is drawn to where the bodies are; `poses` instead of the present ones when given.
  update(poses: Float64Array = this.engine.bodies()): void {
    const matrix = new THREE.Matrix4();
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    for (const { mesh, crowd, bodies, locals } of this.groups) {
      bodies.forEach((body, i) => {
        placeAt(poses, body, position, turn);
        matrix.compose(position, turn, one).multiply(locals[i]);
        // A recorded run has no place for a body that was removed.
        if (!Number.isFinite(position.x)) matrix.makeScale(0, 0, 0);
        mesh.setMatrixAt(i, matrix);
      });
      crowd.move();
    }
    if (this.byIsland) this.paint();
    this.drawn = poses;
  }

  // Whether bodies are seen elsewhere than they were drawn.
  hasMoved(poses: Float64Array): boolean {
    const { drawn } = this;
    if (poses.length !== drawn.length) return true;
    for (let at = 0; at < poses.length; at += BODY.size) {
      const change = (from: number, count: number) => {
        let sum = 0;
        for (let k = at + from; k < at + from + count; ++k) sum += Math.abs(poses[k] - drawn[k]);
        return sum;
      };
      const [shift, turn] = [change(BODY.position, 3), change(BODY.orientation, 4)];
      if (shift > SEEN * this.size || turn > SEEN) return true;
    }
    return false;
  }

  // Zooms by a factor of the distance.
  zoom(factor: number): void {
    const { target } = this.controls;
    this.camera.position.sub(target).multiplyScalar(factor).add(target);
    this.controls.update();
  }

  // What the bodies look like, for a file.
  looks(): Look[] {
    const looks: Look[] = this.colors.map((_, i) => ({ name: this.engine.bodyName(i) || `body ${i}`, parts: [] }));
    for (const { mesh, bodies, locals, ground, kind } of this.groups)
      bodies.forEach((body, i) => looks[body].parts.push({
        geometry: ground ? this.savedGround() : mesh.geometry,
        local: locals[i], color: this.colors[body],
        flatShading: kind === ShapeKind.Hull || isSheet(kind),
      }));
    return looks;
  }

  private savedGround(): THREE.BufferGeometry {
    return inOneTone(new THREE.CircleGeometry(SAVED_REACH * this.size, 64));
  }

  // The ray through a point of the canvas, from -1 to 1.
  ray(x: number, y: number): THREE.Raycaster {
    const caster = new THREE.Raycaster();
    this.camera.updateMatrixWorld();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return caster;
  }

  // The first body along the ray, and where.
  pick(x: number, y: number): { body: number; point: THREE.Vector3 } | null {
    for (const { mesh } of this.groups) mesh.boundingSphere = null;
    const [hit] = this.ray(x, y).intersectObjects(this.groups.map(({ mesh }) => mesh), false);
    if (!hit) return null;
    const group = this.groups.find(({ mesh }) => mesh === hit.object)!;
    return { body: group.bodies[hit.instanceId!], point: hit.point };
  }

  // Where a point of the world is on the canvas, from -1 to 1.
  project(point: THREE.Vector3): THREE.Vector3 {
    this.camera.updateMatrixWorld();
    return point.clone().project(this.camera);
  }

  // `ratio` pixels are drawn for one of the page, along each side. The first frame goes without
  // shadows, to be there the sooner.
  render(ratio: number, shadows = true): void {
    if (ratio !== this.renderer.getPixelRatio()) {
      const { clientWidth, clientHeight } = this.renderer.domElement.parentElement!;
      this.renderer.setDrawingBufferSize(clientWidth, clientHeight, ratio);
    }
    if (shadows) this.light.drawMap(this.renderer, this.groups.map(({ crowd }) => crowd));
    this.renderer.render(this.scene, this.camera);
  }

  // Calls back when all that was ordered so far is drawn.
  whenDrawn(action: () => void): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const look = () => {
      if (fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) {
        setTimeout(look, FENCE_LOOK);
        return;
      }
      gl.deleteSync(fence);
      action();
    };
    setTimeout(look, 0);
  }
}
