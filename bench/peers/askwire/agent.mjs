/** @import { Asker, Serve } from "../../contract.js" */
/** @import { AskwireServer, Turn } from "@askwire/server" */
/** @import { AddressInfo } from "node:net" */
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** More than any measure opens, so that no limit is what is measured. */
const raised = { maxOpenRequests: 200_000, maxSessions: 10_000 };
const maxConnections = 10_000;

/** Texts said before waiting for room. */
const burst = 64;

/** @type {(turn: Turn) => Asker} */
function createAsker(turn) {
  let said = 0;
  return {
    // As in the floor without an async function, whose promises would be measured too.
    ask({ question, header, options }) {
      const questions = [{ question, header, options: [...options] }];
      const request = new QuestionRequest({ tool_call_id: "c1", questions });
      wireSend(request);
      return request.wait().then((answers) => answers[question] ?? "");
    },
    say(text) {
      turn.say(text);
      if (++said % burst === 0) return turn.drained();
    },
  };
}

/** @type {(serve: Serve) => AskwireServer} */
const askingServer = (serve) =>
  createServer({ agent: { run: (turn) => serve(createAsker(turn)) }, ...raised });

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  return serveStdio(askingServer(serve));
}

/** Every connection makes a session of its own. @type {(serve: Serve) => Promise<string>} */
export async function overWebSocket(serve) {
  const [{ createServer: createHttpServer }, { attachWebSocket }] = await Promise.all([
    import("node:http"),
    import("@askwire/server/websocket"),
  ]);
  const http = createHttpServer();
  const { token } = attachWebSocket(askingServer(serve), http, { maxConnections });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  return `ws://127.0.0.1:${/** @type {AddressInfo} */ (http.address()).port}/wire#${token}`;
}
