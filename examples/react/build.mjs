// Bundles the page of cards into a folder of static files: node examples/react/build.mjs [FOLDER]
import { copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Builds the page, for any static server, with the packages that its project has. */
export async function buildCards(
  folder = join(here, "../dist/react"),
  project = here,
  page = "cards.tsx",
  mode = "production",
) {
  await build({
    absWorkingDir: project,
    entryPoints: [page],
    outfile: join(folder, "page.js"),
    bundle: true,
    format: "esm",
    platform: "browser",
    jsx: "automatic",
    minify: mode === "production",
    define: { "process.env.NODE_ENV": JSON.stringify(mode) },
  });
  await copyFile(join(project, "index.html"), join(folder, "index.html"));
  const { resolve } = createRequire(join(project, "package.json"));
  const theme = resolve("@askwire/react/theme.css");
  await build({ entryPoints: [theme], outfile: join(folder, "theme.css"), bundle: true, minify: true });
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCards(process.argv[2]);
