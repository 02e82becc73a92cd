import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import { startTurn, survives, takeResponse, wantEnd, wantErrorResponse } from "../conversation.js";
import { untilRead } from "../extended-turn.js";
import type { ClientMessage } from "../line.js";
import { eventMessage, requestMessage } from "../server-messages.js";
import { FAILING, OFFERED_TOOL, toolCallOf, wantRun, wantToolResult } from "../tool-calls.js";

const foreignTool = (id: string, input: string | null) =>
  requestMessage("ToolCallRequest", { id, ...{ name: "tool_of_nobody", arguments: input } });

/** Wants a tool's call to have failed: by a result that says so, or by an error. */
function wantFailedTool(response: ClientMessage): void {
  if (response.result === undefined) return wantErrorResponse(response);
  wantSame("is_error of a tool that is not there", wantToolResult(response).is_error, true);
}

/** The running time of the tool in checks of messages before its result. */
const SLOW_MS = 300;
/** Longer than a client needs to read what follows a call. */
const LONG_MS = 3_000;
/** Levels of arrays, more than any peer has to read. */
const TOO_DEEP = 100;

/** Tools that these clients offer, and tools which they were told nothing of. */
export const toolChecks: readonly ClientCheck[] = [
  check(
    "C41",
    "A call of a tool that the client offers runs it with the parsed arguments, and has a whole result",
    ["P-CLI-5"],
    (context) =>
      survives(
        context,
        async ({ agent, introduced }) => {
          for (const [at, word] of ["hello", "\u2028 ö"].entries()) {
            const call = toolCallOf(introduced, word);
            agent.send(requestMessage("ToolCallRequest", call));
            wantRun(await takeResponse(agent, call.id), at + 1, word);
          }
        },
        { tool: OFFERED_TOOL },
      ),
  ),

  check("C42", "A tool that fails gives a result with is_error", ["P-CLI-5"], (context) =>
    survives(
      context,
      async ({ agent, introduced }) => {
        const call = toolCallOf(introduced, FAILING);
        agent.send(requestMessage("ToolCallRequest", call));
        wantMembers("return_value", wantToolResult(await takeResponse(agent, call.id)), { is_error: true });
      },
      { tool: OFFERED_TOOL },
    ),
  ),

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
    async (context) => {
      for (const orders of [{}, { tool: OFFERED_TOOL }])
        await survives(
          context,
          async ({ agent }) => {
            agent.send(foreignTool("t-1", '{"path": "a"}'));
            wantFailedTool(await takeResponse(agent, "t-1"));
          },
          orders,
        );
    },
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

  ours(
    check(
      "C73",
      "A tool that still runs when the turn ends gives a result with is_error before the client ends",
      ["P-CLI-5"],
      async (context) => {
        const answer = { choose: [["Yes"]], after_ms: LONG_MS * context.pace };
        const turn = await startTurn(context, { tool: OFFERED_TOOL, answer });
        const { agent, client, introduced, prompt } = turn;
        const call = toolCallOf(introduced, "hello");
        agent.send(requestMessage("ToolCallRequest", call));
        agent.send(eventMessage("TurnEnd", {}));
        await untilRead(agent);
        agent.send({ id: prompt.id, result: { status: "finished" } });
        client.act({ do: "end" });
        wantFailedTool(await takeResponse(agent, call.id));
        await wantEnd(client, agent);
      },
      LONG_MS,
    ),
  ),

  ours(
    check(
      "C74",
      "Arguments that are null or blank are an empty object, and what is no object or is nested too deep fails",
      ["P-CLI-5"],
      (context) =>
        survives(
          context,
          async ({ agent, introduced }) => {
            const call = (input: string | null) => ({ ...toolCallOf(introduced, ""), arguments: input });
            const said = async (input: string | null) => {
              const payload = call(input);
              agent.send(requestMessage("ToolCallRequest", payload));
              return takeResponse(agent, payload.id);
            };
            for (const input of [null, "", "  "])
              wantMembers("return_value", wantToolResult(await said(input)), { is_error: false });
            const deep = `{"word": ${"[".repeat(TOO_DEEP)}${"]".repeat(TOO_DEEP)}}`;
            for (const input of ["[]", "5", "null", '{"word"', deep]) wantFailedTool(await said(input));
          },
          { tool: OFFERED_TOOL },
        ),
    ),
  ),

  ours(
    check("C46", "While a tool runs, other messages are answered", [], (context) =>
      survives(
        context,
        async ({ agent, introduced }) => {
          const call = toolCallOf(introduced, "hello");
          agent.send(requestMessage("ToolCallRequest", call), { method: "teapot", id: "m-1", params: {} });
          wantRun(await takeResponse(agent, call.id), 1);
          wantErrorResponse(await takeResponse(agent, "m-1"), -32601);
          const order = agent.messages.flatMap(({ id }) => (id === call.id || id === "m-1" ? [id] : []));
          wantSame("the ids that are answered, in order", order, ["m-1", call.id]);
        },
        { tool: OFFERED_TOOL, answer: { choose: [["Yes"]], after_ms: SLOW_MS } },
      ),
    ),
  ),
];

/** Hooks that these clients did not subscribe to. */
export const clientHookChecks: readonly ClientCheck[] = [
  check(
    "C48",
    "A hook that the client did not subscribe to is allowed, or answered with an error",
    ["P-CLW-2"],
    (context) =>
      survives(context, async ({ agent }) => {
        const hook = { subscription_id: "nobody", event: "PreToolUse", target: "Shell", input_data: {} };
        agent.send(requestMessage("HookRequest", { id: "h-1", ...hook }));
        const response = await takeResponse(agent, "h-1");
        const { result } = response;
        if (result === undefined) return wantErrorResponse(response);
        want(isObject(result), "an object as result", response);
        wantSame("request_id", result.request_id, "h-1");
        wantSame("action", result.action ?? "allow", "allow");
      }),
  ),
];
