// colors.ts - which colour a body has: one for each name; copies of one body differ a little, or run
// through a ramp where they are most of what moves.
import * as THREE from "three";
import { BodyKind } from "./layout.js";
import type { Theme } from "./theme";

const GOLDEN_TURN = 0.618033988749895; // spreads what follows each other
const SHADES = 0.16; // by how much copies of a body differ in lightness
const MOST = 0.6; // of what moves
const FEW = 4; // copies at least, for a ramp

// A place from 0 to 1 on the ramp.
function onRamp(ramp: string[], at: number): THREE.Color {
  const step = at * (ramp.length - 1);
  const low = Math.min(Math.floor(step), ramp.length - 2);
  return new THREE.Color(ramp[low]).lerp(new THREE.Color(ramp[low + 1]), step - low);
}

// By the kinds and the names of the bodies.
export function colorsOf(kinds: number[], names: string[], theme: Theme): THREE.Color[] {
  const moving = kinds.flatMap((kind, i) => (kind === BodyKind.Dynamic ? [i] : []));
  const copies = new Map<string, number[]>(); // by name, in the order in which they come
  for (const i of moving) copies.set(names[i], [...(copies.get(names[i]) ?? []), i]);
  const hues = [...copies.keys()];
  const most = hues.find((name) => copies.get(name)!.length >= Math.max(FEW, MOST * moving.length));
  return kinds.map((kind, i) => {
    if (kind === BodyKind.Kinematic) return new THREE.Color(theme.driven);
    if (kind !== BodyKind.Dynamic) return new THREE.Color(theme.still);
    const among = copies.get(names[i])!;
    if (names[i] === most) return onRamp(theme.ramp, among.indexOf(i) / (among.length - 1));
    const color = new THREE.Color(theme.bodies[hues.indexOf(names[i]) % theme.bodies.length]);
    return among.length > 1 ? color.offsetHSL(0, 0, SHADES * (((i * GOLDEN_TURN) % 1) - 0.5)) : color;
  });
}
