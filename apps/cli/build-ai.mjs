// Bundles the AI SDK into a file of its own. Its zod stays apart from ours: of a module that both share, esbuild would
// put all that either needs into what every command loads.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

const packages = ["ai", "@ai-sdk/openai-compatible"];
const chunk = "chunk-ai.cjs";

const valueImport = /\bimport\s*\{([^}]*)\}\s*from\s*"([^"]+)"/g;
const zodImport = /\bimport\s*\{\s*z(?:\s+as\s+(\w+))?\s*\}\s*from\s*("zod(?:\/v4)?")/g;

/** For a build of our sources: imports from the AI SDK become imports from its file, and what they name is kept. */
export function aiApart() {
  /** @type {Map<string, Set<string>>} names by package */
  const used = new Map(packages.map((name) => [name, new Set()]));
  const plugin = {
    name: "ai-apart",
    setup({ onResolve }) {
      onResolve({ filter: /^(@ai-sdk\/|ai$)/ }, async ({ path, importer }) => {
        const names = used.get(path);
        if (names === undefined)
          return { errors: [{ text: `${path}: add it to the packages of build-ai.mjs` }] };
        for (const [, list, from] of (await readFile(importer, "utf8")).matchAll(valueImport)) {
          const items = list.split(",").map((item) => item.trim());
          const values = items.filter((item) => item !== "" && !item.startsWith("type "));
          if (from === path) for (const value of values) names.add(value.split(" ")[0]);
        }
        return { path: `./${chunk}`, external: true };
      });
    },
  };
  return { plugin, used };
}

/** The namespace instead of the object, so that of zod only what is used comes along, and no other languages. */
const zodNamespace = {
  name: "zod-namespace",
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/](ai|@ai-sdk)[\\/].*\.m?js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return {
        contents: source.replace(zodImport, (_, name = "z", from) => `import * as ${name} from ${from}`),
      };
    });
  },
};

/**
 * Writes the file with what our sources use of the AI SDK.
 *
 * @param {Map<string, Set<string>>} used as `aiApart` has it after the build.
 * @param {import("esbuild").BuildOptions} options those of the other files.
 * @returns {Promise<string>} the file's name.
 */
export async function bundleAi(used, options) {
  const lines = [...used].map(([name, values]) => `export { ${[...values].sort()} } from "${name}";`);
  await build({
    ...options,
    stdin: { contents: lines.join("\n"), resolveDir: options.absWorkingDir },
    outfile: `${options.outdir}/${chunk}`,
    outdir: undefined,
    format: "cjs",
    supported: { "dynamic-import": false },
    banner: { js: '"use strict";' },
    bundle: true,
    plugins: [zodNamespace],
  });
  return chunk;
}
