/** @import { Asker, Question, Serve } from "../../contract.js" */
/** @import { AddressInfo } from "node:net" */
import { onLine } from "./lines.mjs";

const undressed = { multi_select: false, body: "", other_label: "", other_description: "" };

/**
 * Writes the bytes that the base wire has, so that a ratio is the cost of a library and not of its messages.
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

/** @type {(serve: Serve) => Promise<string>} */
export async function overWebSocket(serve) {
  const { WebSocketServer } = await import("ws");
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0, perMessageDeflate: false });
  server.on("connection", (socket) => {
    const asker = createAsker(
      (text) => socket.send(text),
      (text) => {
        if (socket.bufferedAmount < 65536) return void socket.send(event(text));
        return new Promise((resolve) => socket.send(event(text), () => resolve()));
      },
    );
    socket.on("message", (data) => asker.receive(String(data)));
    serve(asker);
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `ws://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`;
}
