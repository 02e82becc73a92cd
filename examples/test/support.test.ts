import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { nodes } from "../../scripts/matrix/nodes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const page = read("docs/support.md");
const [oldest = ""] = nodes;

test("docs/support.md promises the versions of Node that the matrix tries", () => {
  expect(page).toContain(`| Node | ${nodes.join(", ")} |`);
});

test("every package except the extension, which runs in the Node of VS Code, requires the oldest of them, as the README does", () => {
  const manifests = ["packages", "apps"]
    .flatMap((group) => readdirSync(`${root}${group}`).map((name) => `${group}/${name}/package.json`))
    .concat("package.json", "examples/package.json", "bench/package.json");
  const others = manifests.filter((path) => {
    const { engines } = JSON.parse(read(path));
    return engines?.vscode === undefined && engines?.node !== `>=${oldest}`;
  });
  expect(others).toEqual([]);
  expect(read("README.md")).toContain(`You need Node.js ${oldest} or later`);
});

test("docs/support.md names the Chromium that comes as a package", () => {
  const major = /"@sparticuz\/chromium": "(\d+)\./.exec(read("examples/package.json"))?.[1];
  expect(page).toContain(`| ${major} and later | ${major}, which comes as a package`);
});
