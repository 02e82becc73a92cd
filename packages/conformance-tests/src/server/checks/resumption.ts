import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AttachedSession } from "@askwire/protocol";
import { CheckSkipped } from "../../contract/check.js";
import { want, wantMembers, wantSame } from "../../contract/expectations.js";
import type { ServerCheck, ServerContext } from "../context.js";
import { answer, awaitToolResult, begin, wantNone, wantResult } from "../conversation.js";
import {
  answerById,
  attach,
  choosing,
  extendedIntroduction,
  sendAnswer,
  shownRequest,
  wantRefused,
} from "../extended.js";
import { endWell, journalLines } from "../journal.js";
import { payloadOf, resultOf, wantedEvent, wantedRequest } from "../messages.js";
import { askingLine, colour, size, writes } from "../scripts.js";
import type { WireServer } from "../wire-server.js";

const question = wantedRequest("QuestionRequest");
const approval = wantedRequest("ApprovalRequest");
const red = { "Which colour?": "Red" };

/** A server that was started again on a session, before a client that has joined the turn. */
interface Resumed {
  readonly server: WireServer;
  /** The session as the client found it. */
  readonly session: AttachedSession;
  /** Waits for the end of the turn, and wants none of it to be told again. */
  wantRest(): Promise<void>;
}

/** A kept session over several processes of the server, as one client sees it. */
interface KeptSession {
  readonly id: string;
  /** The id of its one turn. */
  readonly turn: string;
  /** Starts the server and sends the prompt. */
  begin(...scripts: string[]): Promise<WireServer>;
  /** Starts the server again, with another stream, and joins the turn. */
  goOn(...scripts: string[]): Promise<Resumed>;
}

/** @throws CheckSkipped in `begin` if the server does not say that its turns outlive the process. */
function keptSession(context: ServerContext): KeptSession {
  const id = randomUUID();
  const turn = randomUUID();
  const client = extendedIntroduction({ skip: true, client_id: randomUUID() });
  const asked = { user_input: "hello", turn_id: turn };
  let first: WireServer | undefined;
  let before: AttachedSession | undefined;
  return {
    id,
    turn,
    async begin(...scripts) {
      first = await context.start({ scripts, flags: ["--session", id] });
      before = (await attach(first, client)).session;
      if (before.resumes !== true)
        throw new CheckSkipped("its session does not say resumes, so its turns end with the process", {
          isChoice: true,
        });
      first.request("prompt", asked);
      return first;
    },
    async goOn(...scripts) {
      const server = await context.start({ scripts, flags: ["--session", id] });
      const known = { id, stream: before?.stream, after_seq: before?.seq };
      const { session } = await attach(server, { ...client, session: known });
      wantMembers("session", session, { id, resumes: true, reset: true, turn_id: turn });
      want(session.stream !== before?.stream, "another stream in another process", session);
      // The prompt waits for the turn that runs (P-XTR-2).
      const joined = server.request("prompt", asked);
      return {
        server,
        session,
        async wantRest() {
          await wantResult(server, joined, { status: "finished" });
          wantNone(server, wantedEvent("TurnBegin"));
          for (const call of first?.messages.filter(wantedEvent("ToolCall").fits) ?? [])
            wantNone(server, wantedEvent("ToolCall", { id: payloadOf(call).id }));
        },
      };
    },
  };
}

/** Counts the lines of the journal that have a type and a text. */
async function countOf(context: ServerContext, session: string, type: string, text: string): Promise<number> {
  const lines = await journalLines(context, session);
  return lines.filter((line) => line.includes(`"${type}"`) && line.includes(text)).length;
}

const textOf = (file: string) => readFile(file, "utf8").catch(() => "no file");

