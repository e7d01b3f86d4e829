// plain.ts - bodies, ground, sun, sky and fog for machines that draw by the processor.
//
// Colours in light and in shadow are found per corner and in the numbers of the screen, so that a
// pixel costs one look into the sun's map, a mixture, and the distance from the edges of its face.
import * as THREE from "three";
import { CROWD_VERTEX, Crowd, type Shading, crowdUniforms } from "./crowd";
import { FOG, type Group, LINE, type Painter, type Stage, TO_SUN, isHollow, isSheet } from "./painter";
import { makeSky, paintSky } from "./sky";
import type { Theme } from "./theme";

const SUN = new THREE.Color(0xfff2dd).multiplyScalar(0.78); // of a surface that faces it
const SKY = new THREE.Color(0xe9f1ff).multiplyScalar(0.5);
const REFLECTED = new THREE.Color(0xb09f88).multiplyScalar(0.44); // light from below
const MAP_SIZE = 1024; // pixels of the sun's map along each side
const DEPTH_BIAS = 0.0003; // of the depth of the map
const NORMAL_BIAS = 0.001; // [size of the scene] off a surface, where its shadow is looked up
const GROUND_SHADOW = 0.38; // how dark
const SHADOW_REACH = 2; // of shadows, of the size of the scene
const EDGE_FROM = 0.35; // [pixels] from a side up to which its line is full

const COMMON_VERTEX = `
${CROWD_VERTEX}
uniform mat4 sunMatrix;
varying vec3 inMap;
`;

const COMMON_FRAGMENT = `
uniform sampler2DShadow sunMap;
varying vec3 inMap;
// 1 in the sun; what lies beside its map is.
float sunlight() {
  vec2 off = abs(inMap.xy - 0.5);
  if (max(off.x, off.y) > 0.5) return 1.0;
  return texture(sunMap, vec3(inMap.xy, inMap.z - ${DEPTH_BIAS}));
}
`;

const BODY_VERTEX = `
${COMMON_VERTEX}
uniform vec3 toSun;
uniform vec3 upward;
uniform float normalBias;
uniform vec3 fogColor;
uniform vec2 fogRange;
varying vec3 bright;
varying vec3 dark;
attribute vec3 edge;
varying vec3 toEdges;
vec3 onScreen(vec3 c) {
  return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThan(c, vec3(0.0031308)));
}
void main() {
  toEdges = edge;
  mat4 frame = pose();
  vec4 place = frame * vec4(position, 1.0);
  vec4 seen = viewMatrix * place;
  gl_Position = projectionMatrix * seen;
  vec3 n = mat3(frame) * normal;
#ifdef TWO_SIDED
  if (dot(n, cameraPosition - place.xyz) < 0.0) n = -n;
#endif
  inMap = (sunMatrix * vec4(place.xyz + normalBias * n, 1.0)).xyz;
  vec3 own = color * ownColor();
  vec3 sky = mix(vec3(${REFLECTED.toArray().join()}), vec3(${SKY.toArray().join()}), 0.5 * dot(n, upward) + 0.5);
  vec3 sun = vec3(${SUN.toArray().join()}) * max(dot(n, toSun), 0.0);
  float fog = smoothstep(fogRange.x, fogRange.y, -seen.z);
  bright = mix(onScreen(own * (sky + sun)), fogColor, fog);
  dark = mix(onScreen(own * sky), fogColor, fog);
}`;

const BODY_FRAGMENT = `
${COMMON_FRAGMENT}
varying vec3 bright;
varying vec3 dark;
varying vec3 toEdges;
uniform vec4 edgeTone; // and how much of it
uniform float thickness; // [pixels] of edges
void main() {
  vec3 away = toEdges / max(fwidth(toEdges), 1e-9);
  float line = 1.0 - clamp(min(min(away.x, away.y), away.z) / thickness - ${EDGE_FROM}, 0.0, 1.0);
  gl_FragColor = vec4(mix(mix(dark, bright, sunlight()), edgeTone.rgb, line * edgeTone.a), 1.0);
}`;

const GROUND_VERTEX = `
${COMMON_VERTEX}
uniform float tile;
varying vec3 field; // place in tiles, and depth
varying float shade;
void main() {
  mat4 frame = pose();
  vec4 place = frame * vec4(position, 1.0);
  vec4 seen = viewMatrix * place;
  gl_Position = projectionMatrix * seen;
  inMap = (sunMatrix * place).xyz;
  field = vec3(position.xy / tile, -seen.z);
  // Planes that lean are darker; the sun stands high.
  vec3 n = frame[2].xyz;
  shade = 0.78 + 0.22 * max(n.z, n.y);
}`;

