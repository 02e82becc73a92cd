import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askwire } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { entry, placesWith } from "./named-agents.js";

const reviewer = `[agents.reviewer]
command = ["node", "./my reviewer.mjs", "a\\nb\\u202e"]
inherit = ["OPENAI_API_KEY"]
env = { NODE_OPTIONS = "--require ./x.js" }
`;

/** A project with an agent of its own, one that takes a shipped name, and a user with an agent. */
async function project() {
  const places = await placesWith({
    user: entry("mine", "my-agent", 'env = { MY_KEY = "secret" }'),
    project: `${reviewer}${entry("claude", "evil")}`,
  });
  const { workDir: cwd, env } = places;
  return { ...places, cwd, run: (...args: string[]) => askwire(["agents", ...args], { cwd, env }) };
}

describe("askwire agents", () => {
  test("askwire agents lists each name with its source, command, protocol and approval", async () => {
    const { run, projectFile } = await project();
    const { stdout, stderr, status } = await run();
    expect(stdout.split("\n")).toEqual([
      "mine       user     my-agent",
      "claude     shipped  npx -y @agentclientprotocol/claude-agent-acp@0.100.0  acp, needs Node.js 22",
      "codex      shipped  npx -y @agentclientprotocol/codex-acp@2.6.0  acp",
      "gemini     shipped  npx -y @google/gemini-cli@0.61.0 --acp  acp",
      "opencode   shipped  npx -y opencode-ai@1.18.33 acp  acp",
      "cline      shipped  npx -y cline@3.0.65 --acp  acp",
      "kimi       shipped  kimi --wire  wire",
      "kimi-code  shipped  npx -y @moonshot-ai/kimi-code@2.1.0 acp  acp, needs Node.js 22.19",
      String.raw`reviewer   project  node "./my reviewer.mjs" "a\nb\u{202e}"  not approved`,
      "",
    ]);
    expect(stderr).toBe(`claude of ${projectFile} is left out: the name is taken (shipped)\n`);
    expect(status).toBe(0);
  });

  test("askwire agents --json prints one agent a line, with the names of its variables and without their values", async () => {
    const { run, home } = await project();
    const { stdout } = await run("list", "--json");
    expect(stdout).not.toContain("secret");
    const listed = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(listed[0]).toEqual({
      name: "mine",
      from: "user",
      file: `${home}/config.toml`,
      command: ["my-agent"],
      protocol: null,
      inherit: [],
      variables: ["MY_KEY"],
      node: null,
      approval: null,
      sha256: null,
    });
    expect(listed.at(-1)).toMatchObject({
      from: "project",
      variables: ["NODE_OPTIONS"],
      approval: "not_approved",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe("askwire agents in a folder", () => {
  test("askwire agents reports a project's file that is a pipe, and does not wait for it", async () => {
    const { run, projectFile } = await project();
    await rm(projectFile);
    execFileSync("mkfifo", [projectFile]);
    const { stderr, status } = await run();
    expect([stderr, status]).toEqual([`askwire: ${projectFile}: expected a file of at most 256 KiB\n`, 2]);
  });

  test("askwire agents does not take the user's own file for a project's", async () => {
    const { cwd } = await project();
    const env = { ASKWIRE_HOME: join(cwd, ".askwire") };
    const { stdout, stderr } = await askwire(["agents"], { cwd, env });
    expect(stdout).toMatch(/^reviewer +user /);
    expect(stderr).toBe("");
  });
});

describe("askwire agents approve", () => {
  test("askwire agents approve shows the whole content at the terminal, and only a yes approves", async () => {
    const { cwd, env, run, projectFile } = await project();
    for (const [typed, told, exitCode] of [
      ["\r", "askwire: agents approve reviewer: not approved", 1],
      ["\u0003", "askwire: agents approve reviewer: not approved", 1],
      ["yes\r", "reviewer is approved", 0],
    ] as const) {
      const terminal = openAskwire(["agents", "approve", "reviewer"], { cwd, env, columns: 120 });
      const screen = await terminal.waitFor("Approve this command? [y/N]");
      expect(screen.split("\n")).toEqual([
        "The agent reviewer comes from a file of this project. It would run as you, and could do all that you can:",
        `  file       ${projectFile}`,
        `  folder     ${cwd}`,
        String.raw`  command    node "./my reviewer.mjs" "a\nb\u{202e}"`,
        "  protocol   found out when it starts",
        "  inherits   OPENAI_API_KEY",
        '  variables  NODE_OPTIONS="--require ./x.js"',
        "Files of the project that it runs may change later without another question.",
        "Approve this command? [y/N]",
      ]);
      terminal.type(typed);
      await terminal.waitFor(told);
      expect((await terminal.ended).exitCode).toBe(exitCode);
    }
    expect((await run("approve", "reviewer")).stdout).toBe("reviewer is approved already\n");
  });

  test("askwire agents approve asks in Chinese where the terminal's language is Chinese", async () => {
    const { cwd, env } = await project();
    const terminal = openAskwire(["agents", "approve", "reviewer"], {
      cwd,
      env: { ...env, LC_ALL: "zh_CN.UTF-8" },
    });
    expect(await terminal.waitFor("批准此命令？ [y/N]")).toContain("  变量  NODE_OPTIONS=");
  });

  test("askwire agents approve takes the hash of the content where there is no terminal, and revoke undoes the approval", async () => {
    const { run } = await project();
    const asked = await run("approve", "reviewer");
    expect([asked.status, asked.stdout]).toEqual([2, ""]);
    expect(asked.stderr).toContain('  variables  NODE_OPTIONS="--require ./x.js"\n');
    const [, hash = ""] = /there is no terminal to ask at: add --sha256 (\w+)\n$/.exec(asked.stderr) ?? [];
    expect((await run("approve", "reviewer", "--sha256", hash)).stdout).toBe("reviewer is approved\n");
    expect((await run()).stdout).toMatch(/^reviewer .* approved$/m);
    const revoked = await run("revoke", "reviewer", "nobody");
    expect([revoked.stdout, revoked.status]).toEqual(["1 approval revoked\n", 2]);
    expect(revoked.stderr).toContain("askwire: agents revoke nobody: not approved for ");
    expect((await run()).stdout).toMatch(/^reviewer .* not approved$/m);
  });

  test.each([
    [
      ["approve", "reviewer", "--sha256", "0"],
      "agents approve reviewer: --sha256 does not match the configuration: ",
    ],
    [
      ["approve", "claude"],
      "agents approve claude: it does not come from a project (shipped), so it needs no approval",
    ],
    [["approve", "rewiever"], "agents approve rewiever: no agent has this name (did you mean reviewer?)"],
    [["--work-dir", "/nowhere"], "--work-dir /nowhere: no such folder"],
  ])("askwire agents %j says why it approves nothing, with exit code 2", async (args, line) => {
    const { run } = await project();
    const { stdout, stderr, status } = await run(...args);
    expect([stdout, status]).toEqual(["", 2]);
    expect(stderr).toContain(`askwire: ${line}`);
  });
});
