/** @import { Answerer } from "../../contract.js" */

/** @type {(url: string, answerer: Answerer) => void} */
export function connect(url, answerer) {
  const socket = new WebSocket(url);
  socket.onmessage = async ({ data }) => {
    const { id, params } = JSON.parse(data);
    const { payload } = params;
    const [{ question, options }] = payload.questions;
    const { label } = options[await answerer.decide(question)];
    socket.send(
      JSON.stringify({
        jsonrpc: "2.0",
        id,
        result: { request_id: payload.id, answers: { [question]: label } },
      }),
    );
  };
}
