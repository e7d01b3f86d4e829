// theme.ts - the colours of the picture, for light and for dark surroundings.

export interface Theme {
  zenith: string; // of the sky
  horizon: string; // of the sky, and of the ground far away
  ground: string;
  line: string; // on the ground
  edge: string; // of flat faces
  edging: number; // how much of it covers a body's own colour
  mark: string; // points of contact
  bodies: string[]; // by name, in the order in which they come
  ramp: string[]; // of the copies of one body, where they are most of what moves
  still: string; // static bodies
  driven: string; // kinematic ones
  alone: string; // a body in no island
}

export const LIGHT_THEME: Theme = {
  zenith: "#79aed1", horizon: "#e4edf3", ground: "#eee5d5", line: "#dccfb9", edge: "#1d2430", edging: 0.55, mark: "#14181d",
  bodies: ["#2a7f95", "#e76f3c", "#f0b23f", "#4a6fb0", "#7ba05b", "#9b5f8f", "#c9463d", "#5bb0a4"],
  ramp: ["#1f4e5f", "#2a9d8f", "#e9c46a", "#f08a4b", "#d1495b"],
  still: "#b9b1a4", driven: "#6d7f96", alone: "#c7c2ba",
};

export const DARK_THEME: Theme = {
  zenith: "#0b1220", horizon: "#3a4a60", ground: "#2a323d", line: "#3b4654", edge: "#070a0f", edging: 0.6, mark: "#f4f6f8",
  bodies: ["#3fb0c4", "#ff8552", "#ffc857", "#7fa0f0", "#9ccc6b", "#cf8ac0", "#f0635a", "#74d3c4"],
  ramp: ["#3a86c8", "#35c9b4", "#ffd166", "#ff9a56", "#ef5d72"],
  still: "#7d8693", driven: "#8fa5c4", alone: "#8b919a",
};
