import type { ToolCall } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { InText, Tool, ToolRestart, ToolReturn } from "@askwire/server";
import { brief, runTool } from "@askwire/server/internal";
import { type AdpForm, correction, readActionArguments } from "./arguments.js";
import { askedFor, askForParameters } from "./ask-person.js";
import type { Action } from "./catalogue.js";

/** The schema of arguments for a provider. A query gives the rest (P-01). */
const anyObject = { type: "object" };

/**
 * Makes a tool of an action (P-ADP-9). Its arguments are read and checked, the person is asked for the rest, then the
 * action runs.
 */
export function actionTool(action: Action, form: AdpForm, inText: InText | undefined): Tool {
  const { tool } = action;
  return {
    name: tool.name,
    description: tool.description,
    parameters: anyObject,
    offered: (offer) => tool.offered?.(offer) ?? true,
    restart: (call) => restartOf(action, call, form),
    ...defined({ exclusive: tool.exclusive, keepsResult: tool.keepsResult, inText }),
    call: (toolCall, run, wire) =>
      runTool(toolCall, run, wire, async (whole): Promise<ToolReturn> => {
        const { arguments: text } = toolCall.function;
        const read = readActionArguments(action, text, form);
        if ("wrong" in read) return failed(correction(action, read.wrong, text, form), "Wrong parameters");
        const given = await askForParameters(action, read.args, whole);
        if ("wrong" in given) return failed(given.wrong, "Not given");
        const { extras, ...value } = await tool.call(withArguments(toolCall, given.args), run, wire);
        return { ...value, ...(extras !== null && { extras }) };
      }),
  };
}

/** A call that asks the person for parameters does nothing before that. */
function restartOf(action: Action, call: ToolCall, form: AdpForm): ToolRestart {
  const { restart = "interrupt" } = action.tool;
  const own = typeof restart === "function" ? restart(call) : restart;
  if (own !== "interrupt") return own;
  const read = readActionArguments(action, call.function.arguments, form);
  return "wrong" in read || askedFor(action, read.args).length > 0 ? "asks-first" : own;
}

const withArguments = (call: ToolCall, args: Record<string, unknown>): ToolCall => ({
  ...call,
  function: { ...call.function, arguments: JSON.stringify(args) },
});

const failed = (output: string, shown: string): ToolReturn => ({
  is_error: true,
  output,
  display: brief(shown),
});
