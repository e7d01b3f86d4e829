// fine.ts - bodies, ground and light for graphics cards: physically based materials, light from the
// sky all around, soft shadows, ambient occlusion, smooth edges, tone mapping.
import * as THREE from "three";
import { EffectComposer } from "three/examples/jsm/postprocessing/EffectComposer.js";
import { GTAOPass } from "three/examples/jsm/postprocessing/GTAOPass.js";
import { OutputPass } from "three/examples/jsm/postprocessing/OutputPass.js";
import { RenderPass } from "three/examples/jsm/postprocessing/RenderPass.js";
import { FOG, type Group, LINE, type Painter, type Stage, TO_SUN, isHollow, isSheet } from "./painter";
import { makeSky, paintSky } from "./sky";
import { LIGHT_THEME, type Theme } from "./theme";

const SAMPLES = 4; // of a pixel
const SUN = { color: 0xfff0d8, intensity: 2.6 };
const AROUND = 0.62; // how much the light from all around counts
const MAP_SIZE = 2048; // pixels of the shadows along each side
const SHADOW_REACH = 2.2; // of the size of the scene
const SOFT = 3; // pixels of the map over which a shadow fades
const OCCLUSION = { samples: 12, distanceExponent: 1.4, thickness: 1.2, distanceFallOff: 1, scale: 1.1 };
const OCCLUSION_REACH = 0.16; // of the size of the scene
const PANEL = { color: 0xfff4e6, strength: 9, size: 0.5 }; // of light in the sky, for highlights

// Lines where a face ends, as in plain.ts.
const EDGE_PARAMETERS = `
varying vec3 toEdges;
uniform vec4 edgeTone;
uniform float thickness;
`;
const EDGE_COLOR = `
#include <color_fragment>
vec3 away = toEdges / max(fwidth(toEdges), 1e-9);
float edgeLine = 1.0 - clamp(min(min(away.x, away.y), away.z) / thickness - 0.35, 0.0, 1.0);
diffuseColor.rgb = mix(diffuseColor.rgb, edgeTone.rgb, edgeLine * edgeTone.a);
`;
const GROUND_COLOR = `
#include <color_fragment>
vec2 pixel = fwidth(field);
vec2 off = abs(fract(field - 0.5) - 0.5);
vec2 cover = 1.0 - smoothstep(vec2(${LINE}), vec2(${LINE}) + 1.2 * pixel, off);
float fade = 1.0 - smoothstep(0.1, 0.5, max(pixel.x, pixel.y));
diffuseColor.rgb = mix(diffuseColor.rgb, lineColor, max(cover.x, cover.y) * fade);
`;

export class FinePainter implements Painter {
  private groups = new Set<Group>();
  private sky = makeSky();
  private sun = new THREE.DirectionalLight(SUN.color, SUN.intensity);
  private composer: EffectComposer;
  private behind: RenderPass;
  private pass: RenderPass;
  private occlusion: GTAOPass;
  private around: THREE.WebGLRenderTarget | null = null;
  private stage: Stage = { size: 1, flat: false, upward: new THREE.Vector3(0, 0, 1), tile: 1 };
  private edges = { edgeTone: { value: new THREE.Vector4() }, thickness: { value: 1 } };
  private lines = { lineColor: { value: new THREE.Color() }, tile: { value: 1 } };
  private solids = this.material(THREE.FrontSide);
  private sheets = this.material(THREE.DoubleSide);
  private ground = this.groundMaterial();
  private pixels = new THREE.Vector2();

  constructor(private renderer: THREE.WebGLRenderer, private scene: THREE.Scene) {
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    renderer.toneMapping = THREE.NeutralToneMapping;
    const { sun } = this;
    sun.castShadow = true;
    sun.shadow.mapSize.setScalar(MAP_SIZE);
    sun.shadow.radius = SOFT;
    sun.shadow.bias = -0.0004;
    scene.add(sun, sun.target);
    const target = new THREE.WebGLRenderTarget(1, 1, { type: THREE.HalfFloatType, samples: SAMPLES });
    this.composer = new EffectComposer(renderer, target);
    const camera = new THREE.PerspectiveCamera();
    // The sky has no depth, and is in nobody's way.
    this.behind = new RenderPass(new THREE.Scene().add(this.sky), camera);
    this.pass = new RenderPass(scene, camera);
    this.pass.clear = false;
    this.occlusion = new GTAOPass(scene, camera, 1, 1);
    this.occlusion.blendIntensity = 1;
    this.composer.addPass(this.behind);
    this.composer.addPass(this.pass);
    this.composer.addPass(this.occlusion);
    this.composer.addPass(new OutputPass());
  }