/** X41 to X45: a server that says `resumes` is killed while somebody is asked, and started again. */
export const serverResumptionChecks: readonly ServerCheck[] = [
  {
    id: "X41",
    title:
      "a server with resumes is killed with a question open: the next process asks the same, and its answer ends the turn",
    rules: ["P-KPT-3", "P-RES-1", "P-RES-3", "P-RES-4"],
    async run(context) {
      const kept = keptSession(context);
      const first = await kept.begin(askingLine());
      const asked = await first.next(question);
      await first.kill();
      const { server, session, wantRest } = await kept.goOn("text: Thanks.");
      wantMembers("session", session, { state: "waiting", pending: [asked.id] });
      const again = await shownRequest(server, question);
      wantSame("the question of the next process", payloadOf(again), payloadOf(asked));
      await answerById(server, again, { items: choosing(again, ["Red"]) });
      wantSame("the output", (await awaitToolResult(server)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantRest();
      await server.next(wantedEvent("ContentPart", { text: "Thanks." }));
      wantMembers("TurnEnd", payloadOf(await server.next(wantedEvent("TurnEnd"))), { turn_id: kept.turn });
      await endWell(server);
      wantSame(
        "how many settlements it has",
        await countOf(context, kept.id, "InteractionSettled", String(asked.id)),
        1,
      );
    },
  },
  {
    id: "X42",
    title:
      "a server with resumes is killed the moment it accepts an answer: the answer counts, once, and the same one gets its reply again",
    rules: ["P-DUR-2", "P-RES-6", "P-RES-13", "P-XAN-3", "P-XAN-5"],
    async run(context) {
      const kept = keptSession(context);
      const first = await kept.begin(`${askingLine([colour])}\n${askingLine([size], "tc-2")}`);
      const asked = await shownRequest(first, question);
      const words = { answer_id: "a-1", items: choosing(asked, ["Red"]) };
      const outcome = await answerById(first, asked, words);
      await first.kill();
      const { server, session, wantRest } = await kept.goOn("text: Thanks.");
      want(!session.pending.includes(String(asked.id)), "the answered question no longer open", session);
      const repeated = await server.response(sendAnswer(server, asked, words));
      wantSame("the reply to the same answer_id", resultOf(repeated), { outcome });
      const late = { answer_id: "a-2", items: choosing(asked, ["Blue"]) };
      const data = await wantRefused(server, sendAnswer(server, asked, late), -32010);
      wantSame("data of the late answer", data, { outcome });
      const other = await shownRequest(server, question);
      wantMembers("the question that is left", payloadOf(other), { tool_call_id: "tc-2" });
      await answerById(server, other, { items: choosing(other, ["Large"]) });
      await wantRest();
      await endWell(server);
      const results = await countOf(context, kept.id, "ToolResult", '"tc-1"');
      wantSame("how many results of the first call are recorded", results, 1);
      wantSame(
        "how many of them have the answer",
        await countOf(context, kept.id, "ToolResult", 'Which colour?\\": \\"Red'),
        1,
      );
    },
  },
  {
    id: "X43",
    title:
      "a server with resumes is killed after a file was written: the next process neither asks again nor writes it again",
    rules: ["P-RES-4", "P-RES-5"],
    async run(context) {
      const file = join(context.workDir, "a.txt");
      const kept = keptSession(context);
      const first = await kept.begin(writes("a.txt"), askingLine(undefined, "tc-2"));
      await answerById(first, await shownRequest(first, approval), { response: "approve" });
      const asked = await first.next(question);
      wantSame("the text of a.txt", await textOf(file), "one\n");
      await first.kill();
      await writeFile(file, "by another hand\n");
      const { server, wantRest } = await kept.goOn("text: Thanks.");
      const again = await shownRequest(server, question);
      wantSame("the id of the question", again.id, asked.id);
      await answerById(server, again, { items: choosing(again, ["Red"]) });
      await wantRest();
      wantNone(server, approval);
      wantNone(server, wantedEvent("ToolResult", { tool_call_id: "tc-1" }));
      wantSame("the text of a.txt in the end", await textOf(file), "by another hand\n");
    },
  },
  {
    id: "X44",
    title:
      "a server with resumes is killed with an approval open: the next process writes no file without an approval",
    rules: ["P-RES-3", "P-RES-5"],
    async run(context) {
      const file = join(context.workDir, "a.txt");
      for (const words of [{ response: "reject", feedback: "not this one" }, { response: "approve" }]) {
        const kept = keptSession(context);
        const first = await kept.begin(writes("a.txt"));
        const asked = await first.next(approval);
        await first.kill();
        const { server, session, wantRest } = await kept.goOn("text: Thanks.");
        wantSame("the text of a.txt before an approval", await textOf(file), "no file");
        // A tool that does not run again has its approval withdrawn.
        if (session.pending.includes(String(asked.id))) {
          const again = await shownRequest(server, approval);
          wantSame("the approval of the next process", payloadOf(again), payloadOf(asked));
          await server.response(sendAnswer(server, again, words));
        }
        await wantRest();
        await endWell(server);
        const { is_error } = await awaitToolResult(server);
        if (words.response === "reject") wantSame("is_error of the rejected call", is_error, true);
        wantSame("the text of a.txt in the end", await textOf(file), is_error ? "no file" : "one\n");
      }
    },
  },
  {
    id: "X45",
    title:
      "after a kill of a server with resumes, the first prompt of a base client joins the turn that was left",
    rules: ["P-KPT-4", "P-TRN-1"],
    async run(context) {
      const kept = keptSession(context);
      const first = await kept.begin(askingLine());
      const asked = await first.next(question);
      await first.kill();
      const options = { scripts: ["text: Thanks."], flags: ["--session", kept.id] };
      const server = await begin(context, options);
      const joined = server.request("prompt", { user_input: "go on" });
      const { user_input } = payloadOf(await server.next(wantedEvent("TurnBegin")));
      wantSame("the input of the turn", user_input, "hello");
      const again = await server.next(question);
      wantSame("the id of the question", again.id, asked.id);
      answer(server, again, red);
      wantSame("the output", (await awaitToolResult(server)).output, '{"answers": {"Which colour?": "Red"}}');
      await wantResult(server, joined, { status: "finished" });
      want(server.messages.filter(wantedEvent("TurnEnd").fits).length === 1, "one TurnEnd", server.messages);
    },
  },
];
