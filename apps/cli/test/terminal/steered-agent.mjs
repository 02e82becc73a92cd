// An agent in raw lines that works until it is steered with "stop", and says what it hears. The first argument is the
// code by which it refuses to be steered, if it does. The turn "late" is over before the first word reaches it.
import { textLines } from "@askwire/protocol/node";

const refusal = Number(process.argv[2]);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const event = (type, payload) => send({ method: "event", params: { type, payload } });
const say = (text) => event("ContentPart", { type: "text", text });

let prompt;
let late = false;

function endTurn(status = "finished") {
  event("TurnEnd", {});
  send({ id: prompt, result: { status } });
}

const methods = {
  initialize({ id }) {
    const slash_commands = [{ name: "compact", description: "Sums up\nall.", aliases: ["c"] }];
    send({
      id,
      result: { protocol_version: "1.10", server: { name: "steered", version: "1" }, slash_commands },
    });
  },
  prompt({ id, params: { user_input } }) {
    prompt = id;
    event("TurnBegin", { user_input });
    say(user_input.startsWith("half") ? "Working" : `Got ${user_input}.\n`);
    late = user_input === "late";
    if (!/^(work|half|late)/.test(user_input)) endTurn();
  },
  steer({ id, params: { user_input } }) {
    if (refusal) return send({ id, error: { code: refusal, message: "not now" } });
    if (late) {
      endTurn();
      return send({ id, error: { code: -32000, message: "No agent turn is in progress" } });
    }
    send({ id, result: { status: "steered" } });
    event("SteerInput", { user_input });
    if (user_input === "stop") endTurn();
    if (user_input === "ask") {
      const questions = [
        { question: "Sure?", body: "The whole plan.", options: [{ label: "Yes" }, { label: "No" }] },
      ];
      send({
        method: "request",
        id: "q",
        params: { type: "QuestionRequest", payload: { id: "q", tool_call_id: "tc", questions } },
      });
    }
  },
  cancel({ id }) {
    send({ id, result: {} });
    endTurn("cancelled");
  },
  answer: ({ result }) => say(`Answered ${Object.values(result.answers)}.\n`),
};

for await (const line of textLines(process.stdin)) {
  const message = JSON.parse(line);
  methods[message.method ?? "answer"]?.(message);
}