  private material(side: THREE.Side): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0.02, side });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.edges);
      shader.vertexShader = `attribute vec3 edge;\nvarying vec3 toEdges;\n${shader.vertexShader}`
        .replace("#include <begin_vertex>", "#include <begin_vertex>\ntoEdges = edge;");
      shader.fragmentShader = (EDGE_PARAMETERS + shader.fragmentShader).replace("#include <color_fragment>", EDGE_COLOR);
    };
    return material;
  }

  private groundMaterial(): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.92, metalness: 0 });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.lines);
      shader.vertexShader = `uniform float tile;\nvarying vec2 field;\n${shader.vertexShader}`
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nfield = position.xy / tile;");
      shader.fragmentShader = `uniform vec3 lineColor;\nvarying vec2 field;\n${shader.fragmentShader}`
        .replace("#include <color_fragment>", GROUND_COLOR);
    };
    return material;
  }

  private materialOf({ kind, ground }: Group): THREE.MeshStandardMaterial {
    if (ground && !this.stage.flat) return this.ground;
    if (isHollow(kind) && !this.stage.flat) return this.solids;
    return isSheet(kind) ? this.sheets : this.solids;
  }

  add(group: Group): void {
    const { mesh, ground, kind } = group;
    mesh.material = this.materialOf(group);
    mesh.castShadow = !ground && !isHollow(kind);
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    this.groups.add(group);
    this.scene.add(mesh);
  }

  clear(): void {
    for (const { mesh } of this.groups) this.scene.remove(mesh);
    this.groups.clear();
  }

  moved({ mesh }: Group): void {
    mesh.instanceMatrix.needsUpdate = true;
  }
  painted({ mesh }: Group): void {
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  // The sky as light: its colours all around, the ground below, and a bright panel.
  private lightFrom(theme: Theme): THREE.WebGLRenderTarget {
    const room = new THREE.Scene();
    const dome = new THREE.Mesh(
      new THREE.SphereGeometry(10, 32, 24).rotateX(Math.PI / 2),
      new THREE.MeshBasicMaterial({ side: THREE.BackSide, vertexColors: true, toneMapped: false }));
    const position = dome.geometry.getAttribute("position");
    const [zenith, horizon, ground] = [theme.zenith, theme.horizon, theme.ground].map((name) => new THREE.Color(name));
    const colors = new Float32Array(3 * position.count);
    for (let i = 0; i < position.count; ++i) {
      const up = position.getZ(i) / 10;
      horizon.clone().lerp(up > 0 ? zenith : ground, Math.min(1, 1.5 * Math.abs(up))).toArray(colors, 3 * i);
    }
    dome.geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
    const panel = new THREE.Mesh(
      new THREE.SphereGeometry(PANEL.size * 4, 16, 12),
      new THREE.MeshBasicMaterial({ color: new THREE.Color(PANEL.color).multiplyScalar(PANEL.strength), toneMapped: false }));
    panel.position.set(...TO_SUN.space).setLength(8);
    room.add(dome, panel);
    const maker = new THREE.PMREMGenerator(this.renderer);
    const around = maker.fromScene(room, 0.03);
    maker.dispose();
    for (const part of [dome, panel]) {
      part.geometry.dispose();
      part.material.dispose();
    }
    return around;
  }

  setStage(stage: Stage, theme: Theme): void {
    const { size, flat } = stage;
    const { sun, scene } = this;
    this.stage = stage;
    paintSky(this.sky, theme);
    this.around ??= this.lightFrom(LIGHT_THEME); // also in dark surroundings: bodies are to be seen
    scene.environment = this.around.texture;
    scene.environmentIntensity = AROUND;
    scene.fog = flat ? null : new THREE.Fog(theme.horizon, FOG[0] * size, FOG[1] * size);
    const edge = new THREE.Color(theme.edge);
    this.edges.edgeTone.value.set(edge.r, edge.g, edge.b, flat ? 1 : theme.edging);
    this.ground.color.set(theme.ground);
    this.lines.lineColor.value.set(theme.line);
    this.lines.tile.value = stage.tile;
    const { camera } = sun.shadow;
    const reach = SHADOW_REACH * size;
    Object.assign(camera, { left: -reach, bottom: -reach, right: reach, top: reach, near: 0.1 * size, far: 14 * size });
    camera.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * size;
    sun.castShadow = !flat;
    this.occlusion.updateGtaoMaterial({ ...OCCLUSION, radius: OCCLUSION_REACH * size });
    this.occlusion.enabled = !flat;
  }

  lookAt(center: THREE.Vector3): void {
    const { sun, stage } = this;
    const toSun = new THREE.Vector3(...(stage.flat ? TO_SUN.flat : TO_SUN.space)).setLength(6 * stage.size);
    sun.position.copy(center).add(toSun);
    sun.target.position.copy(center);
  }

  render(camera: THREE.Camera, ratio: number): void {
    this.renderer.getDrawingBufferSize(this.pixels);
    const { x, y } = this.pixels;
    const target = this.composer.renderTarget1;
    if (target.width !== x || target.height !== y) {
      this.composer.setPixelRatio(1);
      this.composer.setSize(x, y);
    }
    this.behind.camera = this.pass.camera = this.occlusion.camera = camera as THREE.PerspectiveCamera;
    this.edges.thickness.value = (this.stage.flat ? 1.6 : 1) * Math.max(ratio, 1);
    this.composer.render();
  }

  dispose(): void {
    this.clear();
    const { renderer, scene, sun } = this;
    scene.remove(sun, sun.target);
    scene.environment = null;
    scene.fog = null;
    renderer.shadowMap.enabled = false;
    renderer.toneMapping = THREE.NoToneMapping;
    for (const pass of this.composer.passes) pass.dispose();
    this.composer.dispose();
    this.around?.dispose();
    sun.dispose();
    for (const part of [this.solids, this.sheets, this.ground, this.sky.material, this.sky.geometry]) part.dispose();
  }
}
