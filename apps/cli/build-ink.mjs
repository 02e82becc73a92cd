// Lets the layout engine under Ink go into a CommonJS file: both are written with a top-level `await`, which that cannot
// hold. Who draws a first frame awaits `loadYoga()` before.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";

/** The engine as a binding that is set once it is loaded. */
const engine = `
  import { loadYoga as load } from "yoga-layout/load";
  let engine, loading;
  export const loadYoga = () => (loading ??= load().then((loaded) => (engine = loaded)));
  export * from "yoga-layout/load";
  export { engine as default };
`;

/** What Ink awaits for its developer tools only. */
const awaits = ["await import('./devtools.js')", "await loadPackageJson()"];

/** @type {import("esbuild").Plugin} */
export const inkInCommonJs = {
  name: "ink-in-commonjs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^yoga-layout(\/load)?$/ }, ({ importer, namespace }) =>
      namespace === "yoga" ? undefined : { path: "engine", namespace: "yoga", pluginData: dirname(importer) },
    );
    onLoad({ filter: /^engine$/, namespace: "yoga" }, ({ pluginData }) => ({
      contents: engine,
      resolveDir: pluginData,
    }));
    onLoad({ filter: /[\\/]ink[\\/]build[\\/]reconciler\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, "utf8");
      for (const wait of awaits) {
        if (!contents.includes(wait)) return { errors: [{ text: `${path} has no "${wait}" any more` }] };
        contents = contents.replace(wait, "undefined");
      }
      return { contents };
    });
  },
};
