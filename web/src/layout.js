// layout.js - where numbers are in the records of the module: offset of each field, and
// size of the record. Made from apps/wasm/layout.h by `node web/layout.mjs`.

export const STATE = {
  time: 0,
  steps: 1,
  kinetic: 2,
  potential: 3,
  islands: 4,
  dimension: 5,
  step: 6,
  meanMass: 7,
  gravity: 8,
  signorini: 9,
  coulomb: 10,
  joint: 11,
  dynamics: 12,
  scale: 13,
  residual: 14,
  tolerance: 15,
  met: 16,
  penetration: 17,
  joint_error: 18,
  energy: 19,
  energy_contacts: 20,
  energy_joints: 21,
  energy_integration: 22,
  energy_projection: 23,
  iterations: 24,
  sweeps: 25,
  factorizations: 26,
  contacts: 27,
  suiting_asked: 28,
  suiting_reached: 29,
  suiting_missed: 30,
  impacts_asked: 31,
  impacts_reached: 32,
  impacts_missed: 33,
  rounds_asked: 34,
  rounds_reached: 35,
  rounds_missed: 36,
  plain_asked: 37,
  plain_reached: 38,
  plain_missed: 39,
  closing_asked: 40,
  closing_reached: 41,
  closing_missed: 42,
  passing_asked: 43,
  passing_reached: 44,
  passing_missed: 45,
  gap_asked: 46,
  gap_reached: 47,
  gap_missed: 48,
  alignment_asked: 49,
  alignment_reached: 50,
  alignment_missed: 51,
  ringing_asked: 52,
  ringing_reached: 53,
  ringing_missed: 54,
  projection_asked: 55,
  projection_reached: 56,
  projection_missed: 57,
  energy_asked: 58,
  energy_reached: 59,
  energy_missed: 60,
  size: 61,
};

export const BODY = {
  position: 0,
  orientation: 3,
  kind: 7,
  island: 8,
  size: 9,
};

export const SHAPE = {
  body: 0,
  kind: 1,
  position: 2,
  orientation: 5,
  radius: 9,
  halfLength: 10,
  half: 11,
  extent: 14,
  corners: 15,
  size: 16,
};

export const CONTACT = {
  point: 0,
  normal: 3,
  gap: 6,
  impulse: 7,
  mu: 10,
  bodyA: 11,
  bodyB: 12,
  size: 13,
};

export const JOINT = {
  kind: 0,
  position: 1,
  orientation: 4,
  other: 8,
  error: 11,
  force: 12,
  bodyA: 13,
  bodyB: 14,
  torque: 15,
  axes: 16,
  angle: 17,
  coordinate: 21,
  rate: 25,
  along: 29,
  size: 33,
};

export const BOUNDS = {
  lower: 0,
  upper: 3,
  size: 6,
};

export const FORCE = {
  kind: 0,
  from: 1,
  to: 4,
  strength: 7,
  size: 8,
};

export const MASS = {
  mass: 0,
  center: 1,
  size: 4,
};

export const INSPECT = {
  mass: 0,
  velocity: 1,
  spin: 4,
  contactForce: 7,
  size: 10,
};

export const BodyKind = {
  Dynamic: 0,
  Static: 1,
  Kinematic: 2,
};

export const ForceKind = {
  Constant: 0,
  Table: 1,
  Spring: 2,
  Torsion: 3,
  Drag: 4,
  Attractor: 5,
  Callback: 6,
};

export const ShapeKind = {
  Sphere: 0,
  Box: 1,
  Capsule: 2,
  Cylinder: 3,
  Ellipsoid: 4,
  Hull: 5,
  Halfspace: 6,
  Mesh: 7,
  Field: 8,
  Circle: 9,
  Polygon: 10,
  Segment: 11,
  Superellipsoid: 12,
  Tube: 13,
  Bowl: 14,
  Torus: 15,
  Ring: 16,
  Cone: 17,
  Lens: 18,
  Intersection: 19,
  Function: 20,
};

export const VERSION = 2942464130;
