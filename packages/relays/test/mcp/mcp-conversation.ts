import { fileURLToPath } from "node:url";
import { modelAgent, scriptedModel } from "@askwire/agent";
import { type ClientHandlers, connect, type QuestionReply, type QuestionView } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer, type Log, type ToolSet } from "@askwire/server";
import { onTestFinished } from "vitest";
import { type McpServer, type McpToolOptions, mcpTools } from "../../src/mcp.js";

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A server of MCP of these tests, as a program. */
export const program = (file: string, ...flags: string[]): McpServer => ({
  command: [process.execPath, fileURLToPath(new URL(`./${file}.mjs`, import.meta.url)), ...flags],
});

/** A call of a tool as a step of a scripted model. */
export const calls = (name: string, args: object = {}) =>
  `tool_call: ${JSON.stringify({ id: `call_${name}`, name, arguments: JSON.stringify(args) })}`;

export interface Person {
  question?: (view: QuestionView) => QuestionReply | Promise<QuestionReply>;
  approval?: () => "approve" | "reject";
}

/** A client, and a server whose scripted model has the tools of these servers of MCP, and calls one with each prompt. */
export async function conversation(
  servers: Record<string, McpServer>,
  scripts: readonly string[],
  options: McpToolOptions = {},
) {
  let tools: ToolSet | undefined;
  const server = createServer({
    log: quiet,
    agent(session) {
      // Beside a busy machine a server may take longer to start than a call waits for it.
      tools = mcpTools(new Map(Object.entries(servers)), session, { patienceMs: 60_000, ...options });
      const model = scriptedModel(scripts.flatMap((script) => [script, "text: done"]));
      return modelAgent({ model, toolSets: [tools] });
    },
  });
  const { left, right } = linkedPair();
  server.connect(left);
  const person: Person = {};
  const approvals: string[] = [];
  const events: { type: string; payload: unknown }[] = [];
  const handlers: ClientHandlers = {
    question: (view) => person.question?.(view) ?? "declined",
    approval({ action }) {
      approvals.push(action);
      return person.approval?.() ?? "approve";
    },
    event: ({ type, payload }) => void events.push({ type, payload }),
  };
  const shows = { previews: true, notes: true, skip: true, fields: true, approvalOptions: true };
  const session = await connect(right, { handlers, shows });
  onTestFinished(async () => {
    await session.close();
    await server.close();
  });
  const told = (type: string) =>
    events
      .filter((event) => event.type === type)
      .map(({ payload }) => payload as never as Record<string, never>);
  return {
    session,
    person,
    approvals,
    told,
    /** Prompts, and resolves with the value that the last tool returned. */
    async prompt(): Promise<{ is_error: boolean; output: unknown; message: string; extras: unknown }> {
      await session.prompt("go").result;
      return told("ToolResult").at(-1)?.return_value as never;
    },
    /** The names of the tools that the model was offered last. */
    toolNames: () => (tools?.tools ?? []).map(({ name }) => name),
    notices: () => told("Notification").map(({ title, body }) => `${title}: ${body}`),
  };
}
