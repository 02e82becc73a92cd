import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder of the built page beside the bundle; undefined where the page is not built. */
export function builtPage(): string | undefined {
  const folder = join(__dirname, "web");
  return existsSync(folder) ? folder : undefined;
}
