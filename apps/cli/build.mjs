// Bundles the command to dist/askwire.cjs, with the page in dist/web; every dynamic import() becomes a chunk that loads when used. All are CommonJS:
// Node takes less time to load it, and code-cache.ts keeps what it was compiled to.
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import buildPage from "../web/build.mjs";
import { aiApart, bundleAi } from "./build-ai.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const entry = resolve(here, "src/start.ts");
const outdir = resolve(here, "dist");
const clientTemplates = resolve(here, "../../packages/conformance-tests/templates");

/** Builds the bundle; does nothing while there is no src/start.ts. */
export default async function bundle() {
  if (!existsSync(entry)) return;
  const { version } = JSON.parse(await readFile(resolve(here, "package.json"), "utf8"));
  const options = {
    absWorkingDir: here,
    outdir,
    platform: "node",
    target: "node20",
    minify: true,
    legalComments: "none",
    define: {
      __ASKWIRE_VERSION__: JSON.stringify(version),
    },
    logLevel: "warning",
  };
  const page = buildPage(resolve(outdir, "web"));
  const ai = aiApart();
  const result = await build({
    ...options,
    entryPoints: { askwire: entry },
    outExtension: { ".js": ".cjs" },
    format: "esm",
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[name]-[hash]",
    conditions: ["@askwire/source"],
    // Its main file requires parts of itself by a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    loader: { ".yaml": "text" },
    plugins: [ai.plugin, lazyWidths],
    metafile: true,
    write: false,
  });
  refuseLocales(result.metafile);
  await mkdir(outdir, { recursive: true });
  const written = await writeMerged(result, groupsOf(result.metafile), outdir);
  written.push(await bundleAi(ai.used, options));
  await rm(resolve(outdir, "templates"), { recursive: true, force: true });
  await cp(clientTemplates, resolve(outdir, "templates"), { recursive: true });
  await page;
  for (const name of await readdir(outdir)) {
    if (/\.c?js$/.test(name) && !written.includes(name)) await rm(resolve(outdir, name));
  }
}

/**
 * Lets string-width make its segmenter at the first text, since that takes 7 ms, and compile its pattern of all emoji
 * at the first text that may match, since that takes 15 ms. Each emoji has a character that is shown as an emoji by
 * itself, or the sign that asks for that.
 */
const lazyWidths = {
  name: "lazy-widths",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const [line, name, pattern] = /^const (\w+) = (\/.*RGI_Emoji.*\/v);$/m.exec(source) ?? [];
      if (line === undefined) return { errors: [{ text: "no pattern of emoji: correct lazyWidths" }] };
      const early = "const segmenter = new Intl.Segmenter();";
      if (!source.includes(early)) return { errors: [{ text: "no segmenter: correct lazyWidths" }] };
      const late =
        "let made; const segmenter = { segment: (text) => (made ??= new Intl.Segmenter()).segment(text) };";
      const test = `(text) => /\\p{Emoji_Presentation}|\\ufe0f/u.test(text) && (emoji ??= ${pattern}).test(text)`;
      const withEmoji = source.replace(line, () => `let emoji; const ${name} = { test: ${test} };`);
      return { contents: withEmoji.replace(early, late) };
    });
  },
};

/** A value such as `z.core.safeParse` makes esbuild keep all that the namespace exports, 300 kB of translations. */
function refuseLocales({ outputs }) {
  const kept = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const locale = kept.find(
    ([path, { bytesInOutput }]) => bytesInOutput > 0 && /zod\/v4\/locales\/(?!en\.)/.test(path),
  );
  if (locale !== undefined)
    throw new Error(`${locale[0]} is in the bundle: do not use z.core or z.locales as values, only as types`);
}

/**
 * What every command loads, what `serve` loads besides, which the other commands that speak share, and what `--wire`
 * loads besides that, but for what a person at a terminal needs too.
 */
