// Copies the prose that packages read beside their modules (src/**/*.md) into dist, where tsc puts the modules.
import { cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

for (const name of await readdir(packages)) {
  const src = join(packages, name, "src");
  const files = await readdir(src, { recursive: true }).catch(() => []);
  for (const file of files.filter((path) => path.endsWith(".md"))) {
    await cp(join(src, file), join(packages, name, "dist", file), { preserveTimestamps: true });
  }
}
