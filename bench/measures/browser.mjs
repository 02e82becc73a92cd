/** @import { Measure } from "../contract.js" */
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "esbuild";

/** @type {Measure} */
export const browser = {
  name: "browser",
  title: "Browser client that can answer a question",
  note: "esbuild, minified, ES2022, one bundle; kB are 1,000 bytes. Askwire's has both profiles and connects again by itself; the others answer, and no more.",
  columns: () => [
    { key: "minified", label: "minified kB" },
    { key: "gzip", label: "gzip kB" },
    { key: "brotli", label: "brotli kB" },
  ],
  reps: () => 1,
  async sample(peer) {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL(`../peers/${peer.name}/browser.mjs`, import.meta.url))],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
      logLevel: "error",
    });
    const code = outputFiles[0]?.contents ?? new Uint8Array();
    return {
      minified: code.length / 1000,
      gzip: gzipSync(code, { level: 9 }).length / 1000,
      brotli: brotliCompressSync(code).length / 1000,
    };
  },
};
