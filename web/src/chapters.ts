// chapters.ts - the six scenes of the tour, each beside a variant: the same scene with what other methods do.

export interface Chapter {
  title: string;
  text: string; // two sentences
  scene: string; // of the gallery, or the text of one
  own: string; // what the left picture is
  label: string; // what the right one is
  options?: [string, string][]; // of the variant
  variant?: string; // its text, when the scene itself differs
}

const scene = (title: string, camera: { at: number[]; from: number[] }, options: object, materials: object[], bodies: object[]) =>
  JSON.stringify({ rigor: 1, title, camera, options, materials, bodies });

const GROUND = { name: "ground", kind: "static", shapes: [{ shape: "halfspace" }] };

// Pucks that start alike in all directions.
function star(): string {
  const pucks = Array.from({ length: 24 }, (_, i) => {
    const [c, s] = [Math.cos((i * Math.PI) / 12), Math.sin((i * Math.PI) / 12)];
    return { name: `puck ${i}`, position: [c, s, 0.05], velocity: [4 * c, 4 * s, 0], rotation_locked: true,
      shapes: [{ shape: "cylinder", radius: 0.12, half_length: 0.05 }] };
  });
  return scene("Pucks start alike in all directions", { at: [0, 0, 0], from: [0, -5.2, 7.2] }, { step: 0.005 },
    [{ name: "default", mu: 0.5, direction: [1, 0, 0] }], [GROUND, ...pucks]);
}

// Slabs that slide to a stop.
const slides = () => scene("Slabs slide to a stop", { at: [1.6, 0, 0.25], from: [2.6, -5, 1.2] }, { step: 0.01 }, [{ name: "default", mu: 0.5 }],
  [GROUND, ...[-0.7, 0, 0.7].map((y, i) => ({ name: `slab ${i}`, position: [0, y, 0.08], velocity: [5, 0, 0],
    shapes: [{ shape: "box", half: [0.25, 0.2, 0.08] }] }))]);

// Corners of a ball of triangles: the middles of the edges of an icosahedron, and its corners.
function facets(radius: number): number[][] {
  const g = (1 + Math.sqrt(5)) / 2;
  const corners = [-1, 1].flatMap((a) => [-g, g].flatMap((b) => [[0, a, b], [a, b, 0], [b, 0, a]]));
  const middles = corners.flatMap((p, i) => corners.slice(i + 1).flatMap((q) =>
    Math.hypot(...p.map((x, k) => x - q[k])) < 2.1 ? [p.map((x, k) => (x + q[k]) / 2)] : []));
  return [...corners, ...middles].map((p) => p.map((x) => (radius * x) / Math.hypot(...p)));
}

// Balls on a gentle slope.
const rolls = (shape: object) => scene("Balls on a slope of 5 degrees", { at: [1.3, 0, 0], from: [1.9, -3.6, 1.5] }, {}, [{ name: "default", mu: 0.8 }], [
  { ...GROUND, orientation: { axis: [0, 1, 0], degrees: 5 } },
  ...[-0.7, 0, 0.7].map((y, i) => ({ name: `ball ${i}`, position: [0, y, 0.2008], shapes: [shape] })),
]);

export const CHAPTERS: Chapter[] = [
  {
    title: "Friction sticks", scene: "grip.json", own: "exact friction", label: "2 iterations per step",
    options: [["solver", "nsgs"], ["iteration_limit", "2"]],
    text: "Two jaws grip a rod of 45 g, lift it and hold it: sticking contacts do not creep. A solver that stops early lets go of it.",
  },
  {
    title: "No direction is special", scene: star(), own: "exact cone", label: "friction pyramid of 4 sides",
    options: [["cone", "inner"], ["facets", "4"]],
    text: "Pucks start alike in all directions and stop on a circle. Where a pyramid stands for the cone, they stop on a square: at 45 degrees they slide 41 % farther.",
  },
  {
    title: "Sliding does not lift", scene: slides(), own: "Coulomb's law", label: "convex friction",
    options: [["solver", "newton"], ["solver_options", "associated=1"]],
    text: "Slabs slide to a stop and keep to the ground. Friction made convex, as it is easier to solve, throws them up while they slide.",
  },
  {
    title: "A thousand to one", scene: "heavy.json", own: "solved", label: "20 iterations per step",
    options: [["solver", "nsgs"], ["iteration_limit", "20"]],
    text: "Ten boxes carry one that is a thousand times heavier, and stand. With 20 iterations, more than games spend, they collapse.",
  },
  {
    title: "Energy is kept", scene: "pendulum.json", own: "midpoint", label: "implicit Euler, 10 ms",
    options: [["theta", "1"], ["step", "0.01"]],
    text: "A double pendulum swings for ever: its energy is the same to ten digits after minutes. The usual implicit step eats it within seconds.",
  },
  {
    title: "Round means round", scene: rolls({ shape: "sphere", radius: 0.2 }), own: "exact balls", label: "balls of 80 triangles",
    variant: rolls({ shape: "hull", points: facets(0.2) }),
    text: "Balls roll down a slope of 5 degrees. Balls made of triangles stay where they are: each stands on a facet.",
  },
];
