// The page is one file: the script, the style, the module of WebAssembly and the scenes are inside
// it, so that it opens from disk.
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const root = resolve(import.meta.dirname, "..");
const MODULE = "virtual:rigor";
const FIRST = "dominoes.json"; // what the page opens with

function scenesOf(group: string, folder: string) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => ({
    name, group, text: readFileSync(join(root, folder, name), "utf8"),
  }));
}

// `import { wasm, scenes } from "virtual:rigor"`: the module, zipped, as base64; the gallery.
function contents(): Plugin {
  return {
    name: "rigor-contents",
    resolveId: (id) => (id === MODULE ? id : undefined),
    load(id) {
      if (id !== MODULE) return undefined;
      const wasm = gzipSync(readFileSync(join(root, "build-wasm/rigor.wasm")), { level: 9 });
      const scenes = [...scenesOf("Scenes", "scenes"), ...scenesOf("Published experiments", "scenes/experiments")];
      scenes.sort((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST));
      return `export const wasm = ${JSON.stringify(wasm.toString("base64"))};
export const scenes = ${JSON.stringify(scenes)};`;
    },
  };
}

function oneFile(): Plugin {
  return {
    name: "rigor-one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("there is no index.html to write");
      let html = String(page.source);
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") {
          // "</script" would end the element also inside a string
          const code = part.code.replace(/<\/script/g, "<\\/script");
          html = html.replace(/<script[^>]*src="[^"]*"[^>]*><\/script>/, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          html = html.replace(/<link[^>]*rel="stylesheet"[^>]*>/, () => `<style>${part.source}</style>`);
          delete bundle[name];
        }
      }
      page.source = html;
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
  },
});
