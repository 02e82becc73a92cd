import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { published } from "../../scripts/published.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const examples = ["first-server.mjs", "first-client.mjs"];
const execute = promisify(execFile);

/** Runs a program. A failure shows all its output. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  // The registry may be reached by the machine's own certificates, which all else does without.
  const certificates = { NODE_EXTRA_CA_CERTS: process.env["CERTIFICATES_TO_INSTALL_WITH"] };
  const env = { ...process.env, ...(program === "npm" && certificates) };
  return execute(program, args, { cwd, env }).then(
    ({ stdout }) => stdout,
    ({ message, stdout }) => Promise.reject(new Error(`${message}\n${stdout}`)),
  );
}

let work = "";
let folder = "";

// Bundles are made before the tests: packing must not write them anew under programs of other tests.
beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "askwire-packages-"));
  folder = join(work, "project");
  await mkdir(folder);
  const pnpm = join(root, "node_modules/.bin/pnpm");
  const each = published.flatMap((name) => ["--filter", `@askwire/${name}`]);
  await run(join(root, "node_modules/.bin/tsc"), ["-b"], root);
  await run(process.execPath, [join(root, "scripts/package-docs.mjs")], root);
  const asTheyAre = ["pack", "--pack-destination", work, "--config.ignore-scripts=true"];
  await run(pnpm, ["--recursive", ...each, ...asTheyAre], root);
  const archives = (await readdir(work)).filter((name) => name.endsWith(".tgz"));
  expect(archives).toHaveLength(published.length);
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "project", private: true }));
  const quiet = ["--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...quiet, ...archives.map((name) => join(work, name))], folder);
  for (const name of examples) await copyFile(join(root, "examples", name), join(folder, name));
}, 600_000);

afterAll(() => rm(work, { recursive: true, force: true }));

test("both examples of the README run on the packed packages, with nothing else installed", async () => {
  const client = execute(process.execPath, ["first-client.mjs", process.execPath, "first-server.mjs"], {
    cwd: folder,
    timeout: 60_000,
  });
  client.child.stdin?.on("error", () => {});
  client.child.stdin?.end("PostgreSQL\n");
  const { stdout, stderr } = await client;
  expect(stdout).toBe("Which database?\n  SQLite\n  PostgreSQL\nI set up PostgreSQL.\n");
  expect(stderr).toBe("");
});

test("every entry point of the published packages can be imported", async () => {
  const entries = [
    "protocol",
    "protocol/node",
    "protocol/internal",
    "protocol/testing",
    "server",
    "server/testing",
    "server/user-interactions",
    "server/internal",
    "dialects",
    "dialects/kimi",
    "dialects/internal",
    "agent",
    "agent/ai",
    "agent/work-folder",
    "agent/internal",
    "interview",
    "trajectory",
    "postgres",
    "adapters/ag-ui",
    "adapters/ai-sdk",
    "adapters/langgraph",
    "adapters/mastra",
    "adapters/openai-agents",
    "client",
    "client/decisions",
    "client/drafts",
    "client/gateway",
    "client/json-schema",
    "client/stdio",
    "client/testing",
    "client/text",
    "client/words",
    "client/words/en",
    "client/words/changes",
    "client/words/inbox",
    "client/words/page",
    "conformance-tests",
  ];
  const program = `for (const name of ${JSON.stringify(entries)}) {
    const { length } = Object.keys(await import("@askwire/" + name));
    if (length === 0) throw new Error(name + " exports nothing");
  }`;
  await run(process.execPath, ["--input-type=module", "-e", program], folder);
});

/** The pages of an installed package, by their path in it. */
async function pagesOf(home: string): Promise<string[]> {
  const files = await readdir(home, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".md") && !/(^|[\\/])node_modules[\\/]/.test(file))
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}

