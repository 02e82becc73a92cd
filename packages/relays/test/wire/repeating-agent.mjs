// An agent of the base profile that asks twice under one id and says the answers. With the
// argument "older" it does not know initialize.
import { onLines } from "@askwire/protocol/node";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const event = (type, payload) => send({ method: "event", params: { type, payload } });
const id = "0b5a3c1e-7a53-4c39-9a53-6f2f4a7f0b11";
const questions = [{ question: "Which?", options: [{ label: "This" }, { label: "That" }] }];
let prompt;
let asked = 0;

function ask() {
  asked += 1;
  const payload = { id, tool_call_id: `t${asked}`, questions };
  send({ method: "request", id, params: { type: "QuestionRequest", payload } });
}

onLines(process.stdin, (line) => {
  const message = JSON.parse(line);
  if (message.method === "initialize" && process.argv[2] !== "older") {
    const result = {
      protocol_version: "1.10",
      server: { name: "repeating", version: "1" },
      slash_commands: [],
    };
    send({ id: message.id, result });
  } else if (message.method === "prompt") {
    prompt = message.id;
    event("TurnBegin", { user_input: message.params.user_input });
    ask();
  } else if (message.id === id) {
    event("ContentPart", { type: "text", text: JSON.stringify(message.result.answers) });
    if (asked === 1) return ask();
    event("TurnEnd", {});
    send({ id: prompt, result: { status: "finished" } });
  } else if (message.method !== undefined) {
    send({ id: message.id, error: { code: -32601, message: "not there" } });
  }
});
