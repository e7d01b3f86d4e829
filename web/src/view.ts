// view.ts - the picture: bodies, ground, light and camera. Bodies that look alike are drawn at once.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { BODY, BOUNDS, BodyKind, type Engine, type Shape, ShapeKind } from "./engine";
import { geometryOf, keyOf } from "./shapes";

const PALETTE = [0x5b8db8, 0xd08c60, 0x7aa874, 0xb5739d, 0xc9b458, 0x6fb3ac, 0xc46d6d, 0x8b85c1];
const STILL = 0x9a9da1;
const DRIVEN = 0x6f7f94;
const ALONE = 0xb9bcc0; // a body in no island
const GOLDEN_TURN = 0.618033988749895; // spreads the hues of islands
const FLAT_DEPTH = 0.12; // thickness of flat bodies, of the size of the scene
const GROUND_REACH = 40; // radius of a drawn half-space, of the size of the scene

interface Group {
  mesh: THREE.InstancedMesh;
  bodies: number[];
  locals: THREE.Matrix4[];
  ground: boolean; // half-spaces
}

export interface Theme {
  background: number;
  ground: string;
  line: string;
}

export class View {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
  readonly renderer: THREE.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly center = new THREE.Vector3();
  size = 1; // [m] radius of a ball about the moving bodies at the start
  flat = false;
  private groups: Group[] = [];
  private colors: THREE.Color[] = [];
  private sun = new THREE.DirectionalLight(0xfff6ea, 1.9);
  private sky = new THREE.HemisphereLight(0xf4f7ff, 0xa8a29a, 1.8);
  private byIsland = false;
  private theme: Theme = { background: 0xe9ecef, ground: "#dfe2e5", line: "#cfd3d7" };

  constructor(private engine: Engine, canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(1024, 1024);
    this.sun.shadow.bias = -0.0005;
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.scene.background = new THREE.Color(theme.background);
    this.scene.fog = new THREE.Fog(theme.background, 12 * this.size, GROUND_REACH * this.size);
  }

  // The ball about what moves and the smaller of what does not; about everything bounded when
  // nothing moves.
  private measure(): void {
    const bounds = this.engine.bounds().slice();
    const bodies = this.engine.bodies().slice();
    const box = new THREE.Box3();
    const wide = new THREE.Box3();
    const still: THREE.Box3[] = [];
    for (let i = 0; i * BOUNDS < bounds.length; ++i) {
      const shape = this.engine.shape(i);
      if (!shape || !Number.isFinite(shape.extent)) continue;
      const [lx, ly, lz, ux, uy, uz] = bounds.subarray(i * BOUNDS);
      const own = new THREE.Box3(new THREE.Vector3(lx, ly, lz), new THREE.Vector3(ux, uy, uz));
      wide.union(own);
      if (bodies[shape.body * BODY + 7] === BodyKind.Dynamic) box.union(own);
      else still.push(own);
    }
    const ballOf = (one: THREE.Box3) => one.getBoundingSphere(new THREE.Sphere());
    const moving = ballOf(box);
    if (!box.isEmpty())
      for (const own of still) {
        const ball = ballOf(own);
        if (ball.radius < moving.radius && ball.intersectsSphere(moving)) box.union(own);
      }
    const used = box.isEmpty() ? wide : box;
    if (used.isEmpty()) used.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    const ball = ballOf(used);
    this.center.copy(ball.center);
    this.size = Math.max(ball.radius, 1e-9);
  }

  // Looks at a scene anew: camera, light and all bodies.
  open(): void {
    this.flat = this.engine.state().dimension === 2;
    this.measure();
    const { size, center, camera } = this;
    const away = this.flat ? new THREE.Vector3(0, 0.25, 1) : new THREE.Vector3(0.75, -1, 0.55);
    camera.up.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
    const fit = camera.aspect < 1 ? 1 / camera.aspect : 1; // of narrow windows
    camera.position.copy(center).addScaledVector(away.normalize(), 3 * size * fit);
    camera.near = size / 100;
    camera.far = 3 * GROUND_REACH * size;
    camera.updateProjectionMatrix();
    this.controls.dispose();
    // A new one, because it keeps the axis that was up when it was made.
    (this as { controls: OrbitControls }).controls = new OrbitControls(camera, this.renderer.domElement);
    this.controls.target.copy(center);
    this.controls.maxDistance = 30 * size;
    this.controls.update();
    this.placeSun();
    this.setTheme(this.theme);
    this.rebuild();
  }

