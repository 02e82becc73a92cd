// A conformance suite with one source replaced, as a module of its own.
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** @typedef {import("../mutant-programs.mjs").Kind} Kind */
/** @typedef {import("../../packages/conformance-tests/dist/index.js").Suite} Suite */

const packageFolder = fileURLToPath(new URL("../../packages/conformance-tests/", import.meta.url));
export const sources = join(packageFolder, "src");
const entries = {
  client: ["client/client-suite.ts", "clientSuite"],
  server: ["server/server-suite.ts", "serverSuite"],
  gateway: ["server/gateway/gateway-suite.ts", "gatewaySuite"],
};

/** The folders of checks. @type {Record<Kind, string>} */
export const checkFolders = {
  client: join(sources, "client/checks"),
  server: join(sources, "server/checks"),
  gateway: join(sources, "server/gateway/checks"),
};

/** The failures of a suite made here also say where they come from. */
const kept = "failure: { expected, received, transcript } }), overTime";
const told = "failure: { expected, received, transcript, stack: String(error.stack) } }), overTime";

/**
 * Opens a place for suites, which removes them in the end.
 *
 * @returns a maker of suites, and its end.
 */
export async function suitePlace() {
  process.setSourceMapsEnabled(true);
  // Inside the package, so that its dependencies are found.
  const folder = join(packageFolder, `node_modules/.check-mutants-${process.pid}`);
  await mkdir(folder, { recursive: true });
  let count = 0;
  return {
    /**
     * @param {Kind} kind
     * @param {{ path: string, source: string }} [replaced]
     * @returns {Promise<Suite>}
     */
    async suite(kind, replaced) {
      const [entry = "", name = ""] = entries[kind];
      count += 1;
      const outfile = join(folder, `${count}.mjs`);
      await build({
        entryPoints: [join(sources, entry)],
        outfile,
        bundle: true,
        format: "esm",
        platform: "node",
        packages: "external",
        sourcemap: "inline",
        sourcesContent: false,
        logLevel: "error",
        plugins: [
          {
            name: "replaced",
            setup({ onLoad }) {
              onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
                if (path === replaced?.path) return { contents: replaced.source, loader: "ts" };
                if (!path.endsWith("run-checks.ts")) return undefined;
                const [before = "", after, ...others] = (await readFile(path, "utf8")).split(kept);
                if (after === undefined || others.length > 0)
                  throw new Error(
                    `${path}: the failure of a check is no longer made as check-mutants knows it`,
                  );
                return { contents: before + told + after, loader: "ts" };
              });
            },
          },
        ],
      });
      const suite = (await import(pathToFileURL(outfile).href))[name];
      await rm(outfile);
      return suite;
    },
    end: () => rm(folder, { recursive: true, force: true }),
  };
}
