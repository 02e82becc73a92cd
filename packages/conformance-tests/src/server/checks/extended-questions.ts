import { ExtendedQuestionRequest } from "@askwire/protocol";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  awaitToolResult,
  openQuestion,
  sendPrompt,
  wantError,
  wantNone,
  wantOrder,
  wantResult,
} from "../conversation.js";
import {
  answerById,
  choosing,
  introduceExtended,
  openQuestionById,
  sendAnswer,
  settlement,
  shownRequest,
  wantRefused,
  wantSettled,
} from "../extended.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour, size } from "../scripts.js";

const question = wantedRequest("QuestionRequest");

/** Two labels that a text of labels cannot always tell apart. */
const shapes = {
  question: "Which shapes?",
  options: [{ label: "Small, round" }, { label: "Large" }],
  multi_select: true,
};

/** X11 to X17: questions by id, and what a client says to them. */
export const extendedQuestionChecks: readonly ServerCheck[] = [
  {
    id: "X11",
    title:
      "an extended client sees an id for each question and option, by position, and whether own text counts",
    rules: ["P-XQS-1", "P-QST-2"],
    async run(context) {
      const options = { scripts: [askingLine([colour, size], "tc-7"), "text: Thanks."] };
      const { question: asked } = await openQuestionById(context, options);
      const empty = { body: "", other_label: "", other_description: "" };
      const read = ExtendedQuestionRequest.safeParse(payloadOf(asked));
      want(read.success, "a payload of QuestionRequest", payloadOf(asked));
      // A member that has its default may be left out.
      const questions = read.data.questions.map((each) => ({ own_text: true, ...each }));
      wantMembers(
        "the payload of QuestionRequest",
        { ...payloadOf(asked), questions },
        {
          id: asked.id,
          tool_call_id: "tc-7",
          questions: [
            {
              ...empty,
              id: "q1",
              own_text: true,
              question: "Which colour?",
              header: "Colour",
              options: [
                { id: "q1_o1", label: "Red", description: "" },
                { id: "q1_o2", label: "Blue", description: "like the sea" },
              ],
              multi_select: false,
            },
            {
              ...empty,
              id: "q2",
              own_text: true,
              question: "Which sizes?",
              header: "",
              options: [
                { id: "q2_o1", label: "Small", description: "" },
                { id: "q2_o2", label: "Large", description: "" },
              ],
              multi_select: true,
            },
          ],
        },
      );
    },
  },
  {
    id: "X12",
    title:
      "several labels with a comma: said by id they are clear; in words the result lists multi_label as degraded",
    rules: ["P-XQS-3"],
    async run(context) {
      const options = { scripts: [askingLine([shapes]), "text: Thanks."] };
      const output = '{"answers": {"Which shapes?": "Small, round, Large"}}';
      const byId = await openQuestionById(context, options);
      const items = choosing(byId.question, ["Small, round", "Large"]);
      const outcome = await answerById(byId.server, byId.question, { items });
      want(!("degraded" in outcome), "nothing degraded for an extended client", outcome);
      const whole = await awaitToolResult(byId.server);
      wantSame("the output", whole.output, output);
      want(!degradedIn(whole), "nothing degraded in the result of the tool", whole);

      const inWords = await openQuestion(context, options);
      answer(inWords.server, inWords.question, { "Which shapes?": "Small, round, Large" });
      const result = await awaitToolResult(inWords.server);
      wantSame("the output", result.output, output);
      wantSame("degraded in the extras of the result", degradedIn(result), [
        { question_id: "q1", feature: "multi_label" },
      ]);
    },
  },
  {
    id: "X13",
    title:
      "a receipt leaves a question open; released by its only client it ends unavailable, with the reason that was given",
    rules: ["P-XAN-1", "P-XAN-9", "P-INT-5"],
    async run(context) {
      const reasons = ["unsupported", "limit", "protocol_error", undefined];
      const scripts = [...reasons, "none"].flatMap((_, index) => [
        askingLine(undefined, `tc-${index}`),
        "text: Hm.",
      ]);
      const server = await introduceExtended(context, { scripts });
      for (const [index, reason] of reasons.entries()) {
        const running = sendPrompt(server);
        const { id } = await server.next(question);
        const params = { request_id: id, ...(reason !== undefined && { reason }) };
        wantSame("the result of release", resultOf(await server.call("release", params)), {});
        const outcome = { status: "unavailable", reason: reason ?? "protocol_error", by: "system" };
        await wantSettled(server, id, outcome);
        wantMembers("the result of the tool", await awaitToolResult(server, `tc-${index}`), {
          is_error: true,
        });
        await wantResult(server, running, { status: "finished" });
      }
      const running = sendPrompt(server);
      const asked = await shownRequest(server, question);
      await server.quiet();
      wantNone(server, wantedEvent("InteractionSettled", { request_id: asked.id }));
      await wantError(server, server.request("release", { request_id: asked.id, reason: "bored" }), -32602);
      await answerById(server, asked, { items: choosing(asked, ["Red"]) });
      await wantResult(server, running, { status: "finished" });
    },
  },
  {
    id: "X14",
    title:
      "answer by ids: the reply is InteractionSettled, before ToolResult, with the texts that the ids stand for",
    rules: ["P-XAN-2", "P-XAN-7", "P-XST-1", "P-OUT-3"],
    async run(context) {
      const options = { scripts: [askingLine([colour, size]), "text: Thanks."] };
      const { server, question: asked, turn } = await openQuestionById(context, options);
      const [one, several] = choosing(asked, ["Red"], ["Small", "Large"]);
      const items = [{ ...several, own_text: "tiny" }, one];
      // Its own map would say something else.
      const words = { items, answers: { "Which colour?": "Blue" } };
      const reply = resultOf(await server.response(sendAnswer(server, asked, words)));
      want(isObject(reply) && isObject(reply.outcome), "an outcome", reply);
      want(Number.isInteger(reply.seq), "the number of InteractionSettled in the reply to the answer", reply);
      const { outcome } = reply;
      wantMembers("the outcome", outcome, {
        status: "answered",
        by: "human",
        client: { name: "conformance" },
      });
      want(/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(String(outcome.at)), "a time in ISO 8601 as at", outcome);
      const told = await settlement(server, asked.id);
      const answers = { "Which colour?": "Red", "Which sizes?": "Small, Large, tiny" };
      wantMembers("InteractionSettled", payloadOf(told), { kind: "question", response: { answers } });
      wantSame("its outcome", payloadOf(told).outcome, outcome);
      const { items: settled } = payloadOf(told).response as { items?: unknown };
      want(Array.isArray(settled) && settled.every(isObject), "the items in the response", payloadOf(told));
      wantSame(
        "the questions and options of its items",
        Object.fromEntries(settled.map(({ question_id, selected }) => [question_id, selected])),
        { q1: ["q1_o1"], q2: ["q2_o1", "q2_o2"] },
      );
      const result = await server.next(wantedEvent("ToolResult"));
      wantOrder(server, "InteractionSettled, then ToolResult", told, result);
      wantMembers("ToolResult", payloadOf(result), {
        return_value: {
          output: '{"answers": {"Which colour?": "Red", "Which sizes?": "Small, Large, tiny"}}',
        },
      });
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X15",
    title: "declined is dismissed where it says no reason, and with discuss the note reaches the model",
    rules: ["P-XAN-2", "P-KIM-7"],
    async run(context) {
      const scripts = [askingLine(), askingLine(undefined, "tc-2"), "text: Well."];
      const { server, question: first, turn } = await openQuestionById(context, { scripts });
      const dismissed = await answerById(server, first, { outcome: { status: "declined" } });
      wantMembers("the outcome", dismissed, { status: "declined", reason: "dismissed", by: "human" });
      const { output } = await awaitToolResult(server);
      wantSame(
        "the output",
        output,
        '{"answers": {}, "note": "User dismissed the question without answering."}',
      );
      const second = await shownRequest(server, question);
      const words = { status: "declined", reason: "discuss", note: "in which room?" };
      wantMembers("the outcome", await answerById(server, second, { outcome: words }), words);
      const result = await awaitToolResult(server, "tc-2");
      want(String(result.output).includes("in which room?"), "the note in the output", result);
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X16",
    title: "touch changes nothing where there is no deadline, and is refused as an answer would be",
    rules: ["P-XDL-3"],
    async run(context) {
      const { server, question: asked, turn } = await openQuestionById(context);
      want(!("deadline" in payloadOf(asked)), "no deadline where none was set", payloadOf(asked));
      const touch = (request_id: unknown) => server.request("touch", { request_id });
      wantSame("the result of touch", resultOf(await server.response(touch(asked.id))), {});
      await wantError(server, touch("00000000-0000-4000-8000-000000000000"), -32011);
      wantNone(server, wantedEvent("InteractionUpdated"));
      const id = sendAnswer(server, asked, { items: choosing(asked, ["Red"]) });
      resultOf(await server.response(id));
      await wantRefused(server, touch(asked.id), -32010);
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X17",
    title:
      "release takes the client off what it can show no more, with its message as the note of the outcome",
    rules: ["P-XAN-9", "P-INT-5"],
    async run(context) {
      const { server, question: asked, turn } = await openQuestionById(context);
      const release = (request_id: unknown) =>
        server.request("release", { request_id, message: "the panel broke" });
      await wantError(server, release("00000000-0000-4000-8000-000000000000"), -32011);
      wantSame("the result of release", resultOf(await server.response(release(asked.id))), {});
      await wantSettled(server, asked.id, {
        status: "unavailable",
        reason: "protocol_error",
        note: "the panel broke",
      });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: true });
      await wantRefused(server, release(asked.id), -32010);
      await wantResult(server, turn, { status: "finished" });
    },
  },
];

function degradedIn({ extras }: Record<string, unknown>): unknown {
  return isObject(extras) ? extras.degraded : undefined;
}
