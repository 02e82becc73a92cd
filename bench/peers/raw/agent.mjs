/** @import { Asker, Question, Serve, SharedSession } from "../../contract.js" */
/** @import { AddressInfo } from "node:net" */
/** @import { WebSocket, WebSocketServer } from "ws" */
import { onLine } from "./lines.mjs";

const undressed = { multi_select: false, body: "", other_label: "", other_description: "" };

/**
 * Writes the bytes of the base wire, so that a ratio shows a library's cost and not its messages'.
 * @param {(text: string) => void} send
 * @param {(text: string) => void | Promise<void>} [say]
 */
function createAsker(send, say) {
  /** @type {Map<string, (label: string) => void>} */
  const waiting = new Map();
  /** @type {Asker & { receive(text: string): void }} */
  const asker = {
    ask: ({ question, header, options }) =>
      new Promise((resolve) => {
        const id = crypto.randomUUID();
        waiting.set(id, resolve);
        const questions = [{ question, header, options, ...undressed }];
        const payload = { id, tool_call_id: "c1", questions };
        send(
          JSON.stringify({
            jsonrpc: "2.0",
            method: "request",
            id,
            params: { type: "QuestionRequest", payload },
          }),
        );
      }),
    receive(text) {
      const { id, result } = JSON.parse(text);
      const settle = waiting.get(id);
      waiting.delete(id);
      for (const question in result.answers) settle?.(result.answers[question]);
    },
  };
  if (say) asker.say = say;
  return asker;
}

/** @type {(text: string) => string} */
const event = (text) =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "event",
    params: { type: "ContentPart", payload: { type: "text", text } },
  });

/** @type {(serve: Serve) => void} */
export function overStdio(serve) {
  const { stdin, stdout } = process;
  const asker = createAsker(
    (text) => void stdout.write(`${text}\n`),
    (text) => {
      if (!stdout.write(`${event(text)}\n`))
        return new Promise((resolve) => stdout.once("drain", () => resolve()));
    },
  );
  onLine(stdin, asker.receive);
  serve(asker);
}

/** @returns {Promise<{ server: WebSocketServer, url: string }>} */
async function listening() {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  await new Promise((resolve) => server.once("listening", resolve));
  return { server, url: `ws://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}` };
}

/** Returns a promise when the caller has to wait for room. @type {(socket: WebSocket, text: string) => Promise<void> | undefined} */
function sendWithRoom(socket, text) {
  if (socket.bufferedAmount < 65536) return void socket.send(text);
  return new Promise((resolve) => socket.send(text, () => resolve()));
}

/** @type {(serve: Serve) => Promise<string>} */
export async function overWebSocket(serve) {
  const { server, url } = await listening();
  server.on("connection", (socket) => {
    const asker = createAsker(
      (text) => socket.send(text),
      (text) => sendWithRoom(socket, event(text)),
    );
    socket.on("message", (data) => asker.receive(String(data)));
    serve(asker);
  });
  return url;
}

/** Keeps every event as sent, for clients that return. @type {(serve: Serve) => Promise<SharedSession>} */
export async function overShared(serve) {
  const { server, url } = await listening();
  /** @type {string[]} */
  const said = [];
  server.on("connection", (socket, { url = "" }) => {
    const after = /after=(\d+)/.exec(url);
    if (after !== null) for (const text of said.slice(Number(after[1]))) socket.send(text);
  });
  serve({
    ask: () => Promise.reject(new Error("several clients are only told")),
    say(text) {
      const sent = event(text);
      said.push(sent);
      const full = [...server.clients].flatMap((socket) => sendWithRoom(socket, sent) ?? []);
      if (full.length > 0) return Promise.all(full).then(() => {});
    },
  });
  return {
    url,
    cut() {
      for (const socket of server.clients) socket.terminate();
    },
  };
}