// Lines are as wide as a pixel at least, and fade where many fall into one.
const GROUND_FRAGMENT = `
${COMMON_FRAGMENT}
uniform vec3 ground;
uniform vec3 line;
uniform vec3 fogColor;
uniform vec2 fogRange;
varying vec3 field;
varying float shade;
void main() {
  vec2 pixel = fwidth(field.xy);
  vec2 off = abs(fract(field.xy - 0.5) - 0.5);
  vec2 cover = 1.0 - smoothstep(vec2(${LINE}), vec2(${LINE}) + 1.2 * pixel, off);
  float fade = 1.0 - smoothstep(0.1, 0.5, max(pixel.x, pixel.y));
  vec3 own = mix(ground, line, max(cover.x, cover.y) * fade);
  own *= shade * (1.0 - ${GROUND_SHADOW} * (1.0 - sunlight()));
  gl_FragColor = vec4(mix(own, fogColor, smoothstep(fogRange.x, fogRange.y, field.z)), 1.0);
}`;

// Only depth is kept of what the sun sees.
const DEPTH_VERTEX = `
${CROWD_VERTEX}
void main() {
  gl_Position = projectionMatrix * viewMatrix * (pose() * vec4(position, 1.0));
}`;
const DEPTH_FRAGMENT = "void main() { gl_FragColor = vec4(1.0); }";

const depthMaterial = (side: THREE.Side) => new THREE.ShaderMaterial({
  uniforms: crowdUniforms(), vertexShader: DEPTH_VERTEX, fragmentShader: DEPTH_FRAGMENT, side, colorWrite: false,
});

// Colours as the screen takes them.
const onScreen = (color: THREE.ColorRepresentation) => new THREE.Color(color).convertLinearToSRGB();

export class PlainPainter implements Painter {
  private camera = new THREE.OrthographicCamera();
  private map = new THREE.WebGLRenderTarget(MAP_SIZE, MAP_SIZE);
  private crowds = new Map<Group, Crowd>();
  private sky = makeSky();
  private stage: Stage = { size: 1, flat: false, upward: new THREE.Vector3(0, 0, 1), tile: 1 };
  private shared = {
    sunMatrix: { value: new THREE.Matrix4() },
    sunMap: { value: null as THREE.Texture | null },
    toSun: { value: new THREE.Vector3(0, 0, 1) },
    upward: { value: new THREE.Vector3(0, 0, 1) },
    normalBias: { value: 0 },
    fogColor: { value: new THREE.Color() },
    fogRange: { value: new THREE.Vector2(1, 2) },
    edgeTone: { value: new THREE.Vector4() },
    thickness: { value: 1 },
  };

  // Solids cast shadows by their far sides, so that no face shades itself.
  private solids: Shading = { look: this.look(THREE.FrontSide), depth: depthMaterial(THREE.BackSide) };
  private sheets: Shading = { look: this.look(THREE.DoubleSide), depth: depthMaterial(THREE.DoubleSide) };
  private walls: Shading = { look: this.look(THREE.FrontSide), depth: null };
  private ground: Shading = {
    look: new THREE.ShaderMaterial({
      uniforms: {
        ...this.shared, ...crowdUniforms(),
        tile: { value: 1 }, ground: { value: new THREE.Color() }, line: { value: new THREE.Color() },
      },
      vertexShader: GROUND_VERTEX,
      fragmentShader: GROUND_FRAGMENT,
    }),
    depth: null,
  };