/** The anchors of a page: those that it names, and those of its headings. */
const anchorsOf = (text: string) => [
  ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
  ...[...text.matchAll(/^#+ (.*)$/gm)].map(([, head = ""]) =>
    head
      .replace(/<[^>]*>/g, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  ),
];

/** The text of a linked file; of a folder nothing, and undefined where there is neither. */
const linkedText = (file: string) =>
  readFile(file, "utf8").catch((error) => (error.code === "EISDIR" ? "" : undefined));

test.each(published)("a link in a page of the archive of %s leads to a place in it", async (name) => {
  const home = join(folder, "node_modules/@askwire", name);
  const broken: string[] = [];
  for (const page of await pagesOf(home)) {
    const text = await readFile(join(home, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? join(home, page) : join(home, dirname(page), path);
      const linked = file.startsWith(home) ? await linkedText(file) : undefined;
      if (linked === undefined || (anchor !== undefined && !anchorsOf(linked).includes(anchor)))
        broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

test("the published protocol has its pages, and a schema that can be found by its name", async () => {
  const installed = join(folder, "node_modules/@askwire/protocol");
  expect(await pagesOf(installed)).toEqual(["README.md", "docs/messages.md", "docs/protocol.md"]);
  expect(await readFile(join(installed, "docs/messages.md"), "utf8")).toContain(
    "](../schema/wire.schema.json)",
  );
  const program = `import { readFileSync } from "node:fs";
    import { createRequire } from "node:module";
    const file = createRequire(process.cwd() + "/x").resolve("@askwire/protocol/schema/wire.schema.json");
    process.stdout.write(JSON.parse(readFileSync(file, "utf8")).$defs.QuestionRequest.type);`;
  expect(await run(process.execPath, ["--input-type=module", "-e", program], folder)).toBe("object");
});

test("an agent without the AI SDK installs and runs, and its models say that it is missing", async () => {
  const program = `import { aiModel } from "@askwire/agent/ai";
    const model = aiModel("any", { name: "m" });
    const asked = { messages: [], tools: [], signal: new AbortController().signal };
    await model.stream(asked).next().catch(({ name, message }) => console.log(name, message));`;
  expect(await readdir(join(folder, "node_modules"))).not.toContain("ai");
  const said = await run(process.execPath, ["--input-type=module", "-e", program], folder);
  expect(said).toMatch(/^ModelError aiModel: the package `ai` is not installed: run `npm install ai@6`/);
});

test.each([
  ["@askwire/server", 6],
  // One of them checks options, and is another one in a browser, where it checks nothing.
  ["@askwire/client/stdio", 7],
])("a program that imports %s loads at most %i files, none of a bundled package", async (entry, most) => {
  const hooks = `import { writeSync } from "node:fs";
    export const load = (url, context, next) => (writeSync(1, url + ";"), next(url, context));`;
  const program = `import { register } from "node:module";
    register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
    await import("${entry}");`;
  const loaded = await run(process.execPath, ["--input-type=module", "-e", program], folder);
  const files = loaded.split(";").filter((url) => url.startsWith("file:"));
  expect(files.filter((url) => url.includes("/node_modules/@askwire/"))).toEqual(files);
  expect(files.length).toBeGreaterThan(1);
  expect(files.length).toBeLessThanOrEqual(most);
});

test("the packages contain the licenses of what they bundle", async () => {
  const text = await readFile(join(folder, "node_modules/@askwire/server/dist/licenses.txt"), "utf8");
  for (const name of ["zod", "@cfworker/json-schema"]) expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
});

test("the descriptions in a tool's schema reach the model with the installed zod", async () => {
  const program = `import { defineTool } from "@askwire/server";
    import * as z from "zod";
    const parameters = z.object({ city: z.string().describe("A city") });
    const tool = defineTool({ name: "Weather", description: "The weather", parameters, run: () => "fine" });
    process.stdout.write(JSON.stringify(tool.parameters));`;
  const told = await run(process.execPath, ["--input-type=module", "-e", program], folder);
  expect(JSON.parse(told)).toMatchObject({ properties: { city: { type: "string", description: "A city" } } });
});

test("a question tool of the published dialects has its description", async () => {
  const program = `import { askUserQuestion } from "@askwire/dialects";
    process.stdout.write(askUserQuestion.description);`;
  const description = await run(process.execPath, ["--input-type=module", "-e", program], folder);
  expect(description.length).toBeGreaterThan(100);
});

test("the conformance checks run from their own package, without the rest of the command", async () => {
  const command = join(folder, "node_modules/.bin/askwire-conformance");
  const server = [process.execPath, join(root, "packages/conformance-tests/test/servers/base-server.mjs")];
  const report = await run(command, ["server", "--only", "S01,S44", "--", ...server], folder);
  expect(report).toMatch(/: 2 passed, 0 failed, 0 skipped \(/);
  const broken = [...server, "--fault", "blank-counts"];
  const { code, stdout } = await execute(command, ["server", "--only", "S44", "--", ...broken], {
    cwd: folder,
  }).catch((error) => error);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^FAIL S44 /m) });
  const { code: wrong, stderr } = await execute(command, ["proxy"], { cwd: folder }).catch((error) => error);
  const message = /^askwire-conformance: proxy: expected one of server, client, gateway/;
  expect({ code: wrong, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
});

const imported = 'import { createServer } from "@askwire/server";';
const dynamic = 'import("@askwire/server").then(({ createServer }) => console.log(typeof createServer));';

test("a program in CommonJS imports the packages", async () => {
  expect(await run(process.execPath, ["--input-type=commonjs", "-e", dynamic], folder)).toBe("function\n");
});

// Node 20.19 and 22.12 are the first.
test.skipIf(!("require_module" in process.features))(
  "a program in CommonJS requires the packages",
  async () => {
    const program = 'console.log(typeof require("@askwire/server").createServer);';
    const args = ["--input-type=commonjs", "-e", program];
    expect(await run(process.execPath, args, folder)).toBe("function\n");
  },
);

test.each([
  ["node16", "node16", false],
  ["nodenext", "nodenext", true],
  ["bundler", "esnext", true],
])(
  "TypeScript finds the types with moduleResolution %s, and takes the programs of the README as they are",
  async (moduleResolution, module, inCommonJs) => {
    const sources: Record<string, string> = {
      "esm.mts": `${imported}
      import { listenWebSocket } from "@askwire/server/websocket";
      import { connectProcess } from "@askwire/client/stdio";
      import { bindPeer } from "@askwire/protocol";
      const server = createServer({ agent: { async run(turn) { turn.say(turn.id); } } });
      export const all = [server, listenWebSocket, connectProcess, bindPeer] as const;`,
      "dynamic.cts": dynamic,
      "static.cts": `${imported} export const server = createServer;`,
    };
    for (const name of examples)
      sources[name.replace(".mjs", ".mts")] = await readFile(join(folder, name), "utf8");
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const typeRoots = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    const how = ["--strict", "--noEmit", "--skipLibCheck", "--target", "es2022", "--module", module];
    const resolution = ["--moduleResolution", moduleResolution, ...typeRoots];
    const printed = await run(
      process.execPath,
      [tsc, ...how, ...resolution, "--pretty", "false", ...Object.keys(sources)],
      folder,
    ).catch(({ message }) => String(message));
    const errors = printed.match(/^.*error TS\d+/gm) ?? [];
    expect(errors).toEqual(inCommonJs ? [] : [expect.stringMatching(/^static\.cts.*error TS1479$/)]);
  },
  60_000,
);
