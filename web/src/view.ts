// view.ts - the picture: bodies that look alike are drawn at once, by one of two painters.
import * as THREE from "three";
import type { Shape } from "./engine";
import { withoutEdges } from "./edges";
import { colorsOf } from "./colors";
import { extentOf } from "./extent";
import { Eye, type Stated, heightOf } from "./eye";
import { FinePainter } from "./fine";
import type { Frames } from "./frames";
import type { Look } from "./gltf";
import { BODY, BodyKind, ShapeKind } from "./layout.js";
import { type Group, type Painter, isHollow, isSheet } from "./painter";
import { PlainPainter } from "./plain";
import { placeAt } from "./poses";
import { geometryOf, inOneTone, keyOf } from "./shapes";
import type { Simulation } from "./simulation";
import { LIGHT_THEME, type Theme } from "./theme";
import type { Tier } from "./tier";

const GOLDEN_TURN = 0.618033988749895; // spreads the hues of islands
const FLAT_DEPTH = 0.12; // thickness of flat bodies, of the size of the scene
const FLAT_SPREAD = 0.05; // between the first and the last flat body, likewise, so that one covers the other
const GROUND_REACH = 40; // radius of a drawn half-space, likewise
const GROUND_GRID = 10; // tiles by which the ground moves along with the eye
const SAVED_REACH = 4; // radius of a half-space that is saved to a file
const SHOWN = 0.3; // size of a scene at least, of the height that its stated camera shows
const SEEN = 3e-4; // of the size of the scene, or of a turn: a tenth of a pixel
const FENCE_LOOK = 2; // [ms] between looks whether a frame is drawn

