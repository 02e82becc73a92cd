/** @import { Answerer, Connection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
import { onLine } from "./lines.mjs";

/** @type {(answerer: Answerer, send: (text: string) => void) => (text: string) => void} */
function receiver(answerer, send) {
  return (text) => {
    const { id, params } = JSON.parse(text);
    if (id === undefined) return answerer.heard(params.payload.text);
    const { payload } = params;
    const [{ question, options }] = payload.questions;
    const reply = (/** @type {number} */ index) =>
      send(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: { request_id: payload.id, answers: { [question]: options[index].label } },
        }),
      );
    const choice = answerer.decide(question);
    if (typeof choice === "number") reply(choice);
    else choice.then(reply);
  };
}

/** @type {(input: Readable, output: Writable, answerer: Answerer) => Connection} */
export function overStdio(input, output, answerer) {
  onLine(
    input,
    receiver(answerer, (text) => void output.write(`${text}\n`)),
  );
  return {};
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const receive = receiver(answerer, (text) => socket.send(text));
  socket.on("message", (data) => receive(String(data)));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return {};
}
