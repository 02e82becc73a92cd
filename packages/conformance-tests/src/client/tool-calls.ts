import { randomUUID } from "node:crypto";
import { CheckSkipped } from "../contract/check.js";
import { isObject, want, wantMembers, wantSame } from "../contract/expectations.js";
import type { ClientMessage } from "./line.js";

/** The tool that a client is told to offer. Its output is the number of its runs, and its argument `word`. */
export const OFFERED_TOOL = "CountAndSay";
/** The word that makes it fail. */
export const FAILING = "fail";

/**
 * The payload of a call of the tool that the client offers.
 *
 * @param introduced the client's `initialize`.
 * @throws CheckSkipped where it offers no tool.
 */
export function toolCallOf({ params }: ClientMessage, word: string) {
  const { external_tools: tools } = isObject(params) ? params : {};
  const offered = Array.isArray(tools) && tools.some((tool) => isObject(tool) && tool.name === OFFERED_TOOL);
  if (!offered) throw new CheckSkipped(`its initialize does not offer the tool ${OFFERED_TOOL}`);
  return { id: `call_${randomUUID()}`, name: OFFERED_TOOL, arguments: JSON.stringify({ word }) };
}

/** A tool call for an extended client, with the server's own id. */
export const toolCallById = (introduced: ClientMessage, word = "hello") => ({
  ...toolCallOf(introduced, word),
  request_id: randomUUID(),
});

/** Expects the whole result of a tool. Returns its `return_value`. */
export function wantToolResult({ id, result }: ClientMessage): Readonly<Record<string, unknown>> {
  want(isObject(result) && isObject(result.return_value), "a result with a return_value", { id, result });
  wantSame("tool_call_id", result.tool_call_id, id);
  const { output, message, display } = result.return_value;
  const whole = (typeof output === "string" || Array.isArray(output)) && typeof message === "string";
  want(whole && Array.isArray(display), "output, message and display in return_value", result.return_value);
  return result.return_value;
}

/** Wants the result of the tool's run of this number. */
export function wantRun(response: ClientMessage, run: number, word = "hello"): void {
  wantMembers("return_value", wantToolResult(response), { is_error: false, output: `${run} ${word}` });
}
