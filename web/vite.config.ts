// The page is one file: the script, the style, the module of WebAssembly and the scenes are inside
// it, so that it opens from disk.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { Engine } from "./src/engine";
import type { Picture } from "./src/protocol";
import { pictureOf } from "./src/simulator";

const root = resolve(import.meta.dirname, "..");
const CONTENTS = "virtual:rigor";

// The version is written in one place.
const version = /VERSION (\d+\.\d+\.\d+)/.exec(readFileSync(join(root, "CMakeLists.txt"), "utf8").split("project(")[1])![1];

// What is told of each scene, the most interesting first; the page opens with the first.
const stories: { scene: string; title: string; look: string }[] = JSON.parse(readFileSync(join(root, "web/gallery.json"), "utf8"));

const readModule = () => readFileSync(join(root, "build-wasm/rigor.wasm"));

// A scene without the room between its words; numbers stay the same bits.
const compact = (text: string) => JSON.stringify(JSON.parse(text));

function scenesOf(group: string, folder: string) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".json"));
  return names.map((name) => ({ name, group, text: compact(readFileSync(join(root, folder, name), "utf8")), ...storyOf(name) }));
}

function storyOf(name: string) {
  const rank = stories.findIndex(({ scene }) => scene === name);
  if (rank < 0) throw new Error(`web/gallery.json says nothing about ${name}`);
  return { rank, title: stories[rank].title, look: stories[rank].look };
}

// Pictures of the scenes, which the page itself has drawn (tests/page/pictures.mjs), as addresses of data.
function pictures(): Record<string, string> {
  const files = stories.map(({ scene }) => [scene, join(root, "web/pictures", scene.replace(".json", ".webp"))]);
  return Object.fromEntries(files.filter(([, file]) => existsSync(file)).map(([scene, file]) =>
    [scene, `data:image/webp;base64,${readFileSync(file).toString("base64")}`]));
}

// The first scene as the module gives it when it has opened it: it is drawn before the module is there.
async function firstPicture({ name, text }: { name: string; text: string }): Promise<Picture> {
  const engine = await Engine.start(readModule());
  if (!engine.open(text, name)) throw new Error(engine.message());
  return pictureOf(engine);
}

const bytes = (value: ArrayBufferView) => `"${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")}"`;

// Corners of triangles, of which several share a place: the places, to the bit, and which of them each corner has.
function corners(value: Float32Array): string | null {
  const bits = new Uint32Array(value.buffer, value.byteOffset, value.length);
  const known = new Map<string, number>();
  const places: number[] = [];
  const which = Uint16Array.from({ length: value.length / 3 }, (_, i) => {
    const key = bits.subarray(3 * i, 3 * i + 3).join();
    if (!known.has(key)) {
      known.set(key, known.size);
      places.push(...value.subarray(3 * i, 3 * i + 3));
    }
    return known.get(key)!;
  });
  return known.size < 1 << 16 ? `corners(${bytes(Float32Array.from(places))}, ${bytes(which)})` : null;
}

// A value as JavaScript that makes it, to the bit; arrays of numbers as their bytes.
function literal(value: unknown): string {
  if (value instanceof Float32Array && value.length >= 900 && value.length % 9 === 0) {
    const shared = corners(value);
    if (shared) return shared;
  }
  if (value instanceof Float64Array || value instanceof Float32Array) return `numbers(${value.constructor.name}, ${bytes(value)})`;
  if (Array.isArray(value)) return `[${value.map(literal)}]`;
  if (value && typeof value === "object")
    return `{${Object.entries(value).map(([key, part]) => `${key}:${literal(part)}`)}}`;
  return Object.is(value, -0) ? "-0" : typeof value === "number" ? String(value) : JSON.stringify(value);
}
const NUMBERS = `const numbers = (Kind, text) => new Kind(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const corners = (text, which) => {
  const [places, indices] = [numbers(Float32Array, text), numbers(Uint16Array, which)];
  return Float32Array.from({ length: 3 * indices.length }, (_, i) => places[3 * indices[Math.floor(i / 3)] + (i % 3)]);
};`;

// `import { scenes, firstPicture } from "virtual:rigor"`: the gallery, and what its first scene looks like.
function contents(): Plugin {
  return {
    name: "rigor-contents",
    resolveId: (id) => (id === CONTENTS ? id : undefined),
    async load(id) {
      if (id !== CONTENTS) return undefined;
      const scenes = [...scenesOf("Scenes", "scenes"), ...scenesOf("Published experiments", "scenes/experiments")];
      scenes.sort((a, b) => a.rank - b.rank);
      return `${NUMBERS}
export const scenes = ${JSON.stringify(scenes)};
export const version = ${JSON.stringify(version)};
export const firstPicture = ${literal(await firstPicture(scenes[0]))};`;
    },
  };
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

// What the page may do: run its own script and style, known by their hashes, the module, and a worker
// made of the script. It loads nothing and sends nothing. A scene or a run that is put into the page is
// data; should it ever get out of its element, no script of it would run.
function policy(script: string, style: string): string {
  const rules = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "worker-src blob: data:",
    "connect-src data:",
    "img-src data: blob:",
    "media-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}">`;
}

// The script runs as soon as the browser has read it; the module, zipped, as base64, and the pictures of
// the gallery stand behind it.
function oneFile(): Plugin {
  return {
    name: "rigor-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no index.html to write");
      const wasm = gzipSync(readModule(), { level: 9 }).toString("base64");
      let html = String(page.source);
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") {
          // "</script" would end the element also inside a string
          script = part.code.replace(/<\/script/g, "<\\/script");
          html = html.replace(/<script[^>]*src="[^"]*"[^>]*><\/script>/, "");
          html = html.replace("</body>", () =>
            `<script>${script}</script>\n<script id="rigor-module" type="text/plain">${wasm}</script>\n` +
            `<script id="rigor-pictures" type="application/json">${JSON.stringify(pictures())}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          style = String(part.source);
          html = html.replace(/<link[^>]*rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`);
          delete bundle[name];
        }
      }
      page.source = html.replace('<meta charset="utf-8">', (charset) => `${charset}\n${policy(script, style)}`);
    },
  };
}

export default defineConfig({
  plugins: [contents(), oneFile()],
  build: {
    outDir: join(root, "build/page"),
    emptyOutDir: true,
    assetsInlineLimit: 1 << 24,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4096,
    target: "es2022",
    rollupOptions: { output: { format: "iife" } },
  },
});