  private look(side: THREE.Side): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
      uniforms: { ...this.shared, ...crowdUniforms() },
      vertexShader: BODY_VERTEX,
      fragmentShader: BODY_FRAGMENT,
      vertexColors: true,
      side,
      defines: side === THREE.DoubleSide ? { TWO_SIDED: "" } : {},
    });
  }

  constructor(private renderer: THREE.WebGLRenderer, private scene: THREE.Scene) {
    const depth = new THREE.DepthTexture(MAP_SIZE, MAP_SIZE, THREE.UnsignedIntType);
    depth.compareFunction = THREE.LessEqualCompare;
    depth.minFilter = depth.magFilter = THREE.LinearFilter;
    this.map.depthTexture = depth;
    this.hideMap();
    scene.add(this.sky);
  }

  // Has the programs made that a first frame needs, while there is nothing to draw yet.
  warmUp(nothing: THREE.InstancedMesh, camera: THREE.Camera): void {
    const crowds = [this.solids, this.ground].map((shading) => new Crowd(nothing, shading));
    this.renderer.render(new THREE.Scene().add(...crowds.map(({ mesh }) => mesh)), camera);
    for (const crowd of crowds) crowd.dispose();
  }

  private shadingOf({ kind, ground }: Group): Shading {
    if (ground && !this.stage.flat) return this.ground;
    if (isHollow(kind) && !this.stage.flat) return this.walls;
    return isSheet(kind) ? this.sheets : this.solids;
  }

  add(group: Group): void {
    const crowd = new Crowd(group.mesh, this.shadingOf(group));
    crowd.mesh.renderOrder = group.ground ? 0.5 : 0; // after the bodies, which hide much of it
    this.crowds.set(group, crowd);
    this.scene.add(crowd.mesh);
  }

  clear(): void {
    for (const crowd of this.crowds.values()) {
      this.scene.remove(crowd.mesh);
      crowd.dispose();
    }
    this.crowds.clear();
  }

  moved(group: Group): void {
    this.crowds.get(group)!.move();
  }
  painted(group: Group): void {
    this.crowds.get(group)!.paint();
  }

  setStage(stage: Stage, theme: Theme): void {
    const { shared, camera } = this;
    const { size, flat } = stage;
    this.stage = stage;
    shared.toSun.value.set(...((flat ? TO_SUN.flat : TO_SUN.space) as [number, number, number])).normalize();
    shared.upward.value.copy(stage.upward);
    shared.normalBias.value = NORMAL_BIAS * size;
    shared.fogColor.value.copy(onScreen(theme.horizon));
    shared.fogRange.value.set(flat ? 1e9 : FOG[0], flat ? 2e9 : FOG[1]).multiplyScalar(size);
    const edge = onScreen(theme.edge);
    shared.edgeTone.value.set(edge.r, edge.g, edge.b, flat ? 1 : theme.edging);
    const { uniforms } = this.ground.look;
    uniforms.ground.value.copy(onScreen(theme.ground));
    uniforms.line.value.copy(onScreen(theme.line));
    uniforms.tile.value = stage.tile;
    paintSky(this.sky, theme);
    const reach = SHADOW_REACH * size;
    camera.up.copy(stage.upward);
    Object.assign(camera, { left: -reach, bottom: -reach, right: reach, top: reach, near: 0.1 * size, far: 14 * size });
    camera.updateProjectionMatrix();
    this.hideMap();
  }

  // Nothing is in the shadow.
  private hideMap(): void {
    this.shared.sunMatrix.value.makeTranslation(2, 2, 0).scale(new THREE.Vector3());
  }

  lookAt(center: THREE.Vector3): void {
    this.camera.position.copy(center).addScaledVector(this.shared.toSun.value, 6 * this.stage.size);
    this.camera.lookAt(center);
    this.camera.updateMatrixWorld();
  }

  // Draws what the sun sees. Until this was done there are no shadows.
  private drawMap(): void {
    const { renderer, camera } = this;
    const casting = [...this.crowds.values()].filter(({ castsShadow }) => castsShadow);
    const scene = new THREE.Scene();
    scene.children = casting.map(({ mesh }) => mesh); // which stay in their own scene as well
    for (const crowd of casting) crowd.onlyDepth(true);
    renderer.setRenderTarget(this.map);
    renderer.clear();
    renderer.render(scene, camera);
    renderer.setRenderTarget(null);
    for (const crowd of casting) crowd.onlyDepth(false);
    this.shared.sunMap.value = this.map.depthTexture;
    this.shared.sunMatrix.value
      .set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1)
      .multiply(camera.projectionMatrix)
      .multiply(camera.matrixWorldInverse);
  }

  render(camera: THREE.Camera, ratio: number, shadows: boolean): void {
    this.shared.thickness.value = (this.stage.flat ? 1.6 : 1) * Math.max(ratio, 0.75);
    if (shadows && !this.stage.flat) this.drawMap();
    this.renderer.render(this.scene, camera);
  }

  dispose(): void {
    this.clear();
    this.scene.remove(this.sky);
    this.sky.geometry.dispose();
    for (const { look, depth } of [this.solids, this.sheets, this.walls, this.ground]) {
      look.dispose();
      depth?.dispose();
    }
    this.sky.material.dispose();
    this.map.dispose();
    this.map.depthTexture?.dispose();
  }
}
