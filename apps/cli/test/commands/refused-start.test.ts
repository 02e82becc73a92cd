// A session that another process has: the command ends at once, with the agent, while its input is still open.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { lifeOf } from "@askwire/protocol/node";
import { sessionFolder } from "@askwire/server";
import { nodeDisk, takeLock } from "@askwire/server/internal";
import { describe, expect, onTestFinished, test } from "vitest";
import { folderWith, startAskwire } from "../askwire.js";
import { isAlive } from "../is-alive.js";

const fileHere = (name: string) => new URL(name, import.meta.url);
const lateAgent = fileURLToPath(fileHere("late-agent.mjs"));
const noClock = pathToFileURL(fileURLToPath(fileHere("no-clock.mjs"))).href;

/** Marks that it was started, and never introduces itself. */
const silent = [
  "-e",
  "require('fs').writeFileSync('pid', String(process.pid)); require('fs').renameSync('pid', 'started'); setInterval(() => {}, 60_000)",
];
const program = [process.execPath, ...silent] as const;

const named = JSON.stringify({ agents: { mine: { command: program[0], args: silent } } });

/** A folder with a home of its own, in which this process has the session "s". */
async function withTakenSession() {
  const cwd = await folderWith({ "s.json": "[]" });
  const share = join(cwd, "home");
  const folder = sessionFolder({ share, workDir: cwd, id: "s" });
  await mkdir(folder, { recursive: true });
  onTestFinished(takeLock(nodeDisk, folder));
  await writeFile(join(share, "agents.json"), named);
  return { cwd, share, lock: join(folder, "lock") };
}

const inUse = (lock: string) =>
  `askwire: the session is in use by process ${process.pid} (${lock}): end that process or use another session\n`;

describe("a session that another process has", () => {
  const stdio = ["serve", "--stdio", "--session", "s"];
  test.each([
    ["an interview", stdio],
    ["a script", [...stdio, "--script", "s.json"]],
    ["a model", [...stdio, "--model", "openai-compatible:none"]],
    ["a program", [...stdio, "--", ...program]],
    ["a program of the wire", [...stdio, "--wire", "--", ...program]],
    ["a program of ACP", [...stdio, "--acp", "--", ...program]],
    ["an agent by name", [...stdio, "--agent", "mine"]],
    ["an agent that many talk to", ["serve", "--listen", "127.0.0.1:0", "--session", "s", "--", ...program]],
    ["a program at the terminal", ["chat", "--plain", "--session", "s", "--", ...program]],
    ["the place of kimi --wire", ["--wire", "--session", "s"]],
  ])(
    "a session that another process has is refused to %s at once, and no agent is started",
    async (_, args) => {
      const { cwd, share, lock } = await withTakenSession();
      const env = {
        ...process.env,
        ASKWIRE_HOME: share,
        KIMI_SHARE_DIR: "",
        NODE_OPTIONS: `--import ${noClock}`,
      };
      const { child, ended } = startAskwire(args, { cwd, env });
      const { status, stdout, stderr } = await ended;
      expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: inUse(lock) });
      expect(child.stdin.writableEnded).toBe(false);
      expect(existsSync(join(cwd, "started"))).toBe(false);
    },
  );
});

/** The text of a lock that this process has. */
const ours = JSON.stringify({ pid: process.pid, started: lifeOf(process.pid).start, token: "ours" });

/** Starts the command with an agent that has started when the command is refused. Gives the end of both. */
async function refusedLater(
  args: readonly string[],
  protocol: "wire" | "acp",
  { taken = [] as readonly string[], cwd, share }: { taken?: readonly string[]; cwd: string; share: string },
) {
  const pidFile = join(cwd, "pid");
  const agent = [process.execPath, lateAgent, protocol, pidFile, ...taken];
  const env = { ...process.env, ASKWIRE_HOME: share, NODE_OPTIONS: `--import ${noClock}` };
  const { ended } = startAskwire([...args, "--", ...agent], { cwd, env });
  const { status, stdout, stderr } = await ended;
  const pid = Number(await readFile(pidFile, "utf8"));
  return { status, stdout, stderr, isAgentThere: isAlive(pid) };
}

describe("a failure after the agent has started", () => {
  test.each([
    ["wire", ["serve", "--stdio"]],
    ["wire", ["serve", "--stdio", "--wire"]],
    ["acp", ["serve", "--stdio"]],
    ["acp", ["serve", "--stdio", "--acp"]],
    ["acp", ["serve", "--listen", "127.0.0.1:0"]],
    ["wire", ["chat", "--plain"]],
    ["acp", ["chat", "--plain"]],
  ] as const)(
    "an agent of the protocol %s ends with %j, where another process took the session while it started",
    async (protocol, args) => {
      const cwd = await folderWith({});
      const share = join(cwd, "home");
      const lock = join(sessionFolder({ share, workDir: cwd, id: "s" }), "lock");
      const found = await refusedLater([...args, "--session", "s"], protocol, {
        taken: [lock, ours],
        cwd,
        share,
      });
      expect(found).toEqual({ status: 1, stdout: "", stderr: inUse(lock), isAgentThere: false });
    },
  );

  test.each(["SIGTERM", "SIGINT"] as const)(
    "an agent that is still starting ends where %s ends the command",
    async (signal) => {
      const cwd = await folderWith({});
      const env = { ...process.env, ASKWIRE_HOME: join(cwd, "home") };
      const { child, ended } = startAskwire(["serve", "--stdio", "--", ...program], { cwd, env });
      await expect.poll(() => existsSync(join(cwd, "started"))).toBe(true);
      const pid = Number(await readFile(join(cwd, "started"), "utf8"));
      child.kill(signal);
      expect((await ended).signal).toBe(signal);
      expect(isAlive(pid)).toBe(false);
    },
  );

  test.each(["wire", "acp"] as const)(
    "an agent of the protocol %s ends where the port of its server is taken",
    async (protocol) => {
      const cwd = await folderWith({});
      const other = createServer().listen(0, "127.0.0.1");
      onTestFinished(() => void other.close());
      await new Promise((resolve) => other.once("listening", resolve));
      const { port } = other.address() as { port: number };
      const share = join(cwd, "home");
      const found = await refusedLater(["serve", "--listen", `127.0.0.1:${port}`], protocol, { cwd, share });
      expect(found).toMatchObject({ status: 1, isAgentThere: false });
      expect(found.stderr).toMatch(
        /^askwire: --listen [^\n]*: the port is taken; name another, or 0 for a free one\n$/,
      );
    },
  );

  test.each(["wire", "acp"] as const)(
    "an agent of the protocol %s ends where sessions cannot be kept",
    async (protocol) => {
      const cwd = await folderWith({ "home/sessions": "a file" });
      const found = await refusedLater(["serve", "--stdio"], protocol, { cwd, share: join(cwd, "home") });
      expect(found).toMatchObject({ status: 1, isAgentThere: false });
      expect(found.stderr).toMatch(/^askwire: sessions cannot be kept in [^\n]*: set ASKWIRE_HOME [^\n]*\n$/);
    },
  );
});
