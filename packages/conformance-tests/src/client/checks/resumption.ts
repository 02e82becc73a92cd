import { randomUUID } from "node:crypto";
import { hasMembers, want, wantSame } from "../../contract/expectations.js";
import {
  accept,
  answersById,
  goesOn,
  questionById,
  receives,
  settledBy,
  show,
  takeAnswer,
  takeReceipt,
  takeRelease,
  wantChosen,
} from "../answers-by-id.js";
import { type ClientCheck, check } from "../client-check.js";
import { asksFor, takeResponse } from "../conversation.js";
import {
  attachAgain,
  comeBack,
  finishExtended,
  promptedAgain,
  startConnected,
  untilRead,
  wantEndAlone,
} from "../extended-turn.js";
import type { ClientLine } from "../line.js";
import { approvalPayload } from "../server-messages.js";
import { OFFERED_TOOL, toolCallById, wantRun } from "../tool-calls.js";

/** Longer than the first wait before a client connects again. */
const SLOW_MS = 3_000;
const slow = { choose: [["Yes"]], approve: "approve", after_ms: SLOW_MS } as const;
/** Shorter than that wait. */
const soon = { ...slow, after_ms: 100 } as const;

function wantNoAnswer({ messages }: ClientLine, { id }: { readonly id: string }): void {
  const late = messages.find(answersById(id));
  want(late === undefined, "no answer to what the person does not have any more", late);
}

/** Something else under the same id: other words, and other ids of its options. */
function askedOtherwise(payload: ReturnType<typeof questionById>): ReturnType<typeof questionById> {
  const questions = payload.questions.map((question) => ({
    ...question,
    question: `${question.question} And now?`,
    options: question.options.map((option) => ({ ...option, id: `${option.id}-now` })),
  }));
  return { ...payload, questions };
}

