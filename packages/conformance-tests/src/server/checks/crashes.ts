import { randomUUID } from "node:crypto";
import { isObject, want } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import { answer, begin, sendPrompt } from "../conversation.js";
import { journalLines } from "../journal.js";
import { payloadOf, type ServerMessage, type Wanted, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, writes } from "../scripts.js";

/** A moment at which the server is killed. */
interface Moment {
  readonly at: Wanted;
  readonly scripts: readonly string[];
  /** True where a question is answered before it comes to that. */
  readonly isAnswered?: boolean;
}

const question = wantedRequest("QuestionRequest");

const moments: readonly Moment[] = [
  { at: wantedEvent("TurnBegin"), scripts: [askingLine()] },
  { at: question, scripts: [askingLine()] },
  { at: wantedRequest("ApprovalRequest"), scripts: [writes("a.txt")] },
  { at: wantedEvent("ToolResult"), scripts: [askingLine(), "text: Thanks."], isAnswered: true },
  { at: wantedEvent("TurnEnd"), scripts: ["text: Hello."] },
];

/** The type and payload of each record; a line that the crash has torn is left out. */
async function recordsOf(context: ServerContext, session: string): Promise<ServerMessage["params"][]> {
  return (await journalLines(context, session)).flatMap((line) => {
    try {
      const { message } = JSON.parse(line) as { message?: ServerMessage["params"] };
      return message === undefined ? [] : [message];
    } catch {
      return [];
    }
  });
}

/** Wants a record of this message. An approval has one of ours (P-JRN-5). */
function wantKept(records: readonly ServerMessage["params"][], message: ServerMessage): void {
  const type = message.params?.type;
  const { id } = payloadOf(message);
  const isKept = records.some((record) => {
    const payload = isObject(record?.payload) ? record.payload : {};
    if (type === "ApprovalRequest") return record?.type === "InteractionOpened" && payload.request_id === id;
    return record?.type === type && (id === undefined || payload.id === id);
  });
  const types = records.map((record) => record?.type);
  want(isKept, `a record of ${String(type)} in the journal of the killed server`, types);
}

/** F36: what a server had told when it was killed. */
export const crashChecks: readonly ServerCheck[] = [
  {
    id: "F36",
    title:
      "a server that is killed the moment it tells of a turn's begin or end, a question, an approval or a result has it in its journal",
    rules: ["P-DUR-2", "P-DUR-3"],
    isOurs: true,
    async run(context) {
      for (const { at, scripts, isAnswered = false } of moments) {
        const session = randomUUID();
        const server = await begin(context, { scripts, flags: ["--session", session] });
        sendPrompt(server);
        if (isAnswered) answer(server, await server.next(question), { "Which colour?": "Red" });
        const told = await server.next(at);
        await server.kill();
        wantKept(await recordsOf(context, session), told);
      }
    },
  },
];
