import { isObject, want, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import {
  answers,
  probing,
  survives,
  takeResponse,
  takesQuestions,
  wantErrorResponse,
} from "../conversation.js";
import { eventsOfAStep } from "../documented-events.js";
import type { ClientMessage } from "../line.js";
import { eventMessage, goOn, questionPayload, requestMessage } from "../server-messages.js";

const anything = { "x-left": [1, { "x-right": null }] };
const unreadable = { user_input: 5 };

/** Wants an error to have `data`, and returns them. */
function dataOf(response: ClientMessage): unknown {
  const { data } = isObject(response.error) ? response.error : {};
  want(data !== undefined, "data in an error, if only null", response);
  return data;
}

/** Checks of known and unknown messages. */
export const messageChecks: readonly ClientCheck[] = [
  check("C67", "Each event of Wire 1.10 that comes in a step does no harm", ["P-MSG-1"], (context) =>
    survives(context, ({ agent }) => agent.send(...eventsOfAStep)),
  ),

  check("C17", "An event of an unknown type does no harm", ["P-MSG-7"], (context) =>
    survives(context, ({ agent }) =>
      agent.send({ method: "event", params: { type: "TeapotBoiled", payload: anything } }),
    ),
  ),

  check("C18", "Fields of a known event or request that are not known do no harm", ["P-ENV-10"], (context) =>
    survives(context, async ({ agent }) => {
      const status = { context_usage: 0.5, plan_mode: false, ...anything };
      const probe = probing(agent, goOn.question, anything);
      agent.send({ ...eventMessage("StatusUpdate", status), ...anything }, probe.message);
      const { result, error } = await takeResponse(agent, probe.id);
      want(result !== undefined, "an answer to a request with further fields", { error });
    }),
  ),

  ours(
    check(
      "C19",
      "A known event with a payload that does not fit, or with an array as params, does no harm",
      ["P-MSG-7", "P-ENG-8"],
      (context) =>
        survives(context, ({ agent }) =>
          agent.send(
            eventMessage("ContentPart", unreadable),
            eventMessage("ToolResult", {}),
            { method: "event", params: { type: "StepBegin", payload: null } },
            { method: "event", params: ["StepBegin", { n: 1 }] },
            { method: "event", params: "StepBegin" },
            { method: "event" },
          ),
        ),
    ),
  ),

  ours(
    check("C20", "An event that carries an id is not answered", ["P-MSG-1"], async (context) => {
      const { agent } = await survives(context, ({ agent }) =>
        agent.send({ ...eventMessage("StepBegin", { n: 1 }), id: "not-a-request" }),
      );
      const answer = agent.messages.find(answers("not-a-request"));
      want(answer === undefined, "no answer to not-a-request, which is no request", answer);
    }),
  ),

  ours(
    check(
      "C21",
      "A notification of an unknown method, a request in the form of a notification and $/cancelRequest for nothing do no harm",
      ["P-ENV-6", "P-ENG-5"],
      // The rules of all lines forbid an answer to what is no request (line-rules.ts).
      (context) => {
        const payload = questionPayload([goOn]);
        return survives(context, ({ agent }) =>
          agent.send(
            { method: "history_complete", params: {} },
            { method: "request", params: { type: "QuestionRequest", payload } },
            { method: "$/cancelRequest" },
            { method: "$/cancelRequest", params: { id: "nobody" } },
          ),
        );
      },
    ),
  ),

  ours(
    check(
      "C22",
      "A request of an unknown method or type is answered with -32601, so that nobody waits for it",
      ["P-MSG-8", "P-ERR-4"],
      (context) =>
        survives(context, async ({ agent }) => {
          agent.send(
            { method: "teapot", id: "m-1", params: {} },
            requestMessage("TeapotRequest", { id: "m-2" }),
          );
          wantErrorResponse(await takeResponse(agent, "m-1"), -32601);
          const response = await takeResponse(agent, "m-2");
          wantErrorResponse(response, -32601);
          const data = dataOf(response);
          if (isObject(data)) wantSame("data", data, { type: "TeapotRequest", reason: "unknown" });
        }),
    ),
  ),

  ours(
    check(
      "C23",
      "A request that does not fit is answered with -32602",
      ["P-ERR-1", "P-ERR-4", "P-ENG-8"],
      (context) =>
        survives(context, async ({ agent }) => {
          const asked = [
            ...(takesQuestions(agent)
              ? [requestMessage("QuestionRequest", { id: "b-0", ...{ questions: "all" } })]
              : []),
            requestMessage("ApprovalRequest", { id: "b-1" }),
            { method: "request", id: "b-2", params: ["QuestionRequest", {}] },
            { method: "request", id: "b-3" },
          ];
          agent.send(...asked);
          for (const { id } of asked) {
            const response = await takeResponse(agent, id);
            wantErrorResponse(response, -32602);
            dataOf(response);
          }
        }),
    ),
  ),
];
