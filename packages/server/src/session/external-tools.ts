import type { ExternalTool, Outcome, ToolCall, ToolReturnValue } from "@askwire/protocol";
import type { Tool } from "../agent/agent.js";
import { type JsonSchema, readJsonSchema } from "../json-schema/json-schema.js";
import { ExternalToolCall, failedToolResult } from "../requests/external-tool-call.js";
import { type BoundedTime, boundedTime } from "../runtime/bounded-time.js";

/** The fate of each tool that a client registers, in order. */
export interface RegisteredTools {
  readonly accepted: string[];
  readonly rejected: { name: string; reason: string }[];
}

/** Tools of one connection. */
const MAX_TOOLS = 128;
/**
 * Bytes of JSON that the definitions of one connection's tools may have together. To read a hostile schema of 64 KiB
 * takes up to 0.3 s.
 */
const MAX_BYTES = 256 * 1024;
/** The time limit of a check of arguments, in milliseconds. */
const CHECK_MS = 250;

/** The tools that clients bring to a session (P-EXT-1 to P-EXT-5, P-EXT-8). */
export class ExternalTools {
  /** Made, as is the next, with the first tool: most sessions have none, and keep 0.4 kB less. */
  #toolsOf: Map<string, ReadonlyMap<string, Tool>> | undefined;
  #within: BoundedTime | undefined;

  /**
   * Registers a connection's tools, instead of those that it had.
   *
   * @param builtin the names that the agent's own tools have.
   */
  register(ownerId: string, tools: readonly ExternalTool[], builtin: ReadonlySet<string>): RegisteredTools {
    const own = new Map<string, Tool>();
    const accepted: string[] = [];
    const rejected: { name: string; reason: string }[] = [];
    const fits = within(MAX_BYTES);
    this.#toolsOf?.delete(ownerId);
    for (const tool of tools) {
      const { name } = tool;
      const made = this.#refusal(name, builtin, own) ?? fits(tool) ?? this.#make(ownerId, tool);
      if (typeof made === "string") rejected.push({ name, reason: made });
      else {
        own.set(name, made);
        accepted.push(name);
      }
    }
    if (own.size > 0) {
      this.#toolsOf ??= new Map();
      this.#toolsOf.set(ownerId, own);
    }
    return { accepted, rejected };
  }

  /** Takes some of a connection's tools away. */
  refuse(ownerId: string, names: ReadonlySet<string>): void {
    const own = this.#toolsOf?.get(ownerId);
    if (own !== undefined)
      this.#toolsOf?.set(ownerId, new Map([...own].filter(([name]) => !names.has(name))));
  }

  /** Takes a connection's tools away. */
  release(ownerId: string): void {
    this.#toolsOf?.delete(ownerId);
  }

  /** Every tool that a client brings at this moment. */
  tools(): readonly Tool[] {
    return [...(this.#toolsOf?.values() ?? [])].flatMap((own) => [...own.values()]);
  }

  #refusal(name: string, builtin: ReadonlySet<string>, own: ReadonlyMap<string, Tool>): string | undefined {
    if (builtin.has(name)) return "conflicts with builtin tool";
    for (const others of this.#toolsOf?.values() ?? [])
      if (others.has(name)) return "provided by another client";
    if (own.size >= MAX_TOOLS && !own.has(name)) return `a client may register at most ${MAX_TOOLS} tools`;
    return undefined;
  }

  #make(ownerId: string, { name, description, parameters }: ExternalTool): Tool | string {
    this.#within ??= boundedTime(CHECK_MS);
    const schema = readJsonSchema(parameters, this.#within);
    if (typeof schema === "string") return schema;
    return {
      name,
      description,
      parameters,
      call: async (toolCall, _run, wire) => {
        const problem = this.#wrongWith(toolCall, schema);
        if (problem !== undefined) {
          const message = `Invalid arguments: ${problem}. Correct them and call again.`;
          return failedToolResult(message, "Invalid arguments");
        }
        const request = new ExternalToolCall({
          recipientId: ownerId,
          tool_call_id: toolCall.id,
          name,
          arguments: toolCall.function.arguments,
        });
        wire.send(request);
        const { outcome, answer } = await request.wait();
        return answer ?? unanswered(outcome);
      },
    };
  }

  #wrongWith({ function: { arguments: text } }: ToolCall, schema: JsonSchema): string | undefined {
    try {
      return schema.problem(text === null || text.trim() === "" ? {} : JSON.parse(text));
    } catch (error) {
      return `not JSON (${(error as Error).message})`;
    }
  }
}

/** Refuses a tool over so many bytes of JSON, including all accepted tools. */
function within(limit: number): (tool: ExternalTool) => string | undefined {
  let room = limit;
  return (tool) => {
    const bytes = Buffer.byteLength(JSON.stringify(tool));
    if (bytes > room) return `the tools of a client may have at most ${limit} bytes of JSON together`;
    room -= bytes;
    return undefined;
  };
}

/** The result for the model if the client did not answer the call (P-EXT-6, P-EXT-8). */
function unanswered({ reason, note }: Outcome): ToolReturnValue {
  const told = note === undefined || note === "" ? "it gave no reason" : note;
  switch (reason) {
    case "client_lost":
      return failedToolResult(
        "The client that provides this tool is gone. Do not call it again.",
        "Client is gone",
      );
    case "limit":
      return failedToolResult("Too many requests are open. Wait for their results first.", "Too many calls");
    case "unsupported":
      return failedToolResult(`The client does not run this tool: ${told}`, "Tool not there");
    case "protocol_error":
      return failedToolResult(`The client gave no valid result: ${told}`, "Invalid tool result");
    default:
      return failedToolResult("The call was given up before the tool answered.", "Given up");
  }
}
