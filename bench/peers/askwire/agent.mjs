/** @import { Asker, Serve } from "../../contract.js" */
/** @import { Turn } from "@askwire/server" */
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** More than any measure opens, so that the limit is not what is measured. */
const maxOpenRequests = 200_000;

/** Texts said before waiting for room. */
const burst = 64;

/** @type {(turn: Turn) => Asker} */
function createAsker(turn) {
  let said = 0;
  return {
    async ask({ question, header, options }) {
      const request = new QuestionRequest({ tool_call_id: "c1", questions: [{ question, header, options }] });
      wireSend(request);
      return (await request.wait())[question] ?? "";
    },
    say(text) {
      turn.say(text);
      if (++said % burst === 0) return turn.drained();
    },
  };
}

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  return serveStdio(createServer({ agent: { run: (turn) => serve(createAsker(turn)) }, maxOpenRequests }));
}
