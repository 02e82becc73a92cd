import { readFile } from "node:fs/promises";
import { join } from "node:path";
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
export async function bundleExtendedServer(folder: string): Promise<string> {
  const outfile = join(folder, "extended-server.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("extended-server.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@askwire/source"],
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    plugins: [inPlace],
    logLevel: "error",
  });
  return outfile;
}
