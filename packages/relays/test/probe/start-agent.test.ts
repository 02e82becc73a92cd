import { fileURLToPath } from "node:url";
import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, type Log } from "@askwire/server";
import { expect, onTestFinished, test } from "vitest";
import { startAgent } from "../../src/acp.js";

const program = (name: string) => [process.execPath, fileURLToPath(new URL(`../${name}`, import.meta.url))];
const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const cwd = process.cwd();

/** The text that an agent says in a turn, over a server, to a client that answers each question with "blue". */
async function said(command: readonly string[], prompt: string): Promise<[protocol: string, text: string]> {
  const { agent, protocol } = await startAgent(command, { cwd });
  const server = createServer({ agent, log: quiet });
  onTestFinished(() => server.close());
  const { left, right } = linkedPair();
  server.connect(left);
  let text = "";
  const session = await connect(right, {
    shows: { fields: true },
    handlers: {
      question: () => ({ items: [{ question_id: "q1", selected: [], own_text: "blue" }] }),
      event({ type, payload }) {
        if (type === "ContentPart" && payload.type === "text") text += payload.text;
      },
    },
  });
  await session.prompt(prompt).result;
  return [protocol, text];
}

const form = {
  mode: "form",
  message: "Which colour?",
  requestedSchema: { type: "object", properties: { k: { type: "string" } } },
};
const asks = JSON.stringify([["request", "elicitation/create", form]]);

test.each([
  ["the wire", "wire/acting-agent.mjs", "hello", ["wire", "You said: hello"]],
  ["ACP", "acp/scripted-agent.mjs", asks, ["acp", '{"result":{"action":"accept","content":{"k":"blue"}}}']],
  ["the draft of ACP 2", "acp/scripted-draft-agent.mjs", asks, ["acp", expect.stringContaining('"blue"')]],
])(
  "one initialize tells an agent of %s, which knows then that people can be asked",
  async (_name, file, prompt, expected) => {
    expect(await said(program(file), prompt)).toEqual(expected);
  },
);

test("a program that speaks neither is reported with its last words", async () => {
  const loud = [
    process.execPath,
    "-e",
    "console.log('usage: tool'); console.error('bad option'); process.exit(2)",
  ];
  await expect(startAgent(loud, { cwd })).rejects.toThrow(
    /ended with status 2 after it printed "usage: tool": bad option/,
  );
  await expect(startAgent(["cat"], { cwd })).rejects.toThrow(/sends back what it is sent/);
  await expect(startAgent(["no-such-program-here"], { cwd })).rejects.toThrow(/it was not found/);
  await expect(startAgent([], { cwd })).rejects.toThrow("command: expected an executable");
});
