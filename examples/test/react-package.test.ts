import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { buildCards } from "../react/build.mjs";
import { ask, openCards } from "./cards-page.js";
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

test.each(["18.3.1", "19.3.1"])(
  "the packed page in an empty project with React %s shows a question in the conversation and answers it",
  async (version) => {
    const project = join(work, version);
    await mkdir(project);
    await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true }));
    const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
    const react = [`react@${version}`, `react-dom@${version}`];
    await run("npm", ["install", ...quiet, ...react, ...archives], project);
    for (const name of ["conversation.tsx", "index.html"]) {
      await copyFile(join(root, "examples/react", name), join(project, name));
    }
    const folder = await buildCards(join(project, "page"), project, "conversation.tsx");
    const { page, complaints, other } = await openCards(browser, folder);
    const questions = [{ question: "Which database?", options: [{ label: "SQLite" }, { label: "MySQL" }] }];
    const { ended } = await ask(page, other, { questions });
    await page.getByLabel("MySQL").click();
    await page.getByRole("button", { name: "Send answer", exact: true }).click();
    expect((await ended).told).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
    await page.getByRole("log").getByText("↩ MySQL").waitFor();
    expect(complaints).toEqual([]);
  },
  600_000,
);
