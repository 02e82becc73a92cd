import type { MessageChannel } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import * as z from "zod/mini";
import { type ModelAgentOptions, modelAgent, scriptedModel } from "../../agent/src/index.js";
import { kimi } from "../../dialects/src/index.js";
import {
  type Agent,
  type AgentSession,
  ApprovalRequest,
  type ConnectOptions,
  createServer,
  currentToolCall,
  defineTool,
  type Log,
  type Model,
  type ModelRequest,
  type ServerOptions,
  type Tool,
  ToolError,
  type ToolRun,
  wireSend,
} from "../src/index.js";
import { type RawClient, rawClient } from "./raw-client.js";

/** A log that keeps warnings as lines. */
export function keptLog(): Log & { readonly warnings: string[] } {
  const warnings: string[] = [];
  const ignore = () => {};
  return {
    warnings,
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (_, text) => void warnings.push(text),
  };
}

/** A line of a script: the model calls a tool. */
export function callLine(name: string, args: unknown, id = "tc-1"): string {
  return `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
}

/** A question as a model writes it. */
export const colour = {
  question: "Which colour?",
  options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
};

/** A script in which the model asks questions. */
export const asks = (questions: unknown[] = [colour], id = "tc-1") =>
  callLine("AskUserQuestion", { questions }, id);

/** A scripted model that keeps what it was given. */
export function watchedModel(scripts: readonly string[]): Model & { readonly requests: ModelRequest[] } {
  const model = scriptedModel(scripts);
  const requests: ModelRequest[] = [];
  return {
    ...model,
    requests,
    stream(request) {
      requests.push({ ...request, messages: [...request.messages], tools: [...request.tools] });
      return model.stream(request);
    },
  };
}

/** A server whose model replays scripts, with the question tool of the Kimi dialect unless told otherwise, and others. */
export function scenario(
  scripts: readonly string[],
  options: Partial<ServerOptions> & {
    tools?: readonly Tool[];
    run?: Agent["run"];
    /** More of the model, and of its agent. */
    model?: Partial<Model>;
    agentOptions?: Partial<ModelAgentOptions>;
    /** Hears the messages of the server's channels. */
    hear?: (channel: MessageChannel) => MessageChannel;
  } = {},
) {
  const { tools = [], run, model: more, agentOptions, hear = (channel) => channel, ...rest } = options;
  const model = { ...watchedModel(scripts), ...more };
  const log = keptLog();
  const agent = ({ history }: AgentSession) =>
    run === undefined ? modelAgent({ model, history, tools, ...agentOptions }) : { run };
  const server = createServer({ agent, log, dialects: [kimi()], ...rest });
  /** A client on a channel of its own, which has said nothing yet. */
  function connect(connectOptions: ConnectOptions = {}) {
    const { left, right } = linkedPair();
    const connected = server.connect(hear(left), connectOptions);
    return {
      client: rawClient(right),
      get session() {
        return connected.session;
      },
      closed: connected.closed,
    };
  }
  return {
    server,
    model,
    warnings: log.warnings,
    connect,
    /** A client that has introduced itself as one that can show questions. */
    async meet(
      connectOptions: ConnectOptions = {},
      capabilities: object | null = { supports_question: true },
    ) {
      const connected = connect(connectOptions);
      const params = { protocol_version: "1.10", client: { name: "raw" }, capabilities };
      await connected.client.call("initialize", params);
      connected.client.story();
      return connected;
    },
  };
}

/** The value of the n-th tool result that a client was told. */
export async function toolResult(client: RawClient, n = 1): Promise<Record<string, unknown>> {
  const message = await client.seen("ToolResult", n);
  return message.params?.payload.return_value as Record<string, unknown>;
}

/** A tool whose work a sub-agent does. */
export const delegating = (task: Parameters<ToolRun["subagent"]>[0]): Tool =>
  defineTool({
    name: "Task",
    description: "delegates",
    parameters: z.looseObject({}),
    run: async (_params, { subagent }) => (await subagent(task)).text,
  });

/** A tool that does its work only when it is approved. */
export function approvedTool(name: string, action = "run command"): Tool {
  return defineTool({
    name,
    description: name,
    parameters: z.object({}),
    async run() {
      const { id } = currentToolCall();
      const request = new ApprovalRequest({ tool_call_id: id, sender: name, action, description: "ls" });
      wireSend(request);
      const { response, feedback } = await request.wait();
      return response === "reject"
        ? new ToolError({ message: `Rejected: ${feedback}`, brief: "Rejected" })
        : "done";
    },
  });
}
