// start.ts - the module of WebAssembly out of the page.
import { wasm } from "virtual:rigor";
import { Engine } from "./engine";

// Unpacked and compiled as it comes, beside what the page does.
export async function startEngine(): Promise<Engine> {
  const zipped = await fetch(`data:application/gzip;base64,${wasm}`);
  const bytes = zipped.body!.pipeThrough(new DecompressionStream("gzip"));
  return Engine.start(await new Response(bytes).arrayBuffer());
}