function groupsOf({ outputs }) {
  const fileOf = (source) => Object.keys(outputs).find((file) => outputs[file].entryPoint === source);
  const closure = (file, seen = new Set()) => {
    if (seen.has(file)) return seen;
    seen.add(file);
    for (const { path, kind } of outputs[file].imports)
      if (kind === "import-statement" && path in outputs) closure(path, seen);
    return seen;
  };
  const command = (name) => fileOf(`src/commands/${name}.ts`);
  const main = fileOf("src/main.ts");
  const base = closure(main);
  const serve = closure(command("serve"));
  const person = closure(command("chat"));
  const besides = (files, ...others) =>
    [...files].filter((file) => !others.some((other) => other.has(file))).map((file) => basename(file));
  return {
    "chunk-base.cjs": besides(base, new Set([main])),
    "chunk-serve.cjs": besides(serve, base),
    "chunk-wire.cjs": besides(closure(command("wire")), base, serve, person),
  };
}

/** Has esbuild make CommonJS of a file, also of what it imports dynamically. @type {import("esbuild").TransformOptions} */
const commonJs = {
  format: "cjs",
  platform: "node",
  target: "node20",
  supported: { "dynamic-import": false },
  banner: '"use strict";',
  minify: true,
  legalComments: "none",
};

const staticImport = /import\{([^}]*)\}from"\.\/([^"/]+)";/g;

/**
 * Writes a minified bundle that esbuild split, with groups of its files merged: Node resolves and reads each file by
 * itself, at half a millisecond a file, and esbuild makes one of everything that another set of entries shares.
 *
 * @param {import("esbuild").BuildResult<{ metafile: true, write: false }>} split
 * @param {Record<string, string[]>} groups the names of the files that each merged one holds, by its name. The first
 *   may be imported dynamically, the others only statically.
 * @param {string} outdir
 * @returns {Promise<string[]>} the names of the files written.
 */
async function writeMerged({ metafile, outputFiles }, groups, outdir) {
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
  const exportsOf = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output.exports]),
  );
  const groupOf = new Map(
    Object.entries(groups).flatMap(([group, files]) => files.map((file) => [file, group])),
  );
  // Two files of a group may export one name for two things.
  const alias = (file, name) => `${name}_${groups[groupOf.get(file)].indexOf(file)}`;

  /** Lets a file import from the merged ones, but for what is in the same group. */
  const redirect = (text, own) => {
    const direct = text.replace(staticImport, (statement, list, file) => {
      const group = groupOf.get(file);
      if (group === undefined || group === own) return statement;
      const names = list.split(",").map((item) => {
        const [name, local = name] = item.split(" as ");
        return `${alias(file, name)} as ${local}`;
      });
      return `import{${names}}from"./${group}";`;
    });
    // What is imported dynamically, or only for its effects.
    return direct.replace(/import(\(?)"\.\/([^"/]+)"/g, (start, bracket, file) => {
      const group = groupOf.get(file);
      return group === undefined || group === own ? start : `import${bracket}"./${group}"`;
    });
  };

  const write = async (file, text) => {
    const { code } = await transform(text, commonJs);
    await writeFile(resolve(outdir, file), code);
  };

  const alone = [...texts].filter(([file]) => !groupOf.has(file));
  for (const [file, text] of alone) await write(file, redirect(text));

  for (const [group, files] of Object.entries(groups)) {
    const lines = files.map((file) => {
      const names = exportsOf.get(file).map((name) => `${name} as ${alias(file, name)}`);
      return `export { ${names} } from "./${file}";`;
    });
    const members = {
      name: "members",
      setup({ onResolve, onLoad }) {
        onResolve({ filter: /.*/ }, ({ path }) => {
          const file = basename(path);
          return files.includes(file) ? { path: file, namespace: "member" } : { path, external: true };
        });
        onLoad({ filter: /.*/, namespace: "member" }, ({ path }) => ({
          contents: redirect(texts.get(path), group),
        }));
      },
    };
    const merged = await build({
      stdin: { contents: [`export * from "./${files[0]}";`, ...lines].join("\n") },
      outfile: resolve(outdir, group),
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      minify: true,
      legalComments: "none",
      plugins: [members],
      logLevel: "warning",
      write: false,
    });
    await write(group, merged.outputFiles[0].text);
  }
  return [...alone.map(([file]) => file), ...Object.keys(groups)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundle();