/** CX24 to CX31, CX37, CX38 and CX40 to CX42: the state that an extended client keeps over its connections, or drops. */
export const clientResumptionChecks: readonly ClientCheck[] = [
  check(
    "CX24",
    "An answer whose reply was lost is sent again after the next attach with the same answer_id, and once it has its reply no more",
    ["P-XCL-3"],
    async (context) => {
      const turn = await startConnected(context);
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      const first = await takeAnswer(turn.line, payload.id);
      turn.line.drop();
      const again = await comeBack(turn);
      const second = await takeAnswer(again.line, payload.id);
      wantSame("the answer that is sent again", second.params, first.params);
      accept(again, second);
      await goesOn(again);
      again.line.drop();
      const last = await comeBack(again);
      await goesOn(last);
      await finishExtended(last);
      wantNoAnswer(last.line, payload);
    },
  ),

  check(
    "CX25",
    "An answer that the person gives while there is no connection is sent after the next attach",
    ["P-XCL-3"],
    async (context) => {
      const turn = await startConnected(context, { answer: soon });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      turn.line.drop();
      const again = await comeBack(turn);
      accept(again, await takeAnswer(again.line, payload.id));
      await goesOn(again);
      await finishExtended(again);
      wantSame("the number of answers", again.line.messages.filter(answersById(payload.id)).length, 1);
    },
  ),

  check(
    "CX26",
    "A question that is before the person when the connection is lost, and pending after it, is asked once and answered once",
    ["P-XCL-6", "P-XAN-1"],
    async (context) => {
      const turn = await startConnected(context, { answer: slow });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      turn.line.drop();
      (await turn.client.knocked()).refuse(503);
      const again = await comeBack(turn);
      const from = performance.now();
      accept(again, await takeAnswer(again.line, payload.id));
      // The two waits since the question take 750 ms at least.
      const expected = `the answer ${SLOW_MS} ms after it was asked`;
      const waited = performance.now() - from;
      want(waited < SLOW_MS - 300, expected, `one ${waited.toFixed(0)} ms after the client came back`);
      await finishExtended(again);
      wantSame("the number of answers", again.line.messages.filter(answersById(payload.id)).length, 1);
      const receipt = again.line.messages.find(receives(payload.id));
      want(receipt === undefined, "no second receipt", receipt);
    },
    2 * SLOW_MS,
  ),

  check(
    "CX37",
    "Where a question that the person has comes again after a reset, its receipt comes again, and it is answered once",
    ["P-XCL-6"],
    async (context) => {
      const turn = await startConnected(context, { answer: slow });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      await takeReceipt(turn.line, payload.id);
      turn.line.drop();
      const again = await comeBack(turn, { reset: true });
      again.line.send(turn.session.again("QuestionRequest", payload));
      await takeReceipt(again.line, payload.id);
      accept(again, await takeAnswer(again.line, payload.id));
      await finishExtended(again);
      wantSame("the number of answers", again.line.messages.filter(answersById(payload.id)).length, 1);
    },
    SLOW_MS,
  ),

  check(
    "CX38",
    "A release whose reply was lost is sent again after the next attach",
    ["P-XCL-6"],
    async (context) => {
      const turn = await startConnected(context);
      const broken = { id: "b-1", ...{ questions: "all" } };
      turn.line.send(turn.session.opens("QuestionRequest", broken));
      await takeRelease(turn.line, broken.id);
      turn.line.drop();
      const again = await comeBack(turn);
      const { id } = await takeRelease(again.line, broken.id);
      const outcome = {
        status: "unavailable",
        reason: "protocol_error",
        by: "system",
        at: new Date().toISOString(),
      };
      again.line.send(turn.session.settles(broken.id, "question", outcome), { id, result: {} });
      await goesOn(again);
      await finishExtended(again);
    },
  ),

  check(
    "CX27",
    "What is not in pending after an attach is taken from the person: no answer to it comes",
    ["P-XCL-6"],
    async (context) => {
      const turn = await startConnected(context, { answer: slow });
      const question = questionById();
      const approval = approvalPayload();
      show(turn, "QuestionRequest", question);
      show(turn, "ApprovalRequest", approval);
      turn.line.drop();
      const again = await comeBack(turn, { pending: [] });
      // The request comes later, and so does its answer.
      await goesOn(again);
      await finishExtended(again);
      for (const payload of [question, approval]) wantNoAnswer(again.line, payload);
    },
    2 * SLOW_MS,
  ),

  check(
    "CX40",
    "A question that opens behind an attach, and so is not in its pending, stays before the person and is answered",
    ["P-XCL-6"],
    async (context) => {
      const turn = await startConnected(context, { answer: soon });
      const payload = questionById();
      turn.line.drop();
      const again = await attachAgain(turn, {}, (session) => [
        session.event("StatusUpdate", { context_usage: 0.5 }),
        session.opens("QuestionRequest", payload),
        session.event("StatusUpdate", { context_usage: 0.6 }),
      ]);
      const back = await promptedAgain(again);
      accept(back, await takeAnswer(back.line, payload.id));
      await finishExtended(back);
    },
  ),

  check(
    "CX41",
    "A question that comes again under the id of one that the person has, and asks something else, is put to them anew and answered for what it asks",
    ["P-XCL-6"],
    async (context) => {
      const turn = await startConnected(context, { answer: slow });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      await takeReceipt(turn.line, payload.id);
      turn.line.drop();
      const again = await comeBack(turn, { reset: true });
      const other = askedOtherwise(payload);
      again.line.send(turn.session.again("QuestionRequest", other));
      await takeReceipt(again.line, payload.id);
      const answer = await takeAnswer(again.line, payload.id);
      wantChosen(answer, other, [["Yes"]]);
      accept(again, answer);
      await finishExtended(again);
      wantSame("the number of answers", again.line.messages.filter(answersById(payload.id)).length, 1);
    },
    2 * SLOW_MS,
  ),

  check(
    "CX42",
    "What the person answered without a connection is not sent to a question that comes after a reset under the same id and asks something else",
    ["P-XCL-6", "P-XCL-3"],
    async (context) => {
      const turn = await startConnected(context, { answer: soon });
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      turn.line.drop();
      const again = await comeBack(turn, { reset: true });
      const other = askedOtherwise(payload);
      again.line.send(turn.session.again("QuestionRequest", other));
      const answer = await takeAnswer(again.line, payload.id);
      wantChosen(answer, other, [["Yes"]]);
      accept(again, answer);
      await finishExtended(again);
      wantSame("the number of answers", again.line.messages.filter(answersById(payload.id)).length, 1);
    },
    SLOW_MS,
  ),

  check(
    "CX28",
    "After a reset the client drops what is not pending; its prompt is not sent again to another stream, and to the same one only as the same turn",
    ["P-XCL-6", "P-XCL-7"],
    async (context) => {
      for (const stream of [undefined, randomUUID()]) {
        const turn = await startConnected(context, { answer: slow });
        const payload = questionById();
        show(turn, "QuestionRequest", payload);
        turn.line.drop();
        const again = await attachAgain(turn, { reset: true, pending: [], ...(stream && { stream }) });
        const prompted = again.line.take("a prompt", asksFor("prompt")).catch(() => undefined);
        const prompt = await Promise.race([prompted, again.client.ended()]);
        if (prompt === undefined) await wantEndAlone(again.client);
        else {
          const expected = "no prompt after a reset, since nobody knows whether it ran";
          want(
            stream === undefined && hasMembers(prompt.params, { turn_id: turn.session.turnId }),
            expected,
            prompt,
          );
          // A kept request would be answered before this.
          await goesOn(again);
          await finishExtended({ ...again, prompt });
        }
        wantNoAnswer(again.line, payload);
      }
    },
    2 * SLOW_MS,
  ),

  check(
    "CX29",
    "A prompt without a result is sent again after an attach to the same stream, with the same turn_id and the same input",
    ["P-XCL-7"],
    async (context) => {
      const turn = await startConnected(context);
      await goesOn(turn);
      turn.line.drop();
      const again = await comeBack(turn);
      wantSame("the prompt that is sent again", again.prompt.params, turn.prompt.params);
      await goesOn(again);
      await finishExtended(again);
      wantSame("the number of prompts", again.line.messages.filter(asksFor("prompt")).length, 1);
    },
  ),

  check(
    "CX30",
    "An event whose number the client has had is dropped, whatever it says, and is no hole",
    ["P-XCL-4"],
    async (context) => {
      const turn = await startConnected(context, { answer: { ...slow, after_ms: 300 } });
      const { line, session, client } = turn;
      const payload = questionById();
      show(turn, "QuestionRequest", payload);
      const settled = { request_id: payload.id, kind: "question", outcome: settledBy("somebody else") };
      const params = { type: "InteractionSettled", payload: settled };
      for (const seq of [1, session.seq]) line.send({ method: "event", params: { ...params, seq } });
      accept(turn, await takeAnswer(line, payload.id));
      await goesOn(turn);
      await finishExtended(turn);
      wantSame("the number of further connections", client.door.waiting, 0);
    },
  ),

  check(
    "CX31",
    "A tool that still runs when the connection is lost runs once: its answer comes once, on the newest connection",
    ["P-XTH-2"],
    async (context) => {
      const turn = await startConnected(context, { tool: OFFERED_TOOL, answer: slow });
      const call = toolCallById(turn.introduced);
      turn.line.send(turn.session.opens("ToolCallRequest", call));
      await untilRead(turn.line);
      turn.line.drop();
      const again = await comeBack(turn);
      const request = again.session.again("ToolCallRequest", call);
      again.line.send(request);
      wantRun(await takeResponse(again.line, call.id), 1);
      again.line.send(request);
      wantRun(await takeResponse(again.line, call.id), 1);
      await finishExtended(again);
    },
    2 * SLOW_MS,
  ),
];
