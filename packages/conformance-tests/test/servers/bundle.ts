import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** A module finds the files beside it, wherever its code is. */
const inPlace: Plugin = {
  name: "in-place",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const url = JSON.stringify(pathToFileURL(path).href);
      const contents = (await readFile(path, "utf8")).replaceAll("import.meta.url", url);
      return { contents, loader: "ts" };
    });
  },
};

/** Makes one file of extended-server.ts and our sources below it, in a folder, and returns its path. */
export const bundleExtendedServer = (folder: string): Promise<string> =>
  bundleProgram(folder, new URL("extended-server.ts", import.meta.url));

/** Makes one file of a program and our sources below it, likewise. */
export async function bundleProgram(folder: string, program: URL): Promise<string> {
  const entry = fileURLToPath(program);
  const outfile = join(folder, `${basename(entry, ".ts")}.mjs`);
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@askwire/source"],
    // A short text is compiled sooner, and programs start by the hundred.
    minify: true,
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    plugins: [inPlace],
    logLevel: "error",
  });
  return outfile;
}
