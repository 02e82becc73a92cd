import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerStart } from "../context.js";
import { awaitToolResult, sendPrompt, wantError, wantResult } from "../conversation.js";
import {
  answerById,
  attach,
  choosing,
  introduceExtended,
  openQuestionById,
  shownRequest,
} from "../extended.js";
import { endWell, inSession } from "../journal.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, writes } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** The id and the author of the turn that has just ended, and how it ended. */
async function endOf(server: WireServer): Promise<Readonly<Record<string, unknown>>> {
  const begin = payloadOf(await server.next(wantedEvent("TurnBegin")));
  const end = payloadOf(await server.next(wantedEvent("TurnEnd")));
  const { turn_id, by } = begin;
  want(typeof turn_id === "string", "a text as turn_id of TurnBegin", begin);
  wantMembers("by of TurnBegin", by, { name: "conformance" });
  wantMembers("TurnEnd", end, { turn_id, by: by as object });
  return end;
}

/** X34 to X36: turns by id, and what was. */
export const extendedTurnChecks: readonly ServerCheck[] = [
  {
    id: "X34",
    title: "TurnBegin and TurnEnd say which turn it is, who asked for it, and how it ended: four ways",
    rules: ["P-XTR-1"],
    async run(context) {
      const scripts = ["text: Hello.", "error: 400 it broke", askingLine(), "text: Thanks."];
      const server = await introduceExtended(context, { scripts });
      await wantResult(server, sendPrompt(server), { status: "finished" });
      wantMembers("TurnEnd", await endOf(server), { status: "finished" });
      await wantError(server, sendPrompt(server), -32003);
      const { status, error } = await endOf(server);
      wantSame("the status of a turn that failed", status, "failed");
      wantMembers("its error", error, { code: -32003 });
      const running = sendPrompt(server);
      await shownRequest(server, wantedRequest("QuestionRequest"));
      await server.call("cancel");
      await wantResult(server, running, { status: "cancelled" });
      wantMembers("TurnEnd", await endOf(server), { status: "cancelled" });

      const short: ServerStart = { scripts: [askingLine()], flags: ["--max-steps-per-turn", "1"] };
      const limited = await openQuestionById(context, short);
      await answerById(limited.server, limited.question, { items: choosing(limited.question, ["Red"]) });
      await wantResult(limited.server, limited.turn, { status: "max_steps_reached", steps: 1 });
      wantMembers("TurnEnd", await endOf(limited.server), { status: "max_steps_reached", steps: 1 });
    },
  },
  {
    id: "X35",
    title:
      "a prompt with the turn_id of a turn that runs or ran gets that turn's result or error, and starts none",
    rules: ["P-XTR-2", "P-TRN-1"],
    async run(context) {
      const server = await introduceExtended(context, {
        scripts: [askingLine(), "text: Thanks.", "error: 400 it broke"],
      });
      const send = (turn_id: string, user_input = "hello") =>
        server.request("prompt", { user_input, turn_id });
      await wantError(server, send("x".repeat(129)), -32602);
      const first = send("turn-1");
      const question = await shownRequest(server, wantedRequest("QuestionRequest"));
      const again = send("turn-1");
      await wantError(server, send("turn-2"), -32000);
      await answerById(server, question, { items: choosing(question, ["Red"]) });
      for (const id of [first, again, send("turn-1", "hello?")])
        await wantResult(server, id, { status: "finished" });
      const failed = await server.response(send("turn-3"));
      wantMembers("an error", failed, { error: { code: -32003 } });
      wantSame("the error of the same turn", (await server.response(send("turn-3"))).error, failed.error);
      wantSame(
        "turn_id of each TurnBegin",
        server.messages.filter(wantedEvent("TurnBegin").fits).map((begin) => payloadOf(begin).turn_id),
        ["turn-1", "turn-3"],
      );
    },
  },
  {
    id: "X36",
    title:
      "a replay is marked: every message replayed, none numbered, requests as events, with how they ended",
    rules: ["P-XRP-1", "P-XRP-2"],
    async run(context) {
      const scripts = [askingLine(), writes("a.txt", "tc-2"), "text: Thanks."];
      const server = await introduceExtended(context, { scripts, flags: inSession });
      const turn = sendPrompt(server);
      const question = await shownRequest(server, wantedRequest("QuestionRequest"));
      const during = resultOf(await server.call("replay"));
      wantMembers("the result of a replay during the first turn", during, { events: 0, requests: 0 });
      await answerById(server, question, { items: choosing(question, ["Red"]) });
      const approval = await shownRequest(server, wantedRequest("ApprovalRequest"));
      await answerById(server, approval, { response: "approve" });
      await awaitToolResult(server, "tc-2");
      await wantResult(server, turn, { status: "finished" });
      await endWell(server);

      const later = await context.start({ flags: inSession });
      const { response } = await attach(later);
      const replay = await later.call("replay");
      wantMembers("the result of replay", resultOf(replay), { status: "finished" });
      const sent = between(later, response, replay);
      const unmarked = sent.filter(({ params }) => params?.replayed !== true);
      want(unmarked.length === 0, "replayed: true in every message of a replay", unmarked);
      const told = (type: string, key: string, value: unknown) =>
        sent.some((message) => wantedEvent(type, { [key]: value }).fits(message));
      want(told("QuestionRequest", "id", question.id), "the question as an event", typesOf(sent));
      want(told("ApprovalRequest", "id", approval.id), "the approval as an event", typesOf(sent));
      for (const { id } of [question, approval])
        want(told("InteractionSettled", "request_id", id), `how ${String(id)} was settled`, typesOf(sent));
    },
  },
];

function between(
  { messages }: WireServer,
  after: ServerMessage,
  before: ServerMessage,
): readonly ServerMessage[] {
  return messages.slice(messages.indexOf(after) + 1, messages.indexOf(before));
}

function typesOf(messages: readonly ServerMessage[]): string {
  return messages.map(({ params }) => String(params?.type)).join(", ");
}
