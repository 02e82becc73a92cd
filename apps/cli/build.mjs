// Bundles the command to dist/askwire.js; every dynamic import() becomes a chunk that loads when used.
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const entry = resolve(here, "src/main.ts");
const outdir = resolve(here, "dist");

const readCall =
  /readFileSync\(\s*new URL\(\s*"(?<path>\.[^"]+)",\s*import\.meta\.url,?\s*\),\s*"utf-?8",?\s*\)/g;

/** Puts the text of a file that a module reads from beside itself into the bundle, as a string literal. */
const inlineFiles = {
  name: "inline-files",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](packages|apps)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      if (!source.includes("import.meta.url")) return undefined;
      const texts = new Map();
      for (const [call, file] of source.matchAll(readCall)) {
        texts.set(call, JSON.stringify(await readFile(resolve(dirname(path), file), "utf8")));
      }
      const contents = source.replace(readCall, (call) => texts.get(call));
      if (/readFileSync\(\s*new URL\(/.test(contents)) {
        const text =
          'a file beside a module is inlined only when read as readFileSync(new URL("./name.md", import.meta.url), "utf8")';
        return { errors: [{ text, location: { file: path } }] };
      }
      return { contents, loader: "ts", watchFiles: [path] };
    });
  },
};

/** Builds the bundle; does nothing while there is no src/main.ts. */
export default async function bundle() {
  if (!existsSync(entry)) return;
  const { version } = JSON.parse(await readFile(resolve(here, "package.json"), "utf8"));
  const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: { askwire: entry },
    outdir,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[name]-[hash]",
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@askwire/source"],
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    define: {
      __ASKWIRE_VERSION__: JSON.stringify(version),
      "process.env.NODE_ENV": '"production"',
    },
    loader: { ".md": "text", ".yaml": "text" },
    // CommonJS dependencies call require for Node's own modules.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
    plugins: [inlineFiles],
    metafile: true,
    logLevel: "warning",
  });
  const written = new Set(Object.keys(metafile.outputs).map((file) => resolve(here, file)));
  for (const name of await readdir(outdir)) {
    const file = resolve(outdir, name);
    if (name.endsWith(".js") && !written.has(file)) await rm(file);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
