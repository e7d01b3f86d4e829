// shapes.ts - geometry of three.js for the shapes of the library.
import * as THREE from "three";
import { smooth, withEdges, withoutEdges } from "./edges";
import type { Shape } from "./engine";
import { ShapeKind } from "./layout.js";

// Round things get two tones in alternate quarters, so that one sees them turn.
function inQuarters(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const flat = geometry.toNonIndexed();
  const position = flat.getAttribute("position");
  const colors = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    const x = position.getX(i) + position.getX(i + 1) + position.getX(i + 2);
    const y = position.getY(i) + position.getY(i + 1) + position.getY(i + 2);
    colors.fill(x * y > 0 ? 1 : 0.72, 3 * i, 3 * i + 9);
  }
  flat.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return flat;
}

export function inOneTone(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  const count = geometry.getAttribute("position").count;
  geometry.setAttribute("color", new THREE.BufferAttribute(new Float32Array(3 * count).fill(1), 3));
  return geometry;
}

function triangles(corners: Float32Array): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// A flat outline as a slab about the plane.
function slab(outline: THREE.Shape, depth: number): THREE.BufferGeometry {
  const geometry = new THREE.ExtrudeGeometry(outline, { depth, bevelEnabled: false, curveSegments: 24 });
  return geometry.translate(0, 0, -depth / 2);
}

function polygon(corners: Float32Array, depth: number): THREE.BufferGeometry {
  const points: THREE.Vector2[] = [];
  for (let i = 0; i < corners.length; i += 3) points.push(new THREE.Vector2(corners[i], corners[i + 1]));
  return slab(new THREE.Shape(points), depth);
}

function segment(corners: Float32Array, depth: number): THREE.BufferGeometry {
  const [ax, ay, , bx, by] = corners;
  const length = Math.hypot(bx - ax, by - ay);
  const geometry = new THREE.BoxGeometry(length, depth / 16, depth);
  return geometry.rotateZ(Math.atan2(by - ay, bx - ax)).translate((ax + bx) / 2, (ay + by) / 2, 0);
}

// A line of points as a ribbon across the plane.
function ribbon(corners: Float32Array, depth: number): THREE.BufferGeometry {
  const out: number[] = [];
  for (let i = 0; i + 3 < corners.length; i += 3) {
    const [ax, ay, , bx, by] = corners.subarray(i, i + 5);
    const a = [ax, ay, -depth / 2], b = [bx, by, -depth / 2], c = [bx, by, depth / 2], d = [ax, ay, depth / 2];
    out.push(...a, ...b, ...c, ...a, ...c, ...d);
  }
  return triangles(Float32Array.from(out));
}

function stadium(radius: number, half: number, depth: number): THREE.BufferGeometry {
  const outline = new THREE.Shape();
  outline.absarc(half, 0, radius, -Math.PI / 2, Math.PI / 2, false);
  outline.absarc(-half, 0, radius, Math.PI / 2, (3 * Math.PI) / 2, false);
  return slab(outline, depth);
}

// What is below the line of a flat half-space, in the shape's frame, whose z goes out of it.
function flatGround(shape: Shape, depth: number, reach: number): THREE.BufferGeometry {
  const [w, x, y, z] = shape.orientation;
  const turn = new THREE.Quaternion(x, y, z, w);
  const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(turn);
  const angle = Math.atan2(normal.y, normal.x) - Math.PI / 2;
  const block = new THREE.BoxGeometry(2 * reach, reach, depth).translate(0, -reach / 2, 0).rotateZ(angle);
  return block.applyQuaternion(turn.invert());
}

