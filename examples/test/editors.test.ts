import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { mavenBuild } from "./editors/maven-build.js";
import { runProgram, temporaryFolder } from "./run-program.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const serve = [process.execPath, path("../../apps/cli/bin/askwire.js"), "serve", "--stdio"];

/** The decisions of a person at an editor, in order: a label, or words where the editor asks for those. */
type Decisions = readonly string[];

/** An editor that runs a client of examples/editors once. */
interface Editor {
  readonly name: string;
  /** The programs that a machine may lack. */
  readonly needs: readonly string[];
  /** Makes it. Returns why that cannot be done here, or undefined. */
  readonly build?: () => Promise<string | undefined>;
  readonly run: (
    agent: readonly string[],
    decisions: Decisions,
    cwd: string,
  ) => ReturnType<typeof runProgram>;
}

/** For a machine that is busy, and a repository that is far away. */
const BUILD_TIMEOUT_MS = 600_000;

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

function neovim(
  by: "lsp" | "lines",
  decides: "at once" | "later" = "at once",
  inherited = process.env,
): Editor["run"] {
  return (agent, decisions, cwd) => {
    const settings = [
      `set rtp+=${path("../editors/neovim")}`,
      `let g:askwire_by = '${by}'`,
      `let g:askwire_agent = json_decode('${JSON.stringify(agent)}')`,
    ].flatMap((line) => ["--cmd", line]);
    const files = ["-S", path("editors/pick.lua"), "-c", "Askwire Set up the shop"];
    const env = { ...inherited, EDITOR_DECISIONS: JSON.stringify(decisions), EDITOR_DECIDES: decides };
    return runProgram("nvim", ["--clean", "--headless", ...settings, ...files], { cwd, env });
  };
}

const emacs: Editor["run"] = (agent, decisions, cwd) => {
  const args = ["--batch", "-Q", "-L", path("../editors/emacs"), "-l", path("editors/pick.el")];
  const told = { EDITOR_AGENT: JSON.stringify(agent), EDITOR_DECISIONS: JSON.stringify(decisions) };
  return runProgram("emacs", args, { cwd, env: { ...process.env, ...told } });
};

/** A program of LSP4J, which Maven builds before its first test. Its person types lines. */
function lsp4j(folder: string, main: string): Pick<Editor, "build" | "run"> {
  const { build, classes } = mavenBuild(path(`../editors/${folder}`));
  return {
    build,
    run(agent, decisions, cwd) {
      const words = decisions.filter((word) => word !== "Reject and say why");
      const typed = words.map((word) => `${word === "Done" ? "" : word}\n`).join("");
      return runProgram("java", ["-cp", classes(), main, "Set up the shop", ...agent], { cwd, typed });
    },
  };
}

const editors: readonly Editor[] = [
  { name: "Neovim over its client for language servers", needs: ["nvim"], run: neovim("lsp") },
  { name: "Neovim over lines", needs: ["nvim"], run: neovim("lines") },
  {
    name: "Neovim over lines, with a picker that decides later",
    needs: ["nvim"],
    run: neovim("lines", "later"),
  },
  { name: "Emacs over jsonrpc.el", needs: ["emacs"], run: emacs },
  { name: "Java over LSP4J", needs: ["javac", "mvn"], ...lsp4j("lsp4j", "example.Prompt") },
  { name: "Kotlin over LSP4J", needs: ["javac", "mvn"], ...lsp4j("lsp4j-kotlin", "example.PromptKt") },
];

const interview = `askwire: interview/1
title: A shop
questions:
  - { id: database, ask: Which database?, options: [{ label: SQLite, description: a file }, PostgreSQL] }
  - { id: parts, ask: Which parts?, multi_select: true, options: [Tests, CI] }
  - { id: owner, ask: Who owns it? }
files:
  - path: shop.txt
    template: "{{ database }}, {{ parts | join: '+' }}, {{ owner }}"
`;
const removal = { id: "c1", name: "Shell", arguments: JSON.stringify({ command: "rm shop.txt" }) };
const script = [`tool_call: ${JSON.stringify(removal)}`, "text: Then it stays."];