// Which sides can be picked.
const sidesOf = (kind: number) => new THREE.MeshBasicMaterial({ side: isSheet(kind) && !isHollow(kind) ? THREE.DoubleSide : THREE.FrontSide });

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
  readonly marks = new THREE.Scene(); // drawn over the bodies
  readonly eye: Eye;
  readonly center = new THREE.Vector3();
  size = 1; // [m] radius of a ball about the moving bodies at the start
  flat = false;
  private groups: Group[] = [];
  private colors: THREE.Color[] = [];
  private painter: Painter;
  tier: Tier = "plain";
  private byIsland = false;
  private drawn: Float64Array = new Float64Array(); // poses that were drawn last
  theme: Theme = LIGHT_THEME;

  constructor(private engine: Simulation, readonly renderer: THREE.WebGLRenderer) {
    this.eye = new Eye(renderer.domElement);
    this.painter = new PlainPainter(renderer, this.scene);
    renderer.autoClear = false;
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.eye.camera;
  }
  get controls(): Eye["controls"] {
    return this.eye.controls;
  }

  // Draws by another painter.
  setTier(tier: Tier): void {
    if (tier === this.tier) return;
    this.tier = tier;
    this.painter.dispose();
    this.painter = tier === "fine" ? new FinePainter(this.renderer, this.scene) : new PlainPainter(this.renderer, this.scene);
    if (this.drawn.length === 0) return;
    this.setStage();
    this.rebuild();
  }

  // Has the programs made that a first frame needs, while there is nothing to draw yet.
  warmUp(): void {
    if (!(this.painter instanceof PlainPainter)) return;
    const nothing = new THREE.InstancedMesh(withoutEdges(inOneTone(new THREE.BoxGeometry().toNonIndexed())), undefined, 1);
    nothing.setMatrixAt(0, new THREE.Matrix4().makeScale(0, 0, 0));
    this.painter.warmUp(nothing, this.camera);
  }

  resize(width: number, height: number): void {
    this.renderer.setDrawingBufferSize(width, height, this.renderer.getPixelRatio());
    this.eye.resize(width, height);
  }

  // [pixels of the page] what the picture is drawn for.
  get extent(): { width: number; height: number } {
    return this.renderer.getSize(new THREE.Vector2());
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.setStage();
    if (this.drawn.length > 0) this.colorBodies();
  }

  private setStage(): void {
    this.painter.setStage({ size: this.size, flat: this.flat, upward: this.camera.up, tile: this.tile }, this.theme);
  }

  private get tile(): number {
    return 10 ** Math.round(Math.log10(this.size / 2));
  }

  // Looks at a scene anew: camera, light and all bodies. Of a recorded run all poses are to be seen.
  open(stated: Stated | null = null, run: Frames | null = null): void {
    this.flat = this.engine.state().dimension === 2;
    const box = extentOf(this.engine, this.flat, null);
    const ball = box.getBoundingSphere(new THREE.Sphere());
    this.center.copy(ball.center);
    this.size = Math.max(ball.radius, 1e-9, stated ? SHOWN * heightOf(stated) : 0);
    this.eye.open(run ? extentOf(this.engine, this.flat, run) : box, this.size, this.flat, stated);
    this.drawn = new Float64Array();
    this.setTheme(this.theme);
    this.rebuild();
  }

  // Makes the meshes anew: after opening a scene and after bodies were added.
  rebuild(): void {
    this.painter.clear();
    for (const { mesh } of this.groups) {
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
    for (const group of this.groups) this.painter.add(group);
    this.colorBodies();
    this.update();
  }

  private makeGroup(shapes: Shape[]): Group {
    const [first] = shapes;
    const reach = GROUND_REACH * this.size;
    const geometry = geometryOf(first, this.flat, FLAT_DEPTH * this.size, reach, shapes.length);
    const mesh = new THREE.InstancedMesh(geometry, sidesOf(first.kind), shapes.length);
    const locals = shapes.map((shape) => {
      const [w, x, y, z] = shape.orientation;
      return new THREE.Matrix4().compose(
        new THREE.Vector3(...shape.position), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1));
    });
    const bodies = shapes.map((shape) => shape.body);
    return { mesh, bodies, locals, kind: first.kind, ground: first.kind === ShapeKind.Halfspace };
  }

  private colorBodies(): void {
    const kinds = Array.from({ length: this.engine.bodyCount() }, (_, i) => this.engine.bodies()[i * BODY.size + BODY.kind]);
    const names = kinds.map((_, i) => this.engine.bodyName(i).replace(/[\s_\[(-]*\d.*$/, "")); // copies share it
    this.colors = colorsOf(kinds, names, this.theme);
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
    for (const group of this.groups) {
      const { mesh, bodies: owners, ground } = group;
      if (ground && !this.flat) continue; // has colours of its own
      owners.forEach((body, i) => {
        const island = bodies?.[body * BODY.size + BODY.island] ?? -1;
        const free = bodies?.[body * BODY.size + BODY.kind] === BodyKind.Dynamic;
        if (island >= 0 && free) color.setHSL((island * GOLDEN_TURN) % 1, 0.5, 0.55);
        else if (free) color.set(this.theme.alone);
        else color.copy(this.colors[body]);
        mesh.setColorAt(i, ground ? color.set(this.theme.ground) : color);
      });
      this.painter.painted(group);
    }
  }

  // Moves what is drawn to where the bodies are; `poses` instead of the present ones when given.
  update(poses: Float64Array = this.engine.bodies()): void {
    const matrix = new THREE.Matrix4();
    const position = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const one = new THREE.Vector3(1, 1, 1);
    const layer = (FLAT_SPREAD * this.size * BODY.size) / Math.max(poses.length, BODY.size);
    for (const group of this.groups) {
      const { mesh, bodies, locals, ground } = group;
      bodies.forEach((body, i) => {
        placeAt(poses, body, position, turn);
        if (this.flat) position.z += body * layer;
        matrix.compose(position, turn, one).multiply(locals[i]);
        if (ground && !this.flat) this.moveGround(matrix);
        // A recorded run has no place for a body that was removed.
        if (!Number.isFinite(position.x)) matrix.makeScale(0, 0, 0);
        mesh.setMatrixAt(i, matrix);
      });
      this.painter.moved(group);
    }
    if (this.byIsland) this.paint();
    this.drawn = poses;
  }

  // The ground goes along with the eye, by whole tiles, so that its end is never seen.
  private moveGround(matrix: THREE.Matrix4): void {
    const grid = GROUND_GRID * this.tile;
    const under = this.eye.target.clone().applyMatrix4(matrix.clone().invert());
    const snap = (x: number) => grid * Math.round(x / grid);
    matrix.multiply(new THREE.Matrix4().makeTranslation(snap(under.x), snap(under.y), 0));
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
    this.painter.lookAt(this.eye.target);
    this.renderer.clear();
    this.painter.render(this.camera, ratio, shadows);
    this.renderer.clearDepth();
    this.renderer.render(this.marks, this.camera);
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
