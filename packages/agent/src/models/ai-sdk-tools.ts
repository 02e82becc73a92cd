import type { ContentPart, ToolReturnValue } from "@askwire/protocol";
import { defineTool, type Turn } from "@askwire/server";
import type { ToolSet } from "ai";
import { toolOutput } from "./ai-sdk-messages.js";

/** The options of a call, as the AI SDK gives them to `execute`. */
interface CallOptions {
  readonly toolCallId: string;
}

type Execute = (input: never, options: never) => unknown;

/**
 * The tools of the AI SDK as tools of a turn, for a `streamText` or `generateText` of your own. Clients see each call and
 * its result, `ask` and `approve` work inside, the person is asked first where a tool has `needsApproval`, and a turn that
 * resumes gives back what is done (P-RES-5). A tool without `execute` stays as it is.
 *
 * ```ts
 * const tools = aiSdkTools(turn, { weather });
 * const { textStream } = streamText({ model, prompt, tools, abortSignal: turn.signal, stopWhen: [stepCountIs(20), () => turn.stopped] });
 * for await (const text of textStream) turn.say(text);
 * ```
 *
 * A call that fails, or that the person does not approve, throws in `execute`, so that the model reads the message.
 */
export const aiSdkTools = <Tools extends ToolSet>(turn: Turn, tools: Tools): Tools =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, toolOf(turn, name, tool)])) as Tools;

function toolOf(turn: Turn, name: string, tool: ToolSet[string]): ToolSet[string] {
  if (typeof tool.execute !== "function") return tool;
  const { needsApproval: _, ...rest } = tool;
  return {
    ...rest,
    async execute(input: unknown, options: CallOptions) {
      const execute = (given: unknown, call: object) =>
        (tool.execute as Execute)(
          given as never,
          { ...options, ...call, messages: messagesOf(options) } as never,
        );
      const whole = defineTool({ name, tool: { ...tool, execute } });
      const { is_error, message, output } = await turn.callTool(whole, callOf(name, input, options));
      if (is_error) throw new Error(message);
      return output;
    },
    toModelOutput: ({ output }: { output: string | ContentPart[] }) => toolOutput({ ...nothing, output }),
  } as ToolSet[string];
}

const callOf = (name: string, input: unknown, { toolCallId: id }: CallOptions) => ({
  type: "function" as const,
  id,
  function: { name, arguments: JSON.stringify(input) },
  extras: null,
});

const messagesOf = (options: CallOptions) => (options as { messages?: unknown }).messages ?? [];

const nothing: ToolReturnValue = { is_error: false, output: "", message: "", display: [], extras: null };