test("a Neovim whose session another process has is told so at once, in the agent's words", async (context) => {
  context.skip(!has("nvim"), "nvim is not installed");
  const cwd = await temporaryFolder();
  const env = { ...process.env, ASKWIRE_HOME: join(cwd, "home") };
  await writeFile(join(cwd, "script.json"), JSON.stringify(["text: Hello."]));
  const agent = [...serve, "--session", "s1", "--script", "script.json"];
  const first = await connectProcess(agent[0] ?? "", agent.slice(1), { cwd, env });
  const { stdout } = await neovim("lines", "at once", env)(agent, [], cwd);
  expect(stdout).toMatch(/the agent ended with 1\naskwire: the session is in use by process \d+/);
  await first.close();
});

const twoAtOnce = (framing: "headers" | "lines") => [
  process.execPath,
  path("editors/two-at-once.mjs"),
  framing,
];

test("an Emacs that is asked twice at once shows, after the second, what the first is about", async (context) => {
  context.skip(!has("emacs"), "emacs is not installed");
  const decisions = ["Later", "Reject", "Approve"];
  const { stdout } = await emacs(twoAtOnce("headers"), decisions, await temporaryFolder());
  const again = stdout.split("Again:\n")[1]?.split("May I first?")[0];
  expect(again).toContain("rm first.txt");
  expect(again).not.toContain("rm second.txt");
  expect(stdout).toContain("Answers: other -32601, first approve, second reject");
});

test.each([
  ["emacs", emacs, "headers"],
  ["nvim", neovim("lines"), "lines"],
] as const)(
  "%s answers a request whose picker fails with an error, takes its body away, and asks the next",
  async (program, run, framing) => {
    if (!has(program)) return;
    const { stdout } = await run(twoAtOnce(framing), ["Fail", "Approve"], await temporaryFolder());
    expect(stdout.split("May I first?")[1]).not.toContain("rm first.txt");
    expect(stdout).toContain("Answers: other -32601, first -32603, second approve");
  },
);

describe.each(editors)("$name", ({ needs, build, run }) => {
  let missing: string | undefined;
  beforeAll(async () => {
    const absent = needs.find((program) => !has(program));
    missing = absent === undefined ? await build?.() : `${absent} is not installed`;
  }, BUILD_TIMEOUT_MS);

  test("questions are answered, a file is approved and written, and the agent ends", async (context) => {
    context.skip(missing !== undefined, missing);
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "questions.yaml"), interview);
    const decisions = ["PostgreSQL", "CI", "Tests", "Done", "Ann", "Approve"];
    const { stdout, status } = await run([...serve, "--interview", "questions.yaml"], decisions, cwd);
    expect(stdout).toContain("SQLite – a file");
    expect(stdout).toContain("PostgreSQL, Tests+CI, Ann");
    expect(stdout).toContain("Wrote shop.txt.");
    expect(status).toBe(0);
    expect(await readFile(join(cwd, "shop.txt"), "utf8")).toBe("PostgreSQL, Tests+CI, Ann");
  });

  test("a command that is rejected with words is not run", async (context) => {
    context.skip(missing !== undefined, missing);
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "script.json"), JSON.stringify(script));
    await writeFile(join(cwd, "shop.txt"), "open");
    const decisions = ["Reject and say why", "it is open"];
    const { stdout } = await run([...serve, "--script", "script.json"], decisions, cwd);
    expect(stdout).toContain("rm shop.txt");
    expect(stdout).toContain("Then it stays.");
    expect(await readFile(join(cwd, "shop.txt"), "utf8")).toBe("open");
  });

  test("the body says what a value has to be, and a wrong one is asked for again with the mistake", async (context) => {
    context.skip(missing !== undefined, missing);
    const agent = [...serve, "--", process.execPath, path("../typed-fields.mjs")];
    const decisions = ["many", "Yes", "2030-01-31", "9000", "Yes", "2030-01-31"];
    const { stdout, status } = await run(agent, decisions, await temporaryFolder());
    expect(stdout).toContain("Expected: a whole number from 1024 to 65535.");
    expect(stdout).toContain('Not taken: expected a whole number from 1024 to 65535, found "many".');
    expect(stdout).toContain("I listen on 0.0.0.0:9000 until 2030-01-31.");
    expect(status).toBe(0);
  });

  test("an agent that ends in the middle is told, with its exit code", async (context) => {
    context.skip(missing !== undefined, missing);
    const { stdout } = await run([process.execPath, "-e", "process.exit(3)"], [], await temporaryFolder());
    expect(stdout).toContain("the agent ended with 3");
  });
});
