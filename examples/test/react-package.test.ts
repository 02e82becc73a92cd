import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { ask, openCards } from "./cards-page.js";
import { buildSplit } from "./split/build.mjs";
import { testBrowser } from "./test-browser.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const published = ["protocol", "client", "react"];

// The registry may be reached by the machine's own certificates, which the tests do without.
const { CERTIFICATES_TO_INSTALL_WITH: certificates } = process.env;
const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificates };
const run = (program: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(program, args, { cwd, env });

const browser = testBrowser();
let work: string;
let archives: string[];

beforeAll(async () => {
  work = await browser.folder();
  await run(join(root, "node_modules/.bin/tsc"), ["-b"], root);
  const each = published.flatMap((name) => ["--filter", `@askwire/${name}`]);
  const asTheyAre = ["pack", "--pack-destination", work, "--config.ignore-scripts=true"];
  await run(join(root, "node_modules/.bin/pnpm"), ["--recursive", ...each, ...asTheyAre], root);
  archives = (await readdir(work)).filter((name) => name.endsWith(".tgz")).map((name) => join(work, name));
  expect(archives).toHaveLength(published.length);
}, 600_000);

const page = "conversation.tsx";

/** Builds the page as a project of Vite does, which imports the theme in its code. */
async function buildByVite(folder: string, project: string): Promise<string> {
  await writeFile(join(project, "start.ts"), `import "@askwire/react/theme.css";\nimport "./${page}";\n`);
  const html = await readFile(join(project, "index.html"), "utf8");
  const themed = html.replace('<link rel="stylesheet" href="theme.css">', "").replace("page.js", "/start.ts");
  await writeFile(join(project, "index.html"), themed);
  const output = { entryFileNames: "page.js", assetFileNames: "theme.css", codeSplitting: false };
  const config = { build: { outDir: folder, target: "es2022", rolldownOptions: { output } } };
  await writeFile(join(project, "vite.config.mjs"), `export default ${JSON.stringify(config)};\n`);
  const vite = fileURLToPath(new URL("../../bin/vite.js", import.meta.resolve("vite")));
  // The runner's own NODE_ENV would make it a page for development.
  await promisify(execFile)(process.execPath, [vite, "build"], {
    cwd: project,
    env: { ...env, NODE_ENV: "production" },
  });
  return folder;
}

/** The projects with the packed components, by their version of React. */
const projects = new Map<string, Promise<string>>();

/** A project that has the packed components and a version of React, as npm installs them. */
function projectWith(version: string): Promise<string> {
  const known = projects.get(version) ?? installed(version);
  projects.set(version, known);
  return known;
}

async function installed(version: string): Promise<string> {
  const project = join(work, version);
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true }));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  const react = [`react@${version}`, `react-dom@${version}`];
  await run("npm", ["install", ...quiet, ...react, ...archives], project);
  return project;
}

const questions = [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "MySQL" }] }];

test.each([
  ["18.3.1", "esbuild", (folder: string, project: string) => buildCards(folder, project, page)],
  ["19.3.1", "Vite", buildByVite],
] as const)(
  "packed, with React %s, each component renders on a server, and a page built by %s shows a question and answers it",
  async (version, _, built) => {
    const project = await projectWith(version);
    await copyFile(join(root, "examples/test/markup.mjs"), join(project, "markup.mjs"));
    const { stdout, stderr } = await run(process.execPath, ["markup.mjs"], project);
    expect(stderr).toBe("");
    for (const words of ["Which database?", "Run it", "Set up the project", "Put aside to read", "Plan</h3>"])
      expect(stdout).toContain(words);
    for (const name of [page, "index.html"]) {
      await copyFile(join(root, "examples/react", name), join(project, name));
    }
    const folder = await built(join(project, "page"), project);
    const { page: shown, complaints, other } = await openCards(browser, folder);
    const { ended } = await ask(shown, other, { questions });
    await shown.getByLabel("MySQL").click();
    await shown.getByRole("button", { name: "Send answer", exact: true }).click();
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
    await shown.getByRole("log").getByText("↩ MySQL").waitFor();
    expect(complaints).toEqual([]);
  },
  600_000,
);

test("packed, with React 19, a server's part of a page runs no hook, and the browser's part shows a question and answers it", async () => {
  const project = await projectWith("19.3.1");
  const split = join(work, "split");
  await mkdir(split);
  await symlink(join(project, "node_modules"), join(split, "node_modules"));
  for (const name of ["page.tsx", "agent.tsx"])
    await copyFile(join(root, "examples/test/split", name), join(split, name));
  const folder = join(split, "built");
  const { tree, loaded, warnings } = await buildSplit(split, folder);
  // The modules that the server has whole: its own part, the faces, the stores and words, and no component.
  const own = loaded.filter((path) => path.includes("@askwire/react/dist/"));
  expect(own.length).toBeGreaterThan(3);
  for (const path of own)
    expect(await readFile(join(split, path), "utf8")).not.toMatch(/from "react(-dom)?(\/[^"]*)?"/);
  expect(loaded.filter((path) => /\/(react-dom|ws|marked)\//.test(path))).toEqual([]);
  expect(warnings).toEqual([]);
  expect(tree).toContain("error-boundary.js#ErrorBoundary");
  expect(tree).toContain("agent.tsx#Agent");
  await copyFile(join(root, "examples/react/index.html"), join(folder, "index.html"));
  await copyFile(join(root, "packages/react/theme/base.css"), join(folder, "theme.css"));
  const { page: shown, other, complaints } = await openCards(browser, folder);
  await shown.getByRole("heading", { name: "Question", exact: true }).first().waitFor();
  const { ended } = await ask(shown, other, { questions });
  await shown.getByLabel("MySQL").click();
  await shown.getByRole("button", { name: "Send answer", exact: true }).click();
  expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
  expect(complaints).toEqual([]);
}, 600_000);
