import type { ApprovalKind } from "@askwire/protocol";
import { CheckSkipped } from "../../contract/check.js";
import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import {
  accept,
  answersById,
  asQuestions,
  goesOn,
  questionById,
  receives,
  type SaidById,
  settledBy,
  show,
  takeAnswer,
  takeReceipt,
  wantChosen,
  wantFitting,
} from "../answers-by-id.js";
import { type ClientCheck, check } from "../client-check.js";
import type { ClientContext } from "../client-context.js";
import { takeResponse } from "../conversation.js";
import { askwireOf, type ExtendedTurn, finishExtended, startExtended } from "../extended-turn.js";
import type { ClientMessage } from "../line.js";
import type { PersonAnswer } from "../person/reactions.js";
import { approvalPayload, goOn, type PlayedQuestion, toolResultMessage } from "../server-messages.js";
import { OFFERED_TOOL, toolCallById, wantRun } from "../tool-calls.js";

const license: PlayedQuestion = { question: "Which license?", labels: ["MIT", "Apache-2.0"] };
const parts: PlayedQuestion = {
  question: "Which parts?",
  labels: ["Tests", "Docs", "CI, nightly"],
  multi_select: true,
};

/** The ways to answer an approval of which one allows this call alone. */
const ways = [
  { id: "once", label: "Run it", kind: "allow" },
  { id: "not", label: "Leave it", kind: "reject" },
] as const;

/** A turn with one question, whose answer is looked at before it counts. */
async function answeredById(
  context: ClientContext,
  asked: readonly PlayedQuestion[],
  answer: PersonAnswer,
  look: (said: SaidById, payload: ReturnType<typeof questionById>, turn: ExtendedTurn) => void,
): Promise<void> {
  const turn = await startExtended(context, { answer });
  const payload = questionById(asked);
  show(turn, "QuestionRequest", payload);
  const said = await takeAnswer(turn.line, payload.id);
  look(said, payload, turn);
  wantFitting(said, asQuestions(payload), turn);
  accept(turn, said);
  await finishExtended(turn);
  const order = turn.line.messages.flatMap((message) =>
    receives(payload.id)(message) ? ["received"] : answersById(payload.id)(message) ? ["answer"] : [],
  );
  const expected = order.length === 1 ? ["answer"] : ["received", "answer"];
  wantSame("what comes, in this order", order, expected);
}

async function approvesById(context: ClientContext, kind: ApprovalKind, ownText?: string): Promise<void> {
  const answer = { choose: [], approve: kind, ...(ownText === undefined ? {} : { own_text: ownText }) };
  const turn = await startExtended(context, { answer });
  const payload = approvalPayload();
  show(turn, "ApprovalRequest", payload);
  const said = await takeAnswer(turn.line, payload.id);
  const { response, feedback = "" } = said.params;
  wantSame("response", response, kind);
  const fits = feedback === "" || feedback === ownText;
  want(fits, ownText === undefined ? "no feedback" : `the feedback "${ownText}", or none`, feedback);
  wantFitting(said, { kind: "approval" }, turn);
  accept(turn, said, "approval");
  await finishExtended(turn);
}

/** The person's time in checks of messages before the answer. */
const SLOW_MS = 300;
const slow = { choose: [["Yes"]], approve: "approve", after_ms: SLOW_MS } as const;

