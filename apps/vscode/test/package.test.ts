import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { connectProcess } from "@askwire/client/stdio";
import { extensionWords } from "@askwire/client/words";
import { afterAll, beforeAll, expect, test } from "vitest";
import { modelEndpoint, says, stops, streams } from "../../../packages/agent/test/model-endpoint.js";
import { changesOfExtension, layOut, MOST_BYTES } from "../package.mjs";
import { locales, ownFiles, packedFiles } from "./packed-files.js";

const run = promisify(execFile);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "askwire-vsix-"));
  await layOut(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(join(folder, name), "utf8");
const json = async (name: string) => JSON.parse(await read(name));
const filesOf = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());

test("the package has the extension, its webview, the command and the texts, and nothing else", async () => {
  const names = (await filesOf()).map(({ parentPath, name }) =>
    join(parentPath, name).slice(folder.length + 1),
  );
  expect(ownFiles(names)).toEqual(packedFiles);
  expect(names).toContain("dist/command/askwire.cjs");
});

test("the package stays below its size limit", async () => {
  const contents = await Promise.all(
    (await filesOf()).map(({ parentPath, name }) => readFile(join(parentPath, name))),
  );
  const bytes = contents.reduce((sum, content) => sum + gzipSync(content).length, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
});

test("the host has the stores of the cards without React, which only the view loads", async () => {
  const internals = "CLIENT_INTERNALS_DO_NOT_USE";
  expect(await read("dist/webview/main.js")).toContain(internals);
  expect(await read("dist/extension.js")).not.toContain(internals);
});

test("the command in the package starts an agent by itself", async () => {
  const work = await mkdtemp(join(tmpdir(), "askwire-work-"));
  try {
    const args = [join(folder, "dist/agent.js"), "serve", "--stdio", "--session", crypto.randomUUID()];
    const session = await connectProcess(process.execPath, args, { cwd: work });
    expect(session.state).toBe("idle");
    await session.close();
    await writeFile(join(work, "x.json"), "[]");
    const { stdout } = await run(process.execPath, [join(folder, "dist/agent.js"), "--version"]);
    expect(stdout).toMatch(/\d+\.\d+\.\d+/);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test("the command in the package has all that a model needs", async () => {
  const endpoint = await modelEndpoint([streams(says("All done."), stops())]);
  const work = await mkdtemp(join(tmpdir(), "askwire-work-"));
  try {
    const args = [join(folder, "dist/agent.js"), "serve", "--stdio", "--model", "openai-compatible:small"];
    const env = { PATH: process.env.PATH, OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "key" };
    const session = await connectProcess(process.execPath, args, { cwd: work, env });
    expect(await session.prompt("Set it up").result).toEqual({ status: "finished" });
    await session.close();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test("a marketplace is told of the source, the problems, the changes and the pictures", async () => {
  const { repository, bugs, homepage, keywords, galleryBanner } = await json("package.json");
  const at = repository.url.replace(/\.git$/, "");
  expect([bugs.url, homepage]).toEqual([`${at}/issues`, `${at}/blob/HEAD/docs/vscode.md`]);
  expect(keywords.length).toBeLessThanOrEqual(30);
  expect(galleryBanner.color).toMatch(/^#[\da-f]{6}$/);
  const pictures = [...(await read("README.md")).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(
    ([, one = ""]) => one,
  );
  expect(pictures.length).toBeGreaterThan(2);
  for (const picture of pictures) await readFile(new URL(`../${picture}`, import.meta.url));
  expect(await read("CHANGELOG.md")).toMatch(/^# Changelog\n\n## \[Unreleased\]\n\n### \w+\n\n- .*VS Code/);
});

test("the changelog of the package has the points about VS Code, with their headings and links", () => {
  const all = [
    ...["# Changelog", "", "## [2]", "", "### Changed", "", "- In VS Code a [view](docs/vscode.md)."],
    ...["- In the page.", "", "### Fixed", "", "- In the page.", "", "## [1]", "", "### Fixed", ""],
    ...["- In the terminal.", "", "## [0]", "", "### Added", "", "- VS Code.", "", "## [none]", ""],
  ];
  expect(changesOfExtension(all.join("\n")).split("\n")).toEqual([
    ...["# Changelog", "", "## [2]", "", "### Changed", "", "- In VS Code a [view](../../docs/vscode.md)."],
    ...["", "## [0]", "", "### Added", "", "- VS Code.", ""],
  ]);
});

test("each text of the manifest exists, and there is no other", async () => {
  const manifest = await read("package.json");
  const keys = [...manifest.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key as string);
  expect(keys).not.toHaveLength(0);
  expect(Object.keys(await json("package.nls.json")).sort()).toEqual([...new Set(keys)].sort());
});

test("each text of the code exists in every other language, and there is no other", async () => {
  const source = new URL("../src", import.meta.url);
  const names = (await readdir(source, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(
    names.map((name) => readFile(new URL(`src/${name}`, new URL("../", import.meta.url)), "utf8")),
  );
  const used = texts.flatMap((text) =>
    [...text.matchAll(/l10n\.t\(\s*"([^"]+)"/g)].map(([, one]) => one as string),
  );
  expect(used).not.toHaveLength(0);
  for (const locale of locales) {
    const texts = await json(`l10n/bundle.l10n.${locale}.json`);
    expect(Object.keys(texts).sort()).toEqual([...new Set(used)].sort());
  }
});

test("the texts that the editor finds for a locale name their own language, in which the view then speaks", async () => {
  const named = Object.entries(extensionWords).flatMap(([language, words]) =>
    "locale" in words ? [[language, words.locale] as const] : [],
  );
  for (const [language, locale] of named)
    expect((await json(`l10n/bundle.l10n.${locale}.json`))["the tag of this language"]).toBe(language);
  // The editor takes a file of texts by the whole locale: another script of a language has none, in either half.
  expect(named.map(([, locale]) => locale)).not.toContain("zh");
});

test("the settings that choose what is started cannot come from a repository", async () => {
  const { contributes, capabilities } = await json("package.json");
  const settings: Record<string, { scope: string }> = contributes.configuration.properties;
  const free = Object.entries(settings).filter(([, { scope }]) => scope !== "machine");
  expect(free.map(([name]) => name)).toEqual(["askwire.openDifference", "askwire.notify"]);
  expect(capabilities.untrustedWorkspaces.supported).toBe(false);
});
