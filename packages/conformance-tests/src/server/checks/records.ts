import { appendFile } from "node:fs/promises";
import { events, requests } from "@askwire/protocol";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  answer,
  begin,
  fail,
  openQuestion,
  reply,
  sendPrompt,
  turn,
  wantResult,
  wholeClient,
} from "../conversation.js";
import { endWell, inSession, journalFile, journalLines, oneTurn, untilRecorded } from "../journal.js";
import { wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, calls, writes } from "../scripts.js";
import { look, seen } from "../tools.js";

/** The records of the journal of one type. */
async function records(context: ServerContext, type: string): Promise<Record<string, unknown>[]> {
  const lines = (await journalLines(context)).map((line): unknown => JSON.parse(line));
  return lines.flatMap((line) => {
    const message = isObject(line) && isObject(line.message) ? line.message : {};
    return message.type === type && isObject(message.payload) ? [message.payload] : [];
  });
}

interface JournalLine {
  readonly timestamp?: number;
  readonly message?: { readonly type?: string };
}

/** The seconds by which two clocks of one machine may differ. */
const CLOCK_S = 60;

/** F31 to F35: further records of the journal. */
export const recordChecks: readonly ServerCheck[] = [
  {
    id: "F31",
    title: "the journal has one outcome for each question, with its reason, who caused it and when",
    rules: ["P-JRN-5", "P-OUT-1", "P-OUT-3"],
    isOurs: true,
    async run(context) {
      const scripts = [
        askingLine(),
        askingLine(undefined, "tc-2"),
        askingLine(undefined, "tc-3"),
        askingLine(undefined, "tc-4"),
      ];
      const server = await begin(context, { scripts, flags: inSession });
      const running = sendPrompt(server);
      const next = () => server.next(wantedRequest("QuestionRequest"));
      const first = await next();
      answer(server, first, { "Which colour?": "Red" });
      answer(server, await next(), {});
      fail(server, (await next()).id, -32603);
      await next();
      await server.call("cancel");
      await wantResult(server, running, { status: "cancelled" });
      await endWell(server);
      const settled = await records(context, "InteractionSettled");
      wantMembers("the first settlement", settled[0], { request_id: first.id, kind: "question" });
      const outcomes = settled.map(({ outcome }) => (isObject(outcome) ? outcome : {}));
      wantSame(
        "status, reason and cause of each outcome",
        outcomes.map(({ status, reason, by }) => [status, reason ?? null, by]),
        [
          ["answered", null, "human"],
          ["declined", "dismissed", "human"],
          ["unavailable", "protocol_error", "system"],
          ["withdrawn", "interrupted", "human"],
        ],
      );
      const dated = outcomes.every(({ at }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(String(at)));
      want(dated, "a time in ISO 8601 as at of each outcome", outcomes);
    },
  },
  {
    id: "F32",
    title: "pieces of text, and a call with its further arguments, are one record each",
    rules: ["P-JRN-3"],
    async run(context) {
      const call = { id: "tc-1", name: "AskUserQuestion", arguments: '{"questions":' };
      const script = `text: One, \ntext: two.\ntool_call: ${JSON.stringify(call)}\ntool_call_part: {"arguments_part":"[]}"}`;
      await oneTurn(context, { scripts: [script, "text: Done."], flags: inSession });
      const texts = (await records(context, "ContentPart")).map(({ text }) => text);
      want(texts.length === 2, "two records of text", texts);
      const [recorded, ...others] = await records(context, "ToolCall");
      want(others.length === 0, "one ToolCall", others);
      wantMembers("ToolCall", recorded, { function: { arguments: '{"questions":[]}' } });
    },
  },
  {
    id: "F33",
    title:
      "a question that a killed process left open is settled when its session is opened again, or goes on under its id",
    rules: ["P-JRN-6", "P-JRN-8", "P-RES-3"],
    isOurs: true,
    async run(context) {
      const { server, question } = await openQuestion(context, { scripts: [askingLine()], flags: inSession });
      await server.call("set_plan_mode", { enabled: false });
      await untilRecorded(context, String(question.id));
      await server.kill();
      await appendFile(journalFile(context), '{"timestamp": 5, "mess');
      const again = await begin(context, { flags: inSession, scripts: ["text: Again."] });
      const asked = () => again.messages.find(wantedRequest("QuestionRequest").fits);
      await context.until("the question again, or its settlement in the journal", async () => {
        const settled = async () =>
          (await journalLines(context)).some((line) => line.includes('"InteractionSettled"'));
        return asked() !== undefined || (await settled());
      });
      const goesOn = asked() !== undefined;
      if (goesOn) {
        answer(again, await again.next(wantedRequest("QuestionRequest")), {});
        const isOver = () => again.messages.some(wantedEvent("TurnEnd").fits);
        await context.until("the end of the turn that goes on", async () => isOver());
      } else await turn(again);
      await endWell(again);
      const lines = await journalLines(context);
      want(
        lines.some((line) => line === '{"timestamp": 5, "mess'),
        "the torn line by itself",
        lines.slice(-8).join("\n"),
      );
      const whole = lines.filter((line) => !line.endsWith('"mess'));
      const settled = whole
        .map((line) => JSON.parse(line) as { message?: { type?: string; payload?: unknown } })
        .filter(({ message }) => message?.type === "InteractionSettled");
      wantMembers("the settlement", settled[0]?.message?.payload, {
        request_id: question.id,
        outcome: goesOn ? { status: "declined" } : { status: "withdrawn", reason: "shutdown", by: "system" },
      });
      want(settled.length === 1, "one settlement", settled);
    },
  },
  {
    id: "F34",
    title: "a second process on a session fails with a sentence, and the first goes on",
    rules: ["P-JRN-7"],
    isOurs: true,
    async run(context) {
      const first = await begin(context, { flags: inSession, scripts: ["text: Hello."] });
      const second = await context.start({ flags: inSession });
      const { status } = await second.exit;
      want(status !== 0, "an exit status other than 0", status);
      const said = context.transcript.filter(({ kind }) => kind === "stderr");
      want(said.length > 0, "a sentence on standard error", said);
      await turn(first);
    },
  },
  {
    id: "F35",
    title: "the journal has what was told, in its order and dated, but no approval and no hook",
    rules: ["P-JRN-2", "P-JRN-4"],
    isOurs: true,
    async run(context) {
      const scripts = [
        `think: Hm.\n${askingLine()}`,
        writes("a.txt", "tc-2"),
        calls("look", { where: "garden" }, "tc-3"),
        "text: Done.",
      ];
      const hook = { id: "before-look", event: "PreToolUse", matcher: "look", timeout: 30 };
      const params = { ...wholeClient, external_tools: [look], hooks: [hook] };
      const from = Date.now() / 1_000 - CLOCK_S;
      const server = await begin(context, { scripts, flags: inSession }, params);
      const running = sendPrompt(server);
      answer(server, await server.next(wantedRequest("QuestionRequest")), { "Which colour?": "Red" });
      const approval = await server.next(wantedRequest("ApprovalRequest"));
      reply(server, approval.id, { request_id: approval.id, response: "approve" });
      const hooked = await server.next(wantedRequest("HookRequest"));
      reply(server, hooked.id, { request_id: hooked.id, action: "allow" });
      const call = await server.next(wantedRequest("ToolCallRequest"));
      reply(server, call.id, { tool_call_id: call.id, return_value: seen });
      await wantResult(server, running, { status: "finished" });
      await endWell(server);

      const told = server.messages.flatMap(({ method, params }) =>
        method === undefined ? [] : [params?.type],
      );
      const left = ["ApprovalRequest", "ApprovalResponse", "HookRequest"];
      const known = new Set<unknown>([...Object.keys(events), ...Object.keys(requests)]);
      const lines = (await journalLines(context)).slice(1).map((line) => JSON.parse(line) as JournalLine);
      const kept = lines.filter(({ message }) => known.has(message?.type));
      wantSame(
        "the types of the records",
        kept.map(({ message }) => message?.type),
        told.filter((type) => !left.includes(String(type))),
      );
      const until = Date.now() / 1_000 + CLOCK_S;
      const dated = kept.every(({ timestamp = 0 }) => timestamp >= from && timestamp <= until);
      want(dated, "the seconds since 1970 as the timestamp of each record", kept[0]);
    },
  },
];
