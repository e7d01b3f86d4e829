// crowd.ts - bodies that look alike, drawn at once.
//
// One geometry holds many copies; where each stands is read from a texture. Drawing by the processor
// takes a draw call for every instance of three.js' own InstancedMesh, which costs more than the
// twelve triangles of a box; here 500 boxes are one call.
import * as THREE from "three";

const CORNERS = 1 << 16; // of the copies of one call, at most
const ROW = 64; // bodies in a row of the textures

// The pose and the colour of the body that a corner belongs to.
export const CROWD_VERTEX = `
uniform sampler2D poses;
uniform sampler2D colors;
uniform int copies; // in a call
attribute float copy;
ivec2 bodyAt(int width) {
  int body = gl_InstanceID * copies + int(copy);
  return ivec2(body % ${ROW} * width, body / ${ROW});
}
mat4 pose() {
  ivec2 at = bodyAt(4);
  return mat4(texelFetch(poses, at, 0), texelFetch(poses, at + ivec2(1, 0), 0),
    texelFetch(poses, at + ivec2(2, 0), 0), texelFetch(poses, at + ivec2(3, 0), 0));
}
vec3 ownColor() {
  return texelFetch(colors, bodyAt(1), 0).rgb;
}
`;

function repeat(source: THREE.BufferAttribute, copies: number): THREE.BufferAttribute {
  const { array, itemSize } = source;
  const all = new Float32Array(array.length * copies);
  for (let i = 0; i < copies; ++i) all.set(array, i * array.length);
  return new THREE.BufferAttribute(all, itemSize);
}

function copiesOf(geometry: THREE.BufferGeometry, copies: number): THREE.InstancedBufferGeometry {
  const all = new THREE.InstancedBufferGeometry();
  for (const name of ["position", "normal", "color", "edge"])
    all.setAttribute(name, repeat(geometry.getAttribute(name) as THREE.BufferAttribute, copies));
  const corners = geometry.getAttribute("position").count;
  const which = new Float32Array(corners * copies).map((_, i) => Math.floor(i / corners));
  all.setAttribute("copy", new THREE.BufferAttribute(which, 1));
  const index = geometry.getIndex();
  if (index) {
    const indices = new Uint32Array(index.count * copies);
    for (let i = 0; i < indices.length; ++i)
      indices[i] = index.array[i % index.count] + corners * Math.floor(i / index.count);
    all.setIndex(new THREE.BufferAttribute(indices, 1));
  }
  return all;
}

// Four numbers to a pixel, rows full.
function dataTexture(width: number, height: number): THREE.DataTexture {
  const data = new Float32Array(4 * width * height);
  return new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
}

// The materials of a crowd, which crowds share: to make one anew takes longer than to draw it.
export interface Shading {
  look: THREE.ShaderMaterial;
  depth: THREE.ShaderMaterial | null; // null casts no shadow
}

// Uniforms that a material of a crowd must have.
export const crowdUniforms = () => ({
  poses: { value: null as THREE.Texture | null },
  colors: { value: null as THREE.Texture | null },
  copies: { value: 1 },
});

export class Crowd {
  readonly mesh: THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial>;
  private poses: THREE.DataTexture;
  private colors: THREE.DataTexture;

  // `source` is not drawn; its matrices and colours are.
  constructor(private source: THREE.InstancedMesh, private shading: Shading) {
    const { count, geometry } = source;
    const copies = Math.min(count, Math.max(1, Math.floor(CORNERS / geometry.getAttribute("position").count)));
    const all = copiesOf(geometry, copies);
    all.instanceCount = Math.ceil(count / copies);
    const rows = Math.ceil((all.instanceCount * copies) / ROW);
    this.poses = dataTexture(4 * ROW, rows);
    this.colors = dataTexture(ROW, rows);
    this.mesh = new THREE.Mesh(all, shading.look);
    this.mesh.frustumCulled = false;
    this.mesh.onBeforeRender = () => {
      const { uniforms } = this.mesh.material;
      uniforms.poses.value = this.poses;
      uniforms.colors.value = this.colors;
      uniforms.copies.value = copies;
      this.mesh.material.uniformsNeedUpdate = true;
    };
    this.move();
  }

  get castsShadow(): boolean {
    return this.shading.depth !== null;
  }

  // Draws depth only, or all.
  onlyDepth(on: boolean): void {
    this.mesh.material = on && this.shading.depth ? this.shading.depth : this.shading.look;
  }

  // The matrices of the source have changed.
  move(): void {
    (this.poses.image.data as Float32Array).set(this.source.instanceMatrix.array);
    this.poses.needsUpdate = true;
  }

  // Its colours have.
  paint(): void {
    const from = this.source.instanceColor?.array;
    const to = this.colors.image.data as Float32Array;
    for (let i = 0; from && i < this.source.count; ++i)
      for (let k = 0; k < 3; ++k) to[4 * i + k] = from[3 * i + k];
    this.colors.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.poses.dispose();
    this.colors.dispose();
  }
}
