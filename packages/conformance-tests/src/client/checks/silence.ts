import { want, wantSame } from "../../contract/expectations.js";
import { type ClientCheck, check, ours } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import {
  answers,
  askClient,
  finish,
  type RunTurn,
  startTurn,
  takeResponse,
  wantEnd,
  wantGoesOn,
} from "../conversation.js";
import { untilRead } from "../extended-turn.js";
import {
  approvalPayload,
  eventMessage,
  goOn,
  questionPayload,
  requestMessage,
  toolCall,
  toolResultMessage,
} from "../server-messages.js";

/** The person's time where something comes before the answer, in milliseconds. */
const SLOW_MS = 300;
const slow = { choose: [["Yes"]], approve: "approve", after_ms: SLOW_MS } as const;
/** Longer than any check. */
const never = { ...slow, after_ms: 600_000 } as const;

function wantNoAnswer({ agent }: RunTurn, { id }: { readonly id: string }): void {
  const late = agent.messages.find((message) => answers(id)(message) && "result" in message);
  want(late === undefined, "no answer to what the person does not have any more", late);
}

/** An approval that an event of this type settles while the person has it. */
async function settlesElsewhere(context: ClientContext, type: string): Promise<void> {
  const turn = await startTurn(context, { answer: slow });
  const payload = approvalPayload();
  const settled = { request_id: payload.id, response: "approve", feedback: "" };
  const next = approvalPayload();
  turn.agent.send(
    requestMessage("ApprovalRequest", payload),
    { method: "event", params: { type, payload: settled } },
    requestMessage("ApprovalRequest", next),
  );
  // The request came later, so its answer would come later too.
  await takeResponse(turn.agent, next.id);
  await finish(turn);
  wantNoAnswer(turn, payload);
}

/** Checks that a client says nothing beyond what its person does. */
export const silenceChecks: readonly ClientCheck[] = [
  ours(
    check(
      "C68",
      "A client whose person only answers sends one prompt, no steer and no cancel",
      [],
      async (context) => {
        const turn = await startTurn(context, { answer: { choose: [["Yes"]], approve: "reject" } });
        await wantGoesOn(turn);
        const payload = approvalPayload();
        turn.agent.send(requestMessage("ApprovalRequest", payload));
        await takeResponse(turn.agent, payload.id);
        await finish(turn);
        const own = ["prompt", "steer", "cancel"];
        const said = turn.agent.messages.flatMap(({ method }) =>
          own.includes(String(method)) ? [method] : [],
        );
        wantSame("what the client asks for", said, ["prompt"]);
      },
    ),
  ),

  ours(
    check(
      "C69",
      "The event TurnEnd ends no turn: the client goes on until its prompt has a result",
      [],
      async (context) => {
        const { client, agent, prompt } = await startTurn(context);
        agent.send(eventMessage("TurnEnd", {}));
        await untilRead(agent);
        agent.send({ id: prompt.id, result: { status: "finished" } });
        client.act({ do: "end" });
        await wantEnd(client, agent);
      },
    ),
  ),
];

/** Checks that a client sends no late answer to a question. */
export const questionSilenceChecks: readonly ClientCheck[] = [
  ours(
    check(
      "C70",
      "A question whose tool call has its result is taken from the person: no answer to it comes",
      ["P-CLI-1"],
      async (context) => {
        const turn = await startTurn(context, { answer: slow });
        const payload = questionPayload([goOn]);
        turn.agent.send(
          toolCall(payload.tool_call_id, "AskUserQuestion"),
          requestMessage("QuestionRequest", payload),
          toolResultMessage(payload.tool_call_id, "{}"),
        );
        // The question came later, so its answer would come later too.
        await askClient(turn);
        await finish(turn);
        wantNoAnswer(turn, payload);
      },
    ),
  ),

  ours(
    check(
      "C71",
      "A question and an approval that are open when the turn ends are not answered after it",
      ["P-CLI-1"],
      async (context) => {
        const turn = await startTurn(context, { answer: never });
        const question = questionPayload([goOn]);
        const approval = approvalPayload();
        turn.agent.send(
          requestMessage("QuestionRequest", question),
          requestMessage("ApprovalRequest", approval),
        );
        await untilRead(turn.agent);
        await finish(turn);
        for (const payload of [question, approval]) wantNoAnswer(turn, payload);
      },
    ),
  ),
];

/** Checks that a client sends no late answer to an approval. */
export const approvalSilenceChecks: readonly ClientCheck[] = [
  ours(
    check(
      "C72",
      "An approval that was answered elsewhere is taken from the person: no answer to it comes, whichever name its event has",
      ["P-CLI-1", "P-MSG-9"],
      async (context) => {
        await settlesElsewhere(context, "ApprovalResponse");
        await settlesElsewhere(context, "ApprovalRequestResolved");
      },
    ),
  ),
];
