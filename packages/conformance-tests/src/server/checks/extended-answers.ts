import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import { awaitToolResult, reply, sendPrompt, wantError, wantOrder, wantResult } from "../conversation.js";
import {
  answerById,
  choosing,
  extendedIntroduction,
  introduceExtended,
  openQuestionById,
  sendAnswer,
  settlement,
  shownRequest,
  wantRefused,
} from "../extended.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { calls, writes } from "../scripts.js";
import { look, seen } from "../tools.js";

const unknownRequest = "00000000-0000-4000-8000-000000000000";

/** X21, X22, X24, X26 and X27: which answers count, and which are refused. */
export const serverExtendedAnswerChecks: readonly ServerCheck[] = [
  {
    id: "X21",
    title: "a client that states what only the server may state gets -32014, and the question stays open",
    rules: ["P-XAN-2", "P-OUT-2"],
    async run(context) {
      const { server, question, turn } = await openQuestionById(context);
      const items = choosing(question, ["Red"]);
      const client = { name: "somebody", connection: "else" };
      for (const outcome of [
        { status: "expired", reason: "deadline" },
        { status: "withdrawn", reason: "interrupted" },
        { status: "unavailable", reason: "unattended" },
        { status: "answered", by: "policy" },
        { status: "answered", client },
        { status: "answered", at: "2030-01-01T00:00:00Z" },
        { status: "answered", degraded: [] },
      ])
        await wantRefused(server, sendAnswer(server, question, { outcome, items }), -32014);
      wantMembers("the outcome", await answerById(server, question, { items }), { by: "human" });
      await wantResult(server, turn, { status: "finished" });
    },
  },
  {
    id: "X22",
    title:
      "a late answer gets -32010 with the outcome, one to an unknown request -32011, to a tool call -32014",
    rules: ["P-XAN-3", "P-INT-2"],
    async run(context) {
      const { server, question, turn } = await openQuestionById(context);
      const items = choosing(question, ["Red"]);
      await wantRefused(server, sendAnswer(server, { id: unknownRequest }, { items }), -32011);
      const outcome = await answerById(server, question, { items });
      const late = { items: choosing(question, ["Blue"]) };
      const data = await wantRefused(server, sendAnswer(server, question, late), -32010);
      wantSame("data of the late answer", data, { outcome });
      wantSame("the output", (await awaitToolResult(server)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(server, turn, { status: "finished" });

      const scripts = [calls("look", { where: "garden" }), "text: Seen."];
      const withTool = await introduceExtended(
        context,
        { scripts },
        { ...extendedIntroduction(), external_tools: [look] },
      );
      const running = sendPrompt(withTool);
      const call = await withTool.next(wantedRequest("ToolCallRequest"));
      const named = { id: payloadOf(call).request_id };
      await wantRefused(withTool, sendAnswer(withTool, named, { response: "approve" }), -32014);
      reply(withTool, call.id, { tool_call_id: call.id, return_value: seen });
      wantMembers("the result of the tool", await awaitToolResult(withTool), { is_error: false });
      await wantResult(withTool, running, { status: "finished" });
    },
  },
  {
    id: "X24",
    title: "an answer_id that was used gets its first reply again, refused or accepted, and changes nothing",
    rules: ["P-XAN-5"],
    async run(context) {
      const { server, question, turn } = await openQuestionById(context);
      const send = async (answer_id: string, items: unknown) =>
        await server.response(sendAnswer(server, question, { answer_id, items }));
      const [red, blue] = [choosing(question, ["Red"]), choosing(question, ["Blue"])];
      wantMembers("an error", await send("x".repeat(129), red), { error: { code: -32602 } });
      const refused = await send("first", []);
      wantMembers("an error", refused, { error: { code: -32013 } });
      wantSame("the reply to the same answer_id", (await send("first", red)).error, refused.error);
      const accepted = resultOf(await send("x".repeat(128), red));
      const { outcome } = accepted as { outcome?: unknown };
      wantSame("the reply to the same answer_id", resultOf(await send("x".repeat(128), blue)), { outcome });
      wantMembers("an error", await send("another", red), { error: { code: -32010 } });
      wantSame("the output", (await awaitToolResult(server)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(server, turn, { status: "finished" });
      const settled = server.messages.filter(wantedEvent("InteractionSettled").fits);
      want(settled.length === 1, "one InteractionSettled", settled);
    },
  },
  {
    id: "X26",
    isExact: true,
    title:
      "after 256 refused answers a connection gets -32020 for answers; the question stays, and cancel works",
    rules: ["P-XAN-8"],
    isAdvice: true,
    async run(context) {
      const { server, question, turn } = await openQuestionById(context);
      const items = choosing(question, ["Red"]);
      const flood = Array.from({ length: 256 }, () => sendAnswer(server, { id: unknownRequest }, { items }));
      for (const id of flood) await wantError(server, id, -32011);
      const overloaded = { error: { code: -32020, data: { limit: "refusedAnswers" } } };
      for (const asked of [{ id: unknownRequest }, question])
        wantMembers("an error", await server.response(sendAnswer(server, asked, { items })), overloaded);
      wantSame("the result of cancel", resultOf(await server.call("cancel")), {});
      const told = await settlement(server, question.id);
      wantMembers("InteractionSettled", payloadOf(told), {
        outcome: { status: "withdrawn", reason: "interrupted" },
      });
      await wantResult(server, turn, { status: "cancelled" });
    },
  },
  {
    id: "X27",
    title:
      "an approval is answered with response and feedback; without a response it stays open with the issue",
    rules: ["P-XAN-2", "P-XAN-4", "P-XST-1", "P-APR-2"],
    async run(context) {
      const scripts = [writes("a.txt"), writes("b.txt", "tc-2"), "text: I see."];
      const server = await introduceExtended(context, { scripts });
      const turn = sendPrompt(server);
      const approval = wantedRequest("ApprovalRequest");
      const first = await shownRequest(server, approval);
      for (const [words, code] of [
        [{}, "missing"],
        [{ response: "approve", items: [{ question_id: "q1", selected: [] }] }, "unexpected"],
      ] as const) {
        const data = await wantRefused(server, sendAnswer(server, first, words), -32013);
        const { issues } = data as { issues: { question_id: unknown; code: unknown }[] };
        wantMembers("the first issue", issues[0], { question_id: null, code });
      }
      wantMembers("the outcome", await answerById(server, first, { response: "approve" }), {
        status: "answered",
        by: "human",
      });
      wantMembers("the result of the tool", await awaitToolResult(server), { is_error: false });

      const second = await shownRequest(server, approval);
      const words = { response: "reject", feedback: "use another name" };
      await answerById(server, second, words);
      const told = await settlement(server, second.id);
      wantMembers("InteractionSettled", payloadOf(told), { kind: "approval", response: words });
      const responded = await server.next(wantedEvent("ApprovalResponse", { request_id: second.id }));
      wantMembers("ApprovalResponse", payloadOf(responded), words);
      const result = await server.next(wantedEvent("ToolResult", { tool_call_id: "tc-2" }));
      wantOrder(server, "InteractionSettled, then ToolResult", told, result);
      wantOrder(server, "ApprovalResponse, then ToolResult", responded, result);
      want(JSON.stringify(result).includes("use another name"), "the feedback in the result", result);
      await wantResult(server, turn, { status: "finished" });
    },
  },
];
