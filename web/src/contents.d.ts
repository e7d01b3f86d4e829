declare module "virtual:rigor" {
  export const wasm: string; // zipped, base64
  export const scenes: { name: string; group: string; text: string }[];
}

declare module "*?worker&inline" {
  export default class extends Worker {
    constructor();
  }
}
