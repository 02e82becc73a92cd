import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Names the TypeScript files of a folder, or the one file, from the root. */
export function sources(path: string): string[] {
  if (path.endsWith(".ts")) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(path, file));
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^;"']*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|(?:^|\n)\s*import\s+"([^"]+)"/g;

/** Names all that a file imports, as written there, types too. */
export function imports(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