// A tube from inside.
function tube(radius: number, half: number): THREE.BufferGeometry {
  const geometry = new THREE.CylinderGeometry(radius, radius, 2 * half, 96, 1, true).rotateX(Math.PI / 2).toNonIndexed();
  const [position, normal] = [geometry.getAttribute("position"), geometry.getAttribute("normal")] as THREE.BufferAttribute[];
  for (const attribute of [position, normal])
    for (let i = 0; i < attribute.count; i += 3) {
      const [b, c] = [i + 1, i + 2].map((k) => new THREE.Vector3().fromBufferAttribute(attribute, k));
      attribute.setXYZ(i + 1, c.x, c.y, c.z).setXYZ(i + 2, b.x, b.y, b.z);
    }
  for (let i = 0; i < normal.count; ++i) normal.setXYZ(i, -normal.getX(i), -normal.getY(i), -normal.getZ(i));
  return geometry;
}

const MANY = 100; // round bodies of one look, from which on they have fewer corners

function bareGeometry(shape: Shape, flat: boolean, depth: number, reach: number, count: number): THREE.BufferGeometry {
  const { radius: r, halfLength: h, half } = shape;
  const quarter = Math.PI / 2;
  const parts = (fine: number) => (count < MANY ? fine : fine / 2);
  switch (shape.kind) {
    case ShapeKind.Sphere:
      return inQuarters(new THREE.SphereGeometry(r, parts(32), parts(20)).rotateX(quarter));
    case ShapeKind.Ellipsoid:
      return inQuarters(new THREE.SphereGeometry(1, parts(32), parts(20)).rotateX(quarter).scale(...half));
    case ShapeKind.Capsule:
      if (flat) return inOneTone(stadium(r, h, depth));
      return inQuarters(new THREE.CapsuleGeometry(r, 2 * h, parts(8), parts(24)).rotateX(quarter));
    case ShapeKind.Cylinder:
      return inQuarters(new THREE.CylinderGeometry(r, r, 2 * h, parts(48)).rotateX(quarter));
    case ShapeKind.Tube:
      return inOneTone(tube(r, h));
    case ShapeKind.Circle:
      return inQuarters(new THREE.CylinderGeometry(r, r, depth, parts(48)).rotateX(quarter));
    case ShapeKind.Box:
      if (shape.corners.length) return inOneTone(smooth(triangles(shape.corners))); // rounded
      return inOneTone(new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]));
    case ShapeKind.Halfspace:
      return inOneTone(flat ? flatGround(shape, depth, reach) : new THREE.CircleGeometry(reach, 64));
    case ShapeKind.Polygon:
      return inOneTone(polygon(shape.corners, depth));
    case ShapeKind.Segment:
      return inOneTone(segment(shape.corners, depth));
    case ShapeKind.Hull:
    case ShapeKind.Mesh:
    case ShapeKind.Field:
      return inOneTone(triangles(shape.corners));
    case ShapeKind.Bowl:
      return inOneTone(flat ? ribbon(shape.corners, depth) : smooth(triangles(shape.corners)));
    default: // a kind that the page has no geometry for: its surface came as triangles
      return inQuarters(smooth(triangles(shape.corners)));
  }
}

const SMOOTH: number[] = [ShapeKind.Sphere, ShapeKind.Ellipsoid, ShapeKind.Field, ShapeKind.Torus, ShapeKind.Ring];

// `depth` [m] is how thick flat shapes are drawn, `reach` [m] how far half-spaces; `count` are to be drawn.
export function geometryOf(shape: Shape, flat: boolean, depth: number, reach: number, count: number): THREE.BufferGeometry {
  const geometry = bareGeometry(shape, flat, depth, reach, count);
  const smooth = SMOOTH.includes(shape.kind) || (shape.kind === ShapeKind.Capsule && !flat) || (shape.kind === ShapeKind.Halfspace && !flat);
  return smooth ? withoutEdges(geometry) : withEdges(geometry);
}

// Shapes with the same key look the same.
export function keyOf(shape: Shape): string {
  const numbers = [shape.kind, shape.radius, shape.halfLength, ...shape.half];
  if (shape.kind === ShapeKind.Halfspace) numbers.push(...shape.orientation); // a flat one depends on it
  return shape.corners.length ? `${numbers.join()}:${shape.corners.join()}` : numbers.join();
}