/** CX06 to CX14: how an extended client answers. */
export const clientExtendedAnswerChecks: readonly ClientCheck[] = [
  check(
    "CX06",
    "A question is answered by the ids of its questions and options, also where two texts are equal",
    ["P-XAN-1", "P-XAN-2", "P-XAN-7"],
    async (context) => {
      const look =
        (labels: readonly (readonly string[])[], ownText?: string) =>
        (said: SaidById, payload: ReturnType<typeof questionById>) =>
          wantChosen(said, payload, labels, ownText);
      const twice = [["Yes"], ["No"]];
      await answeredById(context, [goOn, goOn], { choose: twice }, look(twice));
      const several = [["CI, nightly", "Tests"]];
      await answeredById(context, [parts], { choose: several, own_text: "a logo" }, look(several, "a logo"));
    },
  ),

  check(
    "CX07",
    "While a person takes their time, the receipt has come already, once",
    ["P-XAN-1"],
    async (context) => {
      const turn = await startExtended(context, { answer: slow });
      const question = questionById();
      const approval = approvalPayload();
      const from = performance.now();
      const { line, session } = turn;
      line.send(session.opens("QuestionRequest", question), session.opens("ApprovalRequest", approval));
      for (const { id } of [question, approval]) await takeReceipt(line, id);
      const said = await takeAnswer(line, question.id);
      const words = ({ method }: ClientMessage) => method === "received" || method === "answer";
      const order = line.messages.filter(words).map(({ method }) => method);
      wantSame("what comes first", order.slice(0, 3), ["received", "received", "answer"]);
      const waited = performance.now() - from;
      want(
        waited > SLOW_MS - 20,
        `an answer after ${SLOW_MS} ms, as after_ms says`,
        `${waited.toFixed(0)} ms`,
      );
      accept(turn, said);
      accept(turn, await takeAnswer(line, approval.id), "approval");
      await finishExtended(turn);
      wantSame(
        "the number of receipts",
        line.messages.filter(({ method }) => method === "received").length,
        2,
      );
    },
  ),

  check(
    "CX08",
    "An approval is answered with approve, approve_for_session or reject as response",
    ["P-XAN-1", "P-XAN-2"],
    async (context) => {
      await approvesById(context, "approve");
      await approvesById(context, "approve_for_session");
      await approvesById(context, "reject", "it would take an hour");
    },
  ),

  check(
    "CX39",
    "An approval with options is answered by an option, by a client that declares approval_options",
    ["P-XCL-1"],
    async (context) => {
      const turn = await startExtended(context);
      if (askwireOf(turn.introduced)?.approval_options !== true)
        throw new CheckSkipped("it does not declare approval_options, so it is sent no options", {
          isChoice: true,
        });
      const payload = { ...approvalPayload(), options: ways };
      show(turn, "ApprovalRequest", payload);
      const said = await takeAnswer(turn.line, payload.id);
      wantFitting(said, { kind: "approval", options: ways }, turn);
      wantSame("option", said.params.option, "once");
      accept(turn, said, "approval");
      await finishExtended(turn);
    },
  ),

  check("CX09", "A question that the person closes is declined, without items", ["P-XAN-2"], (context) =>
    answeredById(context, [goOn, license], { choose: [[], []], dismiss: true }, ({ params }) => {
      wantMembers("outcome", params.outcome, { status: "declined" });
    }),
  ),

  check(
    "CX10",
    "A question that the person leaves out is skipped by a client that declares skip",
    ["P-XCL-1", "P-XNG-2"],
    async (context) => {
      const choose = [[], ["MIT"]];
      await answeredById(context, [goOn, license], { choose }, (said, payload, { introduced }) => {
        if (askwireOf(introduced)?.skip !== true)
          throw new CheckSkipped("it does not declare skip, so its person leaves no question out", {
            isChoice: true,
          });
        wantChosen(said, payload, choose);
      });
    },
  ),

  check(
    "CX35",
    "A question is the person's until it is settled, and not until its tool call has a result",
    ["P-XCL-8"],
    async (context) => {
      const turn = await startExtended(context, { answer: slow });
      const { line, session } = turn;
      const payload = questionById();
      const { params } = toolResultMessage(payload.tool_call_id, "asked in the background");
      show(turn, "QuestionRequest", payload);
      line.send(session.event(params.type, params.payload));
      accept(turn, await takeAnswer(line, payload.id));
      await finishExtended(turn);
    },
  ),

  check(
    "CX11",
    "After an answer is refused with -32013 the request is open: the corrected answer has another answer_id",
    ["P-XCL-3"],
    async (context) => {
      const turn = await startExtended(context);
      const { line } = turn;
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      const first = await takeAnswer(line, payload.id);
      const issues = [
        { question_id: payload.questions[0]?.id, code: "missing", message: "choose once more" },
      ];
      line.send({
        id: first.id,
        error: { code: -32013, message: "the answer does not fit", data: { issues } },
      });
      turn.client.act({ do: "answer", request_id: payload.id, choose: [["Yes"]] }, [goOn.question]);
      const second = await takeAnswer(line, payload.id);
      want(second.params.answer_id !== first.params.answer_id, "another answer_id", second.params);
      accept(turn, second);
      await finishExtended(turn);
    },
  ),

  check(
    "CX12",
    "An answer that came too late (-32010), or to nothing (-32011), is not sent again, and does no harm",
    ["P-XAN-3"],
    async (context) => {
      const turn = await startExtended(context);
      const { line } = turn;
      const outcome = settledBy("somebody else");
      for (const error of [
        { code: -32010, message: "already resolved", data: { outcome } },
        { code: -32011, message: "unknown request" },
      ]) {
        const payload = questionById();
        show(turn, "QuestionRequest", payload);
        line.send({ id: (await takeAnswer(line, payload.id)).id, error });
        await goesOn(turn);
        wantSame("the number of answers", line.messages.filter(answersById(payload.id)).length, 1);
      }
      await finishExtended(turn);
    },
  ),

  check(
    "CX13",
    "A question and an approval that were settled elsewhere are taken from the person: no answer to them comes",
    ["P-XCL-8"],
    async (context) => {
      const turn = await startExtended(context, { answer: slow });
      const { line, session } = turn;
      const question = questionById();
      const approval = approvalPayload();
      const outcome = settledBy("somebody else");
      line.send(
        session.opens("QuestionRequest", question),
        session.opens("ApprovalRequest", approval),
        session.settles(question.id, "question", outcome),
        session.settles(approval.id, "approval", outcome),
      );
      // The request came later, so its answer would come later too.
      await goesOn(turn);
      await finishExtended(turn);
      for (const { id } of [question, approval]) {
        const late = line.messages.find(answersById(id));
        want(late === undefined, "no answer to what was settled elsewhere", late);
      }
    },
  ),

  check(
    "CX14",
    "A tool call with the request_id of one that was answered is answered likewise, and the tool does not run again",
    ["P-XTH-2"],
    async (context) => {
      const turn = await startExtended(context, { tool: OFFERED_TOOL });
      const call = toolCallById(turn.introduced);
      for (const asked of [
        turn.session.opens("ToolCallRequest", call),
        turn.session.again("ToolCallRequest", call),
      ]) {
        turn.line.send(asked);
        wantRun(await takeResponse(turn.line, call.id), 1);
      }
      const other = toolCallById(turn.introduced);
      turn.line.send(turn.session.opens("ToolCallRequest", other));
      wantRun(await takeResponse(turn.line, other.id), 2);
      await finishExtended(turn);
    },
  ),
];
