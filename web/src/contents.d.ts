declare module "virtual:rigor" {
  export const wasm: string;
  export const scenes: { name: string; text: string }[];
}
