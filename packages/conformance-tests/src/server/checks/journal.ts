import { appendFile, writeFile } from "node:fs/promises";
import { isObject, want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import {
  answer,
  begin,
  openQuestion,
  reply,
  saidTo,
  wantError,
  wantOrder,
  wantResult,
  wantSilence,
} from "../conversation.js";
import { endWell, inSession, journalFile, journalLines, oneTurn, record } from "../journal.js";
import { payloadOf, responseTo, resultOf, type ServerMessage } from "../messages.js";
import { askingLine } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

/** Counts the messages of a replay so far. */
function countsOf(sent: readonly ServerMessage[]): { events: number; requests: number } {
  const requests = sent.filter(({ method }) => method === "request").length;
  return { events: sent.filter(({ method }) => method === "event").length, requests };
}

/** Replays, and expects the counts of the result to match the messages. */
async function replay(server: WireServer): Promise<ServerMessage[]> {
  let result: unknown;
  const said = await saidTo(server, async () => {
    result = resultOf(await server.call("replay"));
  });
  const sent = said.slice(0, -1);
  wantSame("the result of replay", result, { status: "finished", ...countsOf(sent) });
  return sent;
}

/** Replays, in a new process, a session whose one question was answered. */
async function replayedQuestion(context: ServerContext) {
  const options = { scripts: [askingLine(), "text: Thanks."], flags: inSession };
  const { server: first, question, turn } = await openQuestion(context, options);
  answer(first, question, { "Which colour?": "Red" });
  await wantResult(first, turn, { status: "finished" });
  await endWell(first);
  const server = await begin(context, { flags: inSession });
  const sent = await replay(server);
  const [again, ...others] = sent.filter(({ method }) => method === "request");
  wantSame("the replayed question", again && payloadOf(again), payloadOf(question));
  want(others.length === 0, "one request in the replay", others);
  return { server, question };
}

/** A session with a journal so long that a replay of it takes a while. */
async function longJournal(context: ServerContext): Promise<WireServer> {
  await oneTurn(context);
  const text = "long ".repeat(100);
  await appendFile(journalFile(context), record("ContentPart", { type: "text", text }).repeat(20_000));
  return await begin(context, { flags: inSession });
}

/** S37 and S67 to S72: the kept records of a session, and their replay. */
export const journalChecks: readonly ServerCheck[] = [
  {
    id: "S37",
    title: "steer during a replay is refused with -32000, since no turn would ever read it",
    rules: ["P-STR-1"],
    isOurs: true,
    async run(context) {
      const server = await longJournal(context);
      const running = server.request("replay");
      await wantError(server, server.request("steer", { user_input: "left" }), -32000);
      wantMembers("the result of replay", resultOf(await server.response(running)), { status: "finished" });
    },
  },
  {
    id: "S67",
    title: "replay without a history: finished, 0 events, 0 requests",
    rules: ["P-JRN-10"],
    async run(context) {
      const result = resultOf(await (await begin(context)).call("replay"));
      wantSame("the result of replay", result, { status: "finished", events: 0, requests: 0 });
    },
  },
  {
    id: "S68",
    title: "a restarted session replays its question with its old id, and counts what it sent",
    rules: ["P-JRN-1", "P-JRN-4", "P-JRN-10"],
    async run(context) {
      await replayedQuestion(context);
    },
  },
  {
    id: "S69",
    title: "an answer to a replayed question is met with silence",
    rules: ["P-JRN-10"],
    async run(context) {
      const { server, question } = await replayedQuestion(context);
      const { id } = question;
      const late = { request_id: id, answers: { "Which colour?": "Blue" } };
      await wantSilence(server, () => reply(server, id, late));
      await endWell(server);
      const settled = (await journalLines(context)).filter(
        (line) => line.includes('"InteractionSettled"') && line.includes(String(id)),
      );
      want(settled.length < 2, "at most one settlement of the question in the journal", settled.join("\n"));
    },
  },
  {
    id: "S70",
    title: "cancel during a replay: {}, and the replay's result is cancelled with the counts of what it sent",
    rules: ["P-TRN-6", "P-JRN-10"],
    async run(context) {
      const server = await longJournal(context);
      const before = server.messages.length;
      const running = server.request("replay");
      const cancelled = await server.call("cancel");
      wantSame("the result of cancel", resultOf(cancelled), {});
      const response = await server.response(running);
      const sent = server.messages.slice(before).filter((message) => !responseTo(running).fits(message));
      wantSame("the result of replay", resultOf(response), { status: "cancelled", ...countsOf(sent) });
      wantOrder(server, "{} of cancel, then the result of replay", cancelled, response);
    },
  },
  {
    id: "S71",
    title: "an old or damaged journal: good records are replayed under their new names, bad ones are skipped",
    rules: ["P-JRN-1", "P-JRN-9"],
    async run(context) {
      await oneTurn(context);
      const inner = { type: "StepBegin", payload: { n: 1 } };
      const lines = [
        record("TurnBegin", { user_input: "old" }),
        record("ApprovalRequestResolved", { request_id: "a-1", response: "approve" }),
        record("SubagentEvent", { task_tool_call_id: "tc-9", event: inner }),
        record("Hologram", {}),
        '{"timestamp": 5, "mess\n',
        "\n",
        `${JSON.stringify({ message: { type: "StepBegin", payload: { n: 9 } } })}\n`,
        record("ContentPart", { type: "hologram" }),
        record("TurnEnd", {}),
      ];
      await writeFile(journalFile(context), lines.join(""));
      const sent = await replay(await begin(context, { flags: inSession }));
      wantSame(
        "the types of what was replayed",
        sent.map(({ params }) => params?.type),
        ["TurnBegin", "ApprovalResponse", "SubagentEvent", "TurnEnd"],
      );
      const [, approval, subagent] = sent;
      wantMembers("ApprovalResponse", payloadOf(approval ?? {}), { request_id: "a-1", response: "approve" });
      wantMembers("SubagentEvent", payloadOf(subagent ?? {}), { parent_tool_call_id: "tc-9", event: inner });
    },
  },
  {
    id: "S72",
    title: "the journal has one header line, then {timestamp, message}; another run appends without a header",
    rules: ["P-JRN-1", "P-JRN-2"],
    async run(context) {
      await oneTurn(context);
      const first = await journalLines(context);
      wantSame("the first line", JSON.parse(first[0] ?? "null"), {
        type: "metadata",
        protocol_version: "1.10",
      });
      await oneTurn(context);
      const lines = await journalLines(context);
      wantSame("the lines of the first run", lines.slice(0, first.length), first);
      const records = lines.slice(1).map((line) => JSON.parse(line) as unknown);
      for (const entry of records) {
        const whole = isObject(entry) && typeof entry.timestamp === "number" && isObject(entry.message);
        want(whole, "records {timestamp, message}", entry);
      }
      const begun = records.filter(
        (entry) => (entry as { message: { type: string } }).message.type === "TurnBegin",
      );
      want(begun.length === 2, "both turns in the journal", lines.join("\n"));
    },
  },
];
