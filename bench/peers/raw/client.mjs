/** @import { Answerer, Connection, ReturningConnection } from "../../contract.js" */
/** @import { Readable, Writable } from "node:stream" */
/** @import { WebSocket } from "ws" */
import { once } from "node:events";
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

/** @type {(url: string, receiving: (send: (text: string) => void) => (text: string) => void) => Promise<WebSocket>} */
async function opened(url, receiving) {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const receive = receiving((text) => socket.send(text));
  socket.on("message", (data) => receive(String(data)));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  return socket;
}

/** @type {(url: string, answerer: Answerer) => Promise<Connection>} */
export async function overWebSocket(url, answerer) {
  await opened(url, (send) => receiver(answerer, send));
  return {};
}

/** @type {(url: string, answerer: Answerer) => Promise<ReturningConnection>} */
export async function overShared(url, answerer) {
  let heard = 0;
  /** @type {Answerer} */
  const counting = {
    decide: answerer.decide,
    heard(text) {
      heard += 1;
      answerer.heard(text);
    },
  };
  let socket = await opened(url, (send) => receiver(counting, send));
  return {
    async lost() {
      if (socket.readyState !== socket.CLOSED) await once(socket, "close");
    },
    async comeBack() {
      socket = await opened(`${url}/?after=${heard}`, (send) => receiver(counting, send));
    },
  };
}
