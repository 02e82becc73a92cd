import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApprovalReply } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { olderExample } from "../../../../packages/relays/test/acp/older-sdk.js";
import { askwire, command, folderWith, startServe } from "../askwire.js";
import { start } from "../panel/at-panel.js";
import { wayTo } from "../panel/served.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const scripted = [process.execPath, path("../../../../packages/relays/test/acp/scripted-agent.mjs")];
const example = olderExample("agent.js");

describe("chat with an agent of ACP", () => {
  test("chat answers the permission request of the ACP SDK's own example by its number", async () => {
    const { stdout, status } = await askwire(["chat", "--", ...example], { input: "hello\n1\n" });
    expect(stdout).toMatch(/ {2}1\. Allow this change\n {2}2\. Skip this change\n/);
    expect(stdout).toContain("successfully updated the configuration");
    expect(status).toBe(0);
  });

  test("chat answers an ACP form one question after the other", async () => {
    const properties = {
      database: { type: "string", title: "Database", oneOf: [{ const: "s", title: "SQLite" }] },
      port: { type: "integer", title: "Port" },
    };
    const requestedSchema = { type: "object", properties, required: ["database", "port"] };
    const form = ["request", "elicitation/create", { mode: "form", message: "Where?", requestedSchema }];
    const input = `${JSON.stringify([form])}\nSQLite\nsoon\n8080\n`;
    const { stdout, status } = await askwire(["chat", "--", ...scripted], { input });
    expect(stdout).toContain('{"result":{"action":"accept","content":{"database":"s","port":8080}}}');
    expect(status).toBe(0);
  });
});

describe("a command of an agent of ACP, which asks before it runs", () => {
  const about = { toolCallId: "c1", title: "npm test", kind: "execute", rawInput: { command: "npm test" } };
  const options = [{ optionId: "allow", name: "Allow", kind: "allow_once" }];
  const content = [{ type: "content", content: { type: "text", text: "all 12 passed\n" } }];
  const update = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content };
  const script = JSON.stringify([
    ["update", { sessionUpdate: "tool_call", status: "pending", ...about }],
    ["request", "session/request_permission", { toolCall: about, options }],
    ["update", update],
    ["say", "Done."],
  ]);

  test("in lines its command, its output and its result are told once each, besides what is asked", async () => {
    const { stdout } = await askwire(["chat", "--plain", "--", ...scripted], { input: `${script}\n1\n` });
    expect(stdout.replaceAll("> ", "").trim().split("\n")).toEqual([
      "• npm test",
      "! npm test asks to execute",
      "  1. Allow",
      "  2. Reject",
      "y: yes, n [why]: no, or a number ",
      '{"result":{"outcome":{"outcome":"selected","optionId":"allow"}}}',
      "  all 12 passed",
      "Done.",
    ]);
  });

  test.each([40, 80, 200])(
    "at a terminal of %i columns its approval is its row, and the command and its output are told once",
    async (columns) => {
      const args = ["chat", "--prompt", script, "--", ...scripted];
      const terminal = start(args, { columns, cwd: await folderWith() });
      await terminal.waitForRows(/1\. Allow[\s\S]*decline/);
      terminal.type("\r");
      const screen = await terminal.waitFor(/Done\.\n>/);
      expect(screen).toContain("● npm test → Allow\n  all 12 passed\nDone.\n>");
      expect(screen.split("npm test")).toHaveLength(2);
      expect(screen.split("all 12 passed")).toHaveLength(2);
    },
  );
});

/** A permission that an agent behind the relay asks for, and what the agent says once it has the answer. */
const agents = {
  "an agent of ACP": {
    agent: () => example,
    answer: { option: "allow" },
    heard: "successfully updated the configuration",
  },
  "an agent of the wire": {
    agent: async () => {
      const call = { id: "c1", name: "Shell", arguments: JSON.stringify({ command: "echo done" }) };
      const script = JSON.stringify([`tool_call: ${JSON.stringify(call)}`, "text: All is done."]);
      const folder = await folderWith({ "s.json": script });
      return [process.execPath, command, "serve", "--stdio", "--script", join(folder, "s.json")];
    },
    answer: "approve",
    heard: "All is done.",
  },
} satisfies Record<
  string,
  { agent: () => readonly string[] | Promise<readonly string[]>; answer: ApprovalReply; heard: string }
>;

describe.each(Object.entries(agents))("a permission of %s", (_name, { agent, answer, heard }) => {
  test("a permission request outlives a lost connection with its id, and the answer of one client ends it for the other", async () => {
    const cwd = await folderWith({ token: "the-token-of-all-servers" });
    const env = { ...process.env, ASKWIRE_HOME: cwd };
    const args = ["--token-file", "token", "--", ...(await agent())];
    const { address } = await startServe(args, { cwd, env });
    const way = await wayTo(address);
    const shown: { readonly id: string; readonly signal: AbortSignal }[] = [];
    let reply: (reply: ApprovalReply) => void = () => {};
    const states: string[] = [];
    let text = "";
    const first = await connectWebSocket(way.address, {
      shows: { approvalOptions: true },
      onConnection: ({ state }) => void states.push(state),
      handlers: {
        approval({ id }, { signal }) {
          shown.push({ id, signal });
          return new Promise((resolve) => {
            reply = resolve;
          });
        },
        event({ type, payload }) {
          if (type === "ContentPart" && payload.type === "text") text += payload.text;
        },
      },
    });
    onTestFinished(() => first.close());
    const elsewhere: { readonly id: string; readonly signal: AbortSignal }[] = [];
    const second = await connectWebSocket(address, {
      shows: { approvalOptions: true },
      handlers: {
        approval({ id }, { signal }) {
          elsewhere.push({ id, signal });
          return new Promise(() => {});
        },
      },
    });
    onTestFinished(() => second.close());
    const turn = first.prompt("hello");
    await expect.poll(() => [shown.length, elsewhere.length]).toEqual([1, 1]);
    way.cut();
    way.mend();
    await expect.poll(() => states).toEqual(["connected", "lost", "connected"]);
    reply(answer);
    expect(await turn.result).toMatchObject({ status: "finished" });
    expect(text).toContain(heard);
    expect(new Set([...shown, ...elsewhere].map(({ id }) => id)).size).toBe(1);
    await expect.poll(() => elsewhere.map(({ signal }) => signal.aborted)).toEqual([true]);
  });
});
