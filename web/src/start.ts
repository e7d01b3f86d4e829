// start.ts - the module of WebAssembly out of the page.
import { wasm } from "virtual:rigor";
import { Simulation } from "./simulation";

// Unpacked as it comes, beside what the page does.
async function unpack(): Promise<ArrayBuffer> {
  const zipped = await fetch(`data:application/gzip;base64,${wasm}`);
  const bytes = zipped.body!.pipeThrough(new DecompressionStream("gzip"));
  return new Response(bytes).arrayBuffer();
}

export const startSimulation = (): Simulation => new Simulation(unpack());
