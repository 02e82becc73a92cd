// @ts-check
// Bundles a program for Node into one file: node bundle.mjs ENTRY OUT.mjs, or OUT.cjs for CommonJS.
// #region bundle
import { build } from "esbuild";

const [entry = "", outfile = ""] = process.argv.slice(2);
const format = outfile.endsWith(".cjs") ? "cjs" : "esm";
// pino and ws are CommonJS and call require, which a file of ES modules has to bring.
const require =
  'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);';
const banner = format === "esm" ? { js: require } : {};
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  platform: "node",
  target: "node20",
  format,
  banner,
});
// #endregion bundle
