// light.ts - sun, sky and fog, and the materials of bodies and ground that they light.
//
// Made for machines that draw by the processor: colours in light and in shadow are found per corner
// and in the numbers of the screen, so that a pixel costs one look into the sun's map and a mixture.
import * as THREE from "three";
import { CROWD_VERTEX, type Crowd, type Shading, crowdUniforms } from "./crowd";

export interface Theme {
  background: number;
  ground: string;
  line: string;
}

const SUN = new THREE.Color(0xfff6ea).multiplyScalar(0.605); // of a surface that faces it
const SKY = new THREE.Color(0xf4f7ff).multiplyScalar(0.573);
const REFLECTED = new THREE.Color(0xa8a29a).multiplyScalar(0.573); // light from below
const MAP_SIZE = 1024; // pixels of the sun's map along each side
const DEPTH_BIAS = 0.0003; // of the depth of the map
const NORMAL_BIAS = 0.001; // [size of the scene] off a surface, where its shadow is looked up
const GROUND_SHADOW = 0.32; // how dark
const LINE = 0.012; // half width of a line, of a tile

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
vec3 onScreen(vec3 c) {
  return mix(1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, 12.92 * c, lessThan(c, vec3(0.0031308)));
}
void main() {
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
void main() {
  gl_FragColor = vec4(mix(dark, bright, sunlight()), 1.0);
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

export class Light {
  private camera = new THREE.OrthographicCamera();
  private toMap = new THREE.Matrix4();
  private map = new THREE.WebGLRenderTarget(MAP_SIZE, MAP_SIZE);
  private shared = {
    sunMatrix: { value: new THREE.Matrix4().makeTranslation(2, 2, 0).scale(new THREE.Vector3()) }, // beside the map
    sunMap: { value: null as THREE.Texture | null },
    toSun: { value: new THREE.Vector3(0, 0, 1) },
    upward: { value: new THREE.Vector3(0, 0, 1) },
    normalBias: { value: 0 },
    fogColor: { value: new THREE.Color() },
    fogRange: { value: new THREE.Vector2(1, 2) },
  };

  // Solids cast shadows by their far sides, so that no face shades itself.
  readonly solids: Shading = { look: this.look(THREE.FrontSide), depth: depthMaterial(THREE.BackSide) };
  readonly sheets: Shading = { look: this.look(THREE.DoubleSide), depth: depthMaterial(THREE.DoubleSide) };
  readonly ground: Shading = {
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

  constructor() {
    const depth = new THREE.DepthTexture(MAP_SIZE, MAP_SIZE, THREE.UnsignedIntType);
    depth.compareFunction = THREE.LessEqualCompare;
    depth.minFilter = depth.magFilter = THREE.LinearFilter;
    this.map.depthTexture = depth;
  }

  // The sun stands in the direction `toSun` and casts shadows up to `reach` [m] from `center`.
  place(center: THREE.Vector3, size: number, reach: number, toSun: THREE.Vector3, upward: THREE.Vector3): void {
    const { camera, shared } = this;
    shared.toSun.value.copy(toSun).normalize();
    shared.upward.value.copy(upward);
    shared.normalBias.value = NORMAL_BIAS * size;
    camera.position.copy(center).addScaledVector(shared.toSun.value, 6 * size);
    camera.up.copy(upward);
    camera.lookAt(center);
    camera.left = camera.bottom = -reach;
    camera.right = camera.top = reach;
    camera.near = 0.1 * size;
    camera.far = 14 * size;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.toMap
      .set(0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 1)
      .multiply(camera.projectionMatrix)
      .multiply(camera.matrixWorldInverse);
  }

  setFog(color: THREE.ColorRepresentation, from: number, to: number): void {
    this.shared.fogColor.value.copy(onScreen(color));
    this.shared.fogRange.value.set(from, to);
  }

  // `tile` [m] is the distance of the lines.
  setGround(theme: Theme, tile: number): void {
    const { uniforms } = this.ground.look;
    uniforms.ground.value.copy(onScreen(theme.ground));
    uniforms.line.value.copy(onScreen(theme.line));
    uniforms.tile.value = tile;
  }

  // Draws what the sun sees. Until this was done there are no shadows.
  drawMap(renderer: THREE.WebGLRenderer, crowds: Crowd[]): void {
    const casting = crowds.filter(({ castsShadow }) => castsShadow);
    const scene = new THREE.Scene();
    scene.children = casting.map(({ mesh }) => mesh); // which stay in their own scene as well
    for (const crowd of casting) crowd.onlyDepth(true);
    renderer.setRenderTarget(this.map);
    renderer.render(scene, this.camera);
    renderer.setRenderTarget(null);
    for (const crowd of casting) crowd.onlyDepth(false);
    this.shared.sunMap.value = this.map.depthTexture;
    this.shared.sunMatrix.value.copy(this.toMap);
  }
}
