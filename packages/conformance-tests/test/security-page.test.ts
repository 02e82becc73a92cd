import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), "utf8");

test("each attack of docs/security.md has a test that exists", () => {
  const rows = [...read("docs/security.md").matchAll(/^\| .+ \| .+ \| `([^`]+)`: (.+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  const missing = rows.filter(([, file = "", title = ""]) => !read(file).includes(title));
  expect(missing.map(([row]) => row)).toEqual([]);
});
