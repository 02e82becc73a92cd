// An agent in raw lines that obeys its prompt. "work" goes on until it is cancelled. "ask" and "approve" put two
// questions or an approval to the person. A file `news` in the folder makes it talk meanwhile. A file `withdraw` ends
// the turn without an answer. "fail" answers with an error that would clear the screen. "stall" and its cancelling are
// not answered at all.
import { existsSync, watch } from "node:fs";
import { textLines } from "@askwire/protocol/node";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const event = (type, payload) => send({ method: "event", params: { type, payload } });
const ask = (type, payload) => send({ method: "request", id: payload.id, params: { type, payload } });
const say = (text) => event("ContentPart", { type: "text", text });

let prompt;

function endTurn(status) {
  event("TurnEnd", {});
  send({ id: prompt, result: { status } });
}

function endOnceWithdrawn() {
  let told = false;
  const watcher = watch(".", () => {
    if (existsSync("news") && !told) {
      told = true;
      say("Some ");
      say("news.\n");
    }
    if (!existsSync("withdraw")) return;
    watcher.close();
    say("Never mind.");
    endTurn("finished");
  });
}

const prompts = {
  work: () => say("Working"),
  stall() {
    say("Stalling");
    methods.cancel = undefined;
  },
  ask() {
    endOnceWithdrawn();
    for (const [id, question] of [
      ["q1", "Still there?"],
      ["q2", "And now?"],
    ]) {
      const questions = [{ question, options: [{ label: "Yes" }, { label: "No" }] }];
      ask("QuestionRequest", { id, tool_call_id: id, questions });
    }
  },
  approve() {
    endOnceWithdrawn();
    const [sender, action, description] = ["Shell", "run a command", "rm -r build"];
    ask("ApprovalRequest", { id: "a", tool_call_id: "tc", sender, action, description });
  },
  fail: () => send({ id: prompt, error: { code: -32003, message: "gone \u001b[2J\u202e" } }),
};

const methods = {
  initialize({ id }) {
    const server = { name: "prompted", version: "1" };
    send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
  },
  prompt({ id, params: { user_input } }) {
    prompt = id;
    event("TurnBegin", { user_input });
    prompts[user_input]();
  },
  cancel({ id }) {
    send({ id, result: {} });
    endTurn("cancelled");
  },
};

for await (const line of textLines(process.stdin)) {
  const message = JSON.parse(line);
  methods[message.method]?.(message);
}
