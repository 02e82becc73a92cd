import type { ApprovalKind } from "@askwire/protocol";
import { isObject, want, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import { beginTurn, finish, startTurn, survives, takeInitialize, takeResponse } from "../conversation.js";
import type { ClientMessage } from "../line.js";
import { approvalPayload, eventMessage, requestMessage, welcome } from "../server-messages.js";

const REASON = "it would take an hour";

function wantApproval({ id, result }: ClientMessage, kind: ApprovalKind, ownText?: string): void {
  want(isObject(result), `the answer ${kind}`, { result });
  wantSame("request_id", result.request_id, id);
  wantSame("response", result.response, kind);
  const { feedback = "" } = result;
  const fits = feedback === "" || (ownText !== undefined && feedback === ownText);
  want(fits, ownText === undefined ? "no feedback" : `the feedback "${ownText}", or none`, feedback);
}

async function approves(context: ClientContext, kind: ApprovalKind, ownText?: string): Promise<void> {
  const answer = { choose: [], approve: kind, ...(ownText === undefined ? {} : { own_text: ownText }) };
  const turn = await startTurn(context, { answer });
  const payload = approvalPayload();
  turn.agent.send(requestMessage("ApprovalRequest", payload));
  wantApproval(await takeResponse(turn.agent, payload.id), kind, ownText);
  turn.agent.send(
    eventMessage("ApprovalResponse", { request_id: payload.id, response: kind, feedback: ownText ?? "" }),
  );
  await finish(turn);
}

/** An event, by its type, that settles an approval which is before the person. */
const settledElsewhere = (type: string) => (context: ClientContext) =>
  survives(context, ({ agent }) => {
    const payload = approvalPayload();
    const settled = { request_id: payload.id, response: "approve" };
    agent.send(requestMessage("ApprovalRequest", payload), {
      method: "event",
      params: { type, payload: settled },
    });
  });

const subagent = { agent_id: "a1", subagent_type: "coder" };
const inner = { type: "StepBegin", payload: { n: 1 } };

/** Checks of approvals, and of sub-agents' messages. */
export const clientApprovalChecks: readonly ClientCheck[] = [
  check(
    "C35",
    "An approval is answered with approve, approve_for_session or reject",
    ["P-APR-1"],
    async (context) => {
      await approves(context, "approve");
      await approves(context, "approve_for_session");
      await approves(context, "reject", REASON);
    },
  ),

  ours(
    check(
      "C36",
      "An approval that comes outside a turn is answered",
      ["P-APR-1", "P-CLW-2"],
      async (context) => {
        const client = await context.start();
        const agent = await client.launched();
        const { id } = await takeInitialize(agent);
        const payload = { ...approvalPayload(), source_kind: "background_agent" };
        agent.send(requestMessage("ApprovalRequest", payload), { id, result: welcome });
        const turn = await beginTurn(client, agent);
        wantApproval(await takeResponse(agent, payload.id), "approve");
        await finish(turn);
      },
    ),
  ),

  check(
    "C37",
    "An approval that was answered elsewhere does no harm",
    [],
    settledElsewhere("ApprovalResponse"),
  ),

  check(
    "C38",
    "The same under its older name, ApprovalRequestResolved, does no harm",
    [],
    settledElsewhere("ApprovalRequestResolved"),
  ),

  check("C39", "A SubagentEvent with task_tool_call_id, or with no parent, does no harm", [], (context) =>
    survives(context, ({ agent }) =>
      agent.send(
        eventMessage("SubagentEvent", { task_tool_call_id: "call_1", event: inner }),
        eventMessage("SubagentEvent", {
          parent_tool_call_id: null,
          agent_id: null,
          subagent_type: null,
          event: inner,
        }),
      ),
    ),
  ),

  check("C40", "A SubagentEvent around an event of an unknown type does no harm", [], (context) =>
    survives(context, ({ agent }) => {
      const unknown = { type: "TeapotBoiled", payload: [1] };
      const nested = {
        type: "SubagentEvent",
        payload: { ...subagent, parent_tool_call_id: "c2", event: unknown },
      };
      agent.send(
        eventMessage("SubagentEvent", { ...subagent, parent_tool_call_id: "call_1", event: unknown }),
        eventMessage("SubagentEvent", { ...subagent, parent_tool_call_id: "call_1", event: nested }),
      );
    }),
  ),
];