  private placeSun(): void {
    const from = this.flat ? new THREE.Vector3(-0.4, 0.8, 1) : new THREE.Vector3(-0.5, -0.4, 1);
    this.sun.position.copy(this.center).addScaledVector(from.normalize(), 6 * this.size);
    this.sun.target.position.copy(this.center);
    const camera = this.sun.shadow.camera;
    const reach = 2.5 * this.size;
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1 * this.size;
    camera.far = 14 * this.size;
    camera.updateProjectionMatrix();
    this.sun.shadow.normalBias = 0.004 * this.size;
    this.sky.position.set(0, this.flat ? 1 : 0, this.flat ? 0 : 1);
  }

  private groundTexture(reach: number): THREE.Texture {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 128;
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = this.theme.ground;
    pen.fillRect(0, 0, 128, 128);
    pen.strokeStyle = this.theme.line;
    pen.lineWidth = 3;
    pen.strokeRect(0, 0, 128, 128);
    const texture = new THREE.CanvasTexture(canvas);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    const unit = 10 ** Math.round(Math.log10(this.size / 2)); // [m] a tile
    texture.repeat.setScalar((2 * reach) / unit);
    texture.anisotropy = 8;
    texture.colorSpace = THREE.SRGBColorSpace;
    return texture;
  }

  private materialOf(kind: ShapeKind, reach: number): THREE.Material {
    if (kind === ShapeKind.Halfspace)
      return new THREE.MeshLambertMaterial({ map: this.groundTexture(reach) });
    return new THREE.MeshLambertMaterial({
      vertexColors: true,
      flatShading: kind === ShapeKind.Hull || kind === ShapeKind.Mesh || kind === ShapeKind.Field,
      side: kind === ShapeKind.Mesh || kind === ShapeKind.Field ? THREE.DoubleSide : THREE.FrontSide,
    });
  }

  // Makes the meshes anew: after opening a scene and after bodies were added.
  rebuild(): void {
    for (const { mesh } of this.groups) {
      this.scene.remove(mesh);
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      mesh.dispose();
    }
    const alike = new Map<string, Shape[]>();
    for (let i = 0; i < this.engine.shapeCount(); ++i) {
      const shape = this.engine.shape(i);
      if (!shape) continue;
      const key = keyOf(shape);
      alike.set(key, [...(alike.get(key) ?? []), shape]);
    }
    this.groups = [...alike.values()].map((shapes) => this.makeGroup(shapes));
    this.colorBodies();
    this.update();
  }

  private makeGroup(shapes: Shape[]): Group {
    const [first] = shapes;
    const reach = GROUND_REACH * this.size;
    const geometry = geometryOf(first, this.flat, FLAT_DEPTH * this.size, reach);
    const mesh = new THREE.InstancedMesh(geometry, this.materialOf(first.kind, reach), shapes.length);
    mesh.castShadow = first.kind !== ShapeKind.Halfspace;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    const locals = shapes.map((shape) => {
      const [w, x, y, z] = shape.orientation;
      return new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1));
    });
    this.scene.add(mesh);
    const ground = first.kind === ShapeKind.Halfspace;
    return { mesh, bodies: shapes.map((shape) => shape.body), locals, ground };
  }

  private colorBodies(): void {
    const bodies = this.engine.bodies().slice();
    this.colors = [];
    const hues = new Map<string, number>(); // by name, in the order in which they come
    for (let i = 0; i * BODY < bodies.length; ++i) {
      const kind = bodies[i * BODY + 7];
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
    for (const { mesh, bodies: owners, ground } of this.groups) {
      owners.forEach((body, i) => {
        const island = bodies?.[body * BODY + 8] ?? -1;
        const free = bodies?.[body * BODY + 7] === BodyKind.Dynamic;
        if (island >= 0 && free) color.setHSL((island * GOLDEN_TURN) % 1, 0.5, 0.55);
        else if (free) color.set(ALONE);
        else color.copy(this.colors[body]);
        if (ground) color.set(0xffffff); // its texture has the colour
        mesh.setColorAt(i, color);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
  }

  // Moves what is drawn to where the bodies are; `poses` instead of the present ones when given.
  update(poses: Float64Array = this.engine.bodies()): void {
    const matrix = new THREE.Matrix4();
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    for (const { mesh, bodies, locals } of this.groups) {
      bodies.forEach((body, i) => {
        const at = body * BODY;
        position.set(poses[at], poses[at + 1], poses[at + 2]);
        turn.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 3]);
        mesh.setMatrixAt(i, matrix.compose(position, turn, one).multiply(locals[i]));
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    if (this.byIsland) this.paint();
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

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }
}
