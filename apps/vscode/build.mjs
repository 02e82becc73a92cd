// Builds the extension into a folder: node apps/vscode/build.mjs [FOLDER]. The bundled command is that of apps/cli/dist.
import { cp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const command = join(here, "../cli/dist");

/** Parts of the command that the extension never starts: their names with a hash. */
const unused =
  /^chunk-(conformance|trajectory|draw-pairing|notify|open-browser|devices|ask|chat)-[A-Z0-9]+\.cjs$/;

/** Starts the command as Node would: what it starts itself is no part of the editor. */
const start = `"use strict";
delete process.env.ELECTRON_RUN_AS_NODE;
require("./command/askwire.cjs");
`;

/**
 * @param {string} outdir
 * @param {import("esbuild").Plugin[]} plugins of the bundler, for the view. Default: none.
 */
export default async function buildExtension(outdir = join(here, "dist"), plugins = []) {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(join(outdir, "command"), { recursive: true });
  const options = {
    absWorkingDir: here,
    bundle: true,
    minify: true,
    legalComments: "none",
    conditions: ["@askwire/source"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "warning",
  };
  // A webview may start no worker from a file, so that of the colours is a text in its script.
  const colours = await build({
    ...options,
    entryPoints: ["src/webview/colours-worker.ts"],
    write: false,
    platform: "browser",
    format: "iife",
    target: "es2022",
  });
  await Promise.all([
    build({
      ...options,
      entryPoints: { extension: "src/extension.ts" },
      outdir,
      platform: "node",
      format: "cjs",
      target: "node20",
      external: ["vscode"],
    }),
    build({
      ...options,
      plugins,
      entryPoints: { main: "src/webview/main.tsx", view: "src/webview/view.css" },
      outdir: join(outdir, "webview"),
      platform: "browser",
      format: "iife",
      target: "es2022",
      jsx: "automatic",
      define: { ...options.define, COLOURS_WORKER: JSON.stringify(colours.outputFiles[0]?.text ?? "") },
    }),
  ]);
  await writeFile(join(outdir, "agent.js"), start);
  for (const name of await readdir(command))
    if (name.endsWith(".cjs") && !unused.test(name))
      await cp(join(command, name), join(outdir, "command", name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildExtension(process.argv[2]);
