import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].concat(
  readdirSync(join(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : [])),
);

test.each(pages)("every link to a file in %s leads to one", (page) => {
  const prose = read(page).replace(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
  const files = targets
    .filter((target) => !/^(https?:|#)/.test(target))
    .map((target) => target.split("#")[0]);
  expect(files.filter((file) => !existsSync(join(root, dirname(page), file ?? "")))).toEqual([]);
});

test("every file that CONTRIBUTING.md names by its path exists", () => {
  const paths = [...read("CONTRIBUTING.md").matchAll(/`((?:packages|apps|scripts)\/[\w./-]+)`/g)];
  expect(paths.map(([, path = ""]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test("CONTRIBUTING.md has a reason for every dependency, and for no other", () => {
  const folders = ["packages", "apps"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  const manifests = [".", "examples", "bench", ...folders].filter((folder) =>
    existsSync(join(root, folder, "package.json")),
  );
  const used = manifests.flatMap((folder) => {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(read(`${folder}/package.json`));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  const [, section = ""] = read("CONTRIBUTING.md").split("## Dependencies");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const explained = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const foreign = [...new Set(used)].filter((name) => !name.startsWith("@askwire/"));
  expect(explained.sort()).toEqual(foreign.sort());
});

const names = await import(join(root, "scripts/names.mjs"));

test("a page installs what a checkout has packed until the names are ours, and then what the registry has, by its version", () => {
  const words = "--save-dev @askwire/conformance-tests typescript";
  const packed = names.installation(words, false).split("\n");
  expect(packed).toContain(
    "node_modules/.bin/pnpm --filter @askwire/protocol --filter @askwire/conformance-tests pack --pack-destination /tmp/askwire",
  );
  expect(packed).toContain("npm install --save-dev /tmp/askwire/*.tgz typescript");
  const claimed = "npm install --save-dev @askwire/conformance-tests@0.1 typescript\n";
  expect(names.installation(words, true)).toBe(claimed);
});

test.each([
  ["npx -y askwire mcp", true],
  ["run `npx @askwire/conformance-tests server`", true],
  ["npm create askwire", true],
  ["npm install --save-dev zod @askwire/client@0.1", true],
  ['"command": "npx", "args": ["askwire", "mcp"]', true],
  ["npm install /tmp/askwire/*.tgz zod", false],
  ["npx --no -- askwire-conformance --help", false],
  ["npm start, and then askwire chat", false],
])("a line that has a registry deliver something called askwire is recognised: %s", (line, isSo) => {
  expect(names.fetching.test(line)).toBe(isSo);
});

test("the smallest extension of docs/embed-in-an-editor.md has at most 60 lines", () => {
  const lines = read("examples/vscode/extension.mjs").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(60);
});

test("docs/embed-in-an-editor.md counts every source of the extension once", () => {
  const counted = [...read("docs/embed-in-an-editor.md").matchAll(/<!-- lines: ([^>]+) -->/g)].flatMap(
    ([, sources = ""]) => sources.split(" "),
  );
  const src = "apps/vscode/src";
  const sources = readdirSync(join(root, src), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|css)$/.test(name))
    .map((name) => `${src}/${name}`);
  const times = sources.map((file) => [
    file,
    counted.filter((one) => one === file || (one.endsWith("/") && file.startsWith(one))).length,
  ]);
  expect(times.filter(([, count]) => count !== 1)).toEqual([]);
});
