/** @import { Asker, Serve, SharedSession } from "../../contract.js" */
/** @import { AskwireServer, Turn } from "@askwire/server" */
/** @import { Gateway } from "@askwire/server/websocket" */
/** @import { Server as HttpServer } from "node:http" */
/** @import { AddressInfo, Socket } from "node:net" */
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";

/** Limits above the needs of any measure, so that no limit is measured. */
const raised = { maxOpenRequests: 200_000, maxSessions: 10_000 };
const maxConnections = 10_000;

/** Texts said before waiting for room. */
const burst = 64;

/** @type {(turn: Turn) => Asker} */
function createAsker(turn) {
  let said = 0;
  return {
    // No async function, as in the floor, since its promises would be measured too.
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
export const askingServer = (serve) =>
  createServer({ agent: { run: (turn) => serve(createAsker(turn)) }, ...raised });

/** @type {(serve: Serve) => Promise<void>} */
export function overStdio(serve) {
  return serveStdio(askingServer(serve));
}

/** @type {(server: AskwireServer) => Promise<{ http: HttpServer, gateway: Gateway }>} */
async function listening(server) {
  const [{ createServer: createHttpServer }, { attachWebSocket }] = await Promise.all([
    import("node:http"),
    import("@askwire/server/websocket"),
  ]);
  const http = createHttpServer();
  const gateway = attachWebSocket(server, http, { maxConnections });
  await new Promise((resolve) => http.listen(0, "127.0.0.1", () => resolve(undefined)));
  return { http, gateway };
}

/** Every connection makes a session of its own. @type {(serve: Serve) => Promise<string>} */
export async function overWebSocket(serve) {
  const { http, gateway } = await listening(askingServer(serve));
  return `ws://127.0.0.1:${/** @type {AddressInfo} */ (http.address()).port}/wire#${gateway.token}`;
}

/** @type {(serve: Serve) => Promise<SharedSession>} */
export async function overShared(serve) {
  const server = askingServer(serve);
  const { http, gateway } = await listening(server);
  /** @type {Set<Socket>} */
  const sockets = new Set();
  http.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return {
    url: gateway.address(server.createSession({ stay: true })),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
