// painter.ts - what draws the bodies. There are two: plain.ts for machines that draw by the processor,
// fine.ts for graphics cards.
import type * as THREE from "three";
import { ShapeKind } from "./layout.js";
import type { Theme } from "./theme";

// Bodies that look alike: their geometry, matrices and colours.
export interface Group {
  mesh: THREE.InstancedMesh;
  bodies: number[];
  locals: THREE.Matrix4[];
  kind: number; // of ShapeKind
  ground: boolean; // half-spaces
}

// What light and ground depend on.
export interface Stage {
  size: number; // [m] of the scene
  flat: boolean;
  upward: THREE.Vector3;
  tile: number; // [m] between lines of the ground
}

export interface Painter {
  add(group: Group): void;
  clear(): void; // groups are gone
  moved(group: Group): void; // matrices have changed
  painted(group: Group): void; // colours have
  setStage(stage: Stage, theme: Theme): void;
  lookAt(center: THREE.Vector3): void; // light and shadow are about it
  // `ratio` pixels are drawn for one of the page; the first frame goes without shadows.
  render(camera: THREE.Camera, ratio: number, shadows: boolean): void;
  dispose(): void;
}

const SHEETS: number[] = [ShapeKind.Mesh, ShapeKind.Field, ShapeKind.Tube, ShapeKind.Bowl, ShapeKind.Torus];
export const isSheet = (kind: number): boolean => SHEETS.includes(kind);
// What bodies are inside of: only the far wall is drawn, and it gives no shade.
const HOLLOW: number[] = [ShapeKind.Tube, ShapeKind.Bowl];
export const isHollow = (kind: number): boolean => HOLLOW.includes(kind);

export const TO_SUN = { flat: [-0.4, 0.8, 1], space: [-0.62, -0.3, 1] } as const;
export const FOG = [14, 40] as const; // where the ground begins to fade and ends, of the size of the scene
export const LINE = 0.009; // half width of a line of the ground, of a tile
