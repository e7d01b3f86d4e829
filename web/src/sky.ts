// sky.ts - what is behind everything: brighter at the horizon than above.
import * as THREE from "three";
import type { Theme } from "./theme";

export type Sky = THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;

const HIGH = 0.75; // of a unit of direction upwards: there it has the colour of the zenith
const LOW = 0.9; // and downwards, where nothing is: that of the nadir

// One triangle over the whole picture, at the far end, so that only what nothing covers is drawn.
export function makeSky(): Sky {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.of(-1, -1, 1, 3, -1, 1, -1, 3, 1), 3));
  const material = new THREE.ShaderMaterial({
    uniforms: { zenith: { value: new THREE.Color() }, nadir: { value: new THREE.Color() }, horizon: { value: new THREE.Color() } },
    vertexShader: `
varying float height;
void main() {
  gl_Position = vec4(position.xy, 1.0, 1.0);
  // A camera without perspective looks straight on: there the picture itself goes up.
  if (projectionMatrix[3][3] > 0.5) height = 0.35 + 0.4 * position.y;
  else {
    vec2 tangent = vec2(1.0 / projectionMatrix[0][0], 1.0 / projectionMatrix[1][1]);
    height = 1.4 * (vec4(position.xy * tangent, -1.0, 0.0) * viewMatrix).z;
  }
}`,
    fragmentShader: `
uniform vec3 zenith;
uniform vec3 nadir;
uniform vec3 horizon;
varying float height;
void main() {
  float up = clamp(height / (height < 0.0 ? ${-LOW} : ${HIGH}), 0.0, 1.0);
  gl_FragColor = vec4(mix(horizon, height < 0.0 ? nadir : zenith, up * (2.0 - up)), 1.0);
  #include <colorspace_fragment>
}`,
    depthWrite: false,
  });
  material.depthFunc = THREE.LessEqualDepth;
  const sky = new THREE.Mesh(geometry, material);
  sky.frustumCulled = false;
  sky.renderOrder = 0.7; // after bodies and ground
  return sky;
}

export function paintSky(sky: Sky, theme: Theme): void {
  sky.material.uniforms.zenith.value.set(theme.zenith);
  sky.material.uniforms.nadir.value.set(theme.zenith).lerp(new THREE.Color(theme.horizon), 0.45);
  sky.material.uniforms.horizon.value.set(theme.horizon);
}
