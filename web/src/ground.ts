// ground.ts - half-spaces: a plane with a grid that costs little to draw, far as it goes, and on it
// the shadows, near the scene only.
import * as THREE from "three";

export interface GroundColors {
  ground: string;
  line: string;
}

const SHADOW = 0.32; // how dark
const LINE = 0.012; // half width of a line, of a tile

const VERTEX = `
uniform float tile;
varying vec2 place;
varying float shade;
#include <fog_pars_vertex>
void main() {
  place = position.xy / tile;
  vec4 mvPosition = viewMatrix * modelMatrix * instanceMatrix * vec4(position, 1.0);
  // Planes that lean are darker; the sun stands high.
  vec3 upward = normalize(mat3(instanceMatrix) * vec3(0.0, 0.0, 1.0));
  shade = 0.78 + 0.22 * max(upward.z, upward.y);
  gl_Position = projectionMatrix * mvPosition;
  #include <fog_vertex>
}`;

// Lines are as wide as a pixel at least, and fade where many fall into one.
const FRAGMENT = `
uniform vec3 ground;
uniform vec3 line;
varying vec2 place;
varying float shade;
#include <fog_pars_fragment>
void main() {
  vec2 pixel = fwidth(place);
  vec2 off = abs(fract(place - 0.5) - 0.5);
  vec2 cover = 1.0 - smoothstep(vec2(${LINE}), vec2(${LINE}) + 1.2 * pixel, off);
  float fade = 1.0 - smoothstep(0.1, 0.5, max(pixel.x, pixel.y));
  gl_FragColor = vec4(mix(ground, line, max(cover.x, cover.y) * fade) * shade, 1.0);
  #include <colorspace_fragment>
  #include <fog_fragment>
}`;

// `tile` [m] is the distance of the lines.
export function groundMaterial(colors: GroundColors, tile: number): THREE.Material {
  return new THREE.ShaderMaterial({
    uniforms: THREE.UniformsUtils.merge([THREE.UniformsLib.fog, {
      tile: { value: tile },
      ground: { value: new THREE.Color(colors.ground) },
      line: { value: new THREE.Color(colors.line) },
    }]),
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    fog: true,
  });
}

export function shadowMaterial(): THREE.Material {
  return new THREE.ShadowMaterial({
    opacity: SHADOW, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -2,
  });
}
