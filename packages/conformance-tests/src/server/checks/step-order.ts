import { setTimeout as delay } from "node:timers/promises";
import { want, wantSame } from "../../contract/expectations.js";
import type { ServerCheck } from "../context.js";
import {
  answer,
  begin,
  namesOf,
  openApproval,
  openQuestion,
  sendPrompt,
  turn,
  wantResult,
} from "../conversation.js";
import { payloadOf, type ServerMessage, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour, writes } from "../scripts.js";
import type { CheckedWire } from "../wire.js";

/** The types of messages that are part of a turn. */
const ofTurns = [
  "TurnBegin",
  "TurnEnd",
  "StepBegin",
  "StepInterrupted",
  "StepRetry",
  "SteerInput",
  "ContentPart",
  "ToolCall",
  "ToolCallPart",
  "ToolResult",
  "QuestionRequest",
  "ApprovalRequest",
  "ToolCallRequest",
];

/** The time in which a check listens for words that come too late, in milliseconds. */
const LISTEN_MS = 400;

/** Wants the last turn to be over: its prompt was answered, and no further part of a turn comes. */
async function wantOver(server: CheckedWire, pace: number): Promise<void> {
  const before = server.messages.findLastIndex(wantedEvent("TurnEnd").fits);
  await delay(LISTEN_MS * pace);
  await server.quiet();
  const late = server.messages
    .slice(before + 1)
    .filter(({ method, params }) => method !== undefined && ofTurns.includes(String(params?.type)));
  want(late.length === 0, "no part of the turn after TurnEnd", namesOf(late).join(", "));
}

/** A message of a step in a word or two: what was said, or its type with its number or call. */
function wordOf(message: ServerMessage): string {
  const { n, text, think, id, tool_call_id } = payloadOf(message);
  const type = String(message.params?.type);
  if (type === "ContentPart") return String(text ?? think);
  return [type, n ?? tool_call_id ?? id].filter((part) => part !== undefined).join(" ");
}

/** F17, F20 and F30: the order and the numbers of what a turn tells, and the silence after it. */
export const stepOrderChecks: readonly ServerCheck[] = [
  {
    id: "F17",
    title: "after the end of a turn, finished or cancelled, no part of it comes any more",
    rules: ["P-TRN-2", "P-TRN-6", "P-INT-9"],
    waitsMs: 3 * LISTEN_MS,
    async run(context) {
      const finished = await begin(context, { scripts: ["text: Hello.", "text: Not said."] });
      await turn(finished);
      await wantOver(finished, context.pace);

      const asked = await openQuestion(context);
      await asked.server.call("cancel");
      await wantResult(asked.server, asked.turn, { status: "cancelled" });
      answer(asked.server, asked.question, { "Which colour?": "Red" });
      await wantOver(asked.server, context.pace);

      const waiting = await openApproval(context, [writes("a.txt"), "text: Not said."]);
      await waiting.server.call("cancel");
      await wantResult(waiting.server, waiting.turn, { status: "cancelled" });
      await wantOver(waiting.server, context.pace);
    },
  },
  {
    id: "F20",
    title: "the steps of each turn are numbered 1, 2, 3, and each begins once",
    rules: ["P-STP-1"],
    async run(context) {
      const again = { ...colour, question: "Which colour then?" };
      const scripts = [
        askingLine(),
        askingLine([again], "tc-2"),
        "text: Thanks.",
        askingLine([colour], "tc-3"),
        "text: Well.",
      ];
      const server = await begin(context, { scripts });
      for (const count of [3, 2]) {
        const before = server.messages.length;
        const running = sendPrompt(server);
        for (let asked = 1; asked < count; asked += 1) {
          const question = await server.next(wantedRequest("QuestionRequest"));
          const [item] = payloadOf(question).questions as { question: string }[];
          answer(server, question, { [String(item?.question)]: "Red" });
        }
        await wantResult(server, running, { status: "finished" });
        const numbers = server.messages
          .slice(before)
          .filter(wantedEvent("StepBegin").fits)
          .map((message) => payloadOf(message).n);
        wantSame(
          "n of each StepBegin of the turn",
          numbers,
          Array.from({ length: count }, (_, n) => n + 1),
        );
      }
    },
  },
  {
    id: "F30",
    title:
      "in each step come StepBegin, the model's words and calls as it said them, one StatusUpdate, the results",
    rules: ["P-STP-1"],
    isOurs: true,
    async run(context) {
      const first = `think: Hm.\ntext: A.\n${askingLine()}\n${askingLine([{ ...colour, question: "Which colour now?" }], "tc-2")}`;
      const server = await begin(context, { scripts: [first, "text: B.\nthink: Well."] });
      const running = sendPrompt(server);
      for (const text of ["Which colour?", "Which colour now?"])
        answer(server, await server.next(wantedRequest("QuestionRequest")), { [text]: "Red" });
      await wantResult(server, running, { status: "finished" });
      const types = ["StepBegin", "ContentPart", "ToolCall", "StatusUpdate", "ToolResult", "TurnEnd"];
      const said = server.messages.filter((message) => types.includes(String(message.params?.type)));
      const words = said.map(wordOf);
      wantSame("the messages of both steps", words, [
        "StepBegin 1",
        "Hm.",
        "A.",
        "ToolCall tc-1",
        "ToolCall tc-2",
        "StatusUpdate",
        ...words.slice(6, 8),
        "StepBegin 2",
        "B.",
        "Well.",
        "StatusUpdate",
        "TurnEnd",
      ]);
      wantSame("the results", words.slice(6, 8).toSorted(), ["ToolResult tc-1", "ToolResult tc-2"]);
    },
  },
];
