// edges.ts - where a surface bends: lines that set flat faces apart, and normals that make round ones smooth.
//
// Corners of triangles that meet at a place share a normal as long as the triangles bend by less than an
// edge does: a lens is smooth on both caps and sharp at its rim.
//
// Each corner of a triangle gets its distances [m] from the three sides; between corners they are
// interpolated, so that a pixel knows how far it is from each side. Sides between triangles of one
// face are far from everywhere.
import * as THREE from "three";

const BEND = Math.cos(THREE.MathUtils.degToRad(25)); // of two normals, from which on a line is drawn
const FAR = 1e6; // [m] from a side that is not drawn
const MOST = 30000; // triangles; what has more is smooth, or too fine for lines
const GRAIN = 1e-5; // of the size: corners that are nearer than that are one

// Corners that are at the same place have the same number.
function numbered(position: THREE.BufferAttribute, grain: number): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from({ length: position.count }, (_, i) => {
    const key = [position.getX(i), position.getY(i), position.getZ(i)].map((x) => Math.round(x / grain)).join();
    if (!known.has(key)) known.set(key, known.size);
    return known.get(key)!;
  });
}

// Triangles by corner, with normals as long as twice their areas.
function facesOf(position: THREE.BufferAttribute, corner: Int32Array): { normals: THREE.Vector3[]; at: number[][] } {
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const normals: THREE.Vector3[] = [];
  const at: number[][] = [];
  for (let i = 0; i < position.count; ++i) {
    if (i % 3 === 0) {
      a.fromBufferAttribute(position, i);
      b.fromBufferAttribute(position, i + 1).sub(a);
      c.fromBufferAttribute(position, i + 2).sub(a);
      normals.push(b.clone().cross(c));
    }
    (at[corner[i]] ??= []).push(normals.length - 1);
  }
  return { normals, at };
}

// Sets the normals of triangles, each with corners of its own, that approximate a surface round in parts.
export function smooth(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const position = geometry.getAttribute("position") as THREE.BufferAttribute;
  geometry.computeBoundingSphere();
  const corner = numbered(position, GRAIN * Math.max(geometry.boundingSphere!.radius, 1e-12));
  const { normals, at } = facesOf(position, corner);
  const lengths = normals.map((normal) => normal.length());
  const normal = new Float32Array(3 * position.count);
  const sum = new THREE.Vector3();
  for (let i = 0; i < position.count; ++i) {
    const own = Math.floor(i / 3);
    sum.set(0, 0, 0);
    for (const face of at[corner[i]])
      if (normals[face].dot(normals[own]) >= BEND * lengths[face] * lengths[own]) sum.add(normals[face]);
    sum.normalize().toArray(normal, 3 * i);
  }
  geometry.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  return geometry;
}

// No line anywhere.
export function withoutEdges(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const { count } = geometry.getAttribute("position");
  geometry.setAttribute("edge", new THREE.BufferAttribute(new Float32Array(3 * count).fill(FAR), 3));
  return geometry;
}

// The geometry, every triangle with corners of its own, with the attribute `edge`.
export function withEdges(source: THREE.BufferGeometry): THREE.BufferGeometry {
  const geometry = source.getIndex() ? source.toNonIndexed() : source;
  const position = geometry.getAttribute("position") as THREE.BufferAttribute;
  if (position.count > 3 * MOST) return withoutEdges(geometry);
  geometry.computeBoundingSphere();
  const corner = numbered(position, GRAIN * Math.max(geometry.boundingSphere!.radius, 1e-12));
  const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  const normals: THREE.Vector3[] = [];
  const beside = new Map<string, number[]>(); // triangles at a side
  const sideOf = (t: number, k: number) => {
    const [p, q] = [corner[3 * t + ((k + 1) % 3)], corner[3 * t + ((k + 2) % 3)]];
    return p < q ? `${p},${q}` : `${q},${p}`;
  };
  for (let t = 0; 3 * t < position.count; ++t) {
    a.fromBufferAttribute(position, 3 * t);
    b.fromBufferAttribute(position, 3 * t + 1).sub(a);
    c.fromBufferAttribute(position, 3 * t + 2).sub(a);
    normals.push(b.cross(c).clone());
    for (let k = 0; k < 3; ++k) beside.set(sideOf(t, k), [...(beside.get(sideOf(t, k)) ?? []), t]);
  }
  const bends = (t: number, k: number) => {
    const [one, other, ...more] = beside.get(sideOf(t, k))!.map((i) => normals[i]);
    return other === undefined || (more.length === 0 && one.dot(other) < BEND * one.length() * other.length());
  };
  const edge = new Float32Array(3 * position.count).fill(FAR);
  for (let t = 0; 3 * t < position.count; ++t)
    for (let k = 0; k < 3; ++k) {
      if (!bends(t, k)) continue;
      const side = a.fromBufferAttribute(position, 3 * t + ((k + 1) % 3)).distanceTo(b.fromBufferAttribute(position, 3 * t + ((k + 2) % 3)));
      for (let corner = 0; corner < 3; ++corner)
        edge[3 * (3 * t + corner) + k] = corner === k ? normals[t].length() / Math.max(side, 1e-30) : 0;
    }
  geometry.setAttribute("edge", new THREE.BufferAttribute(edge, 3));
  return geometry;
}
