declare module "virtual:rigor" {
  export const scenes: { name: string; group: string; text: string; title: string; look: string }[];
  export const version: string;
  export const firstPicture: import("./protocol").Picture; // of the first scene
}

declare module "*?worker&inline" {
  export default class extends Worker {
    constructor();
  }
}
