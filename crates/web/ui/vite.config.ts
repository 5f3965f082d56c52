import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Writes a compressed twin beside each file, so that the server need not compress. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle(options) {
      const visit = (folder: string): void => {
        for (const name of readdirSync(folder)) {
          const path = join(folder, name);
          if (statSync(path).isDirectory()) visit(path);
          else if (/\.(js|css|html|svg)$/.test(name)) {
            writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }));
          }
        }
      };
      visit(options.dir ?? "dist");
    },
  };
}

export default defineConfig({
  plugins: [svelte(), compressed()],
  // The content security policy knows no inline script or style.
  build: { target: "es2022", assetsInlineLimit: 0, modulePreload: { polyfill: false }, cssCodeSplit: false },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8600", ws: true } } },
});
