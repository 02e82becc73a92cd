import { isObject, want, wantSame } from "../../expectations.js";
import type { Message } from "../agent.js";
import { type ClientCheck, check } from "../client-check.js";
import { survives, takeResponse, wantError } from "../conversation.js";
import { request } from "../server-messages.js";

const foreignTool = (id: string, input: string | null) =>
  request("ToolCallRequest", { id, ...{ name: "tool_of_nobody", arguments: input } });

/** Wants a tool's call to have failed: by a result that says so, or by an error. */
function wantFailedTool(response: Message): void {
  const { id, result } = response;
  if (result === undefined) return wantError(response);
  want(
    isObject(result) && isObject(result.return_value),
    "a result with a return_value, or an error",
    response,
  );
  wantSame("tool_call_id", result.tool_call_id, id);
  const { is_error, output, message, display } = result.return_value;
  wantSame("is_error of a tool that is not there", is_error, true);
  const whole = (typeof output === "string" || Array.isArray(output)) && typeof message === "string";
  want(whole && Array.isArray(display), "output, message and display in return_value", result.return_value);
}

/** Tools and hooks, which these clients were told nothing of. */
export const toolChecks: readonly ClientCheck[] = [
  check("C43", "A tool call without arguments, or with some that are no JSON, is answered", [], (context) =>
    survives(context, async ({ agent }) => {
      agent.send(foreignTool("t-1", null), foreignTool("t-2", ""), foreignTool("t-3", '{"path": '));
      for (const id of ["t-1", "t-2", "t-3"]) wantFailedTool(await takeResponse(agent, id));
    }),
  ),

  check(
    "C44",
    "A call of a tool that the client does not have fails, by its result or by an error",
    [],
    (context) =>
      survives(context, async ({ agent }) => {
        agent.send(foreignTool("t-1", '{"path": "a"}'));
        wantFailedTool(await takeResponse(agent, "t-1"));
      }),
  ),

  check(
    "C45",
    "A tool call with the id of an earlier one, or of one that is open, is answered again",
    ["P-ENG-1"],
    (context) =>
      survives(context, async ({ agent }) => {
        for (const calls of [1, 2]) {
          agent.send(...Array.from({ length: calls }, () => foreignTool("t-1", "{}")));
          for (let call = 0; call < calls; call += 1) wantFailedTool(await takeResponse(agent, "t-1"));
        }
      }),
  ),

  check(
    "C48",
    "A hook that the client did not subscribe to is allowed, or answered with an error",
    ["P-CLW-2"],
    (context) =>
      survives(context, async ({ agent }) => {
        const hook = { subscription_id: "nobody", event: "PreToolUse", target: "Shell", input_data: {} };
        agent.send(request("HookRequest", { id: "h-1", ...hook }));
        const response = await takeResponse(agent, "h-1");
        const { result } = response;
        if (result === undefined) return wantError(response);
        want(isObject(result), "an object as result", response);
        wantSame("request_id", result.request_id, "h-1");
        wantSame("action", result.action ?? "allow", "allow");
      }),
  ),
];
