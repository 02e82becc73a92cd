// An agent of the wire. Its first turn says the words of its argument, each later one a thousand texts a second.
import { onLines } from "@askwire/protocol/node";

const words = (process.argv[2] ?? "").split(" ");
/** The texts of one moment, and the moments, in milliseconds. */
const [AT_ONCE, EVERY_MS] = [10, 10];

/** @param {object} message */
const send = (message) => void process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
/** @param {string} text */
const say = (text) =>
  send({ method: "event", params: { type: "ContentPart", payload: { type: "text", text } } });

let turns = 0;
onLines(process.stdin, (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "initialize") {
    const server = { name: "streaming", version: "1" };
    return send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
  }
  if (method !== "prompt") return;
  turns += 1;
  if (turns > 1) {
    let said = 0;
    return void setInterval(() => {
      for (let at = 0; at < AT_ONCE; at += 1) say(`${said++} `);
    }, EVERY_MS);
  }
  for (const word of words) say(`${word} `);
  say("\nend of turn\n");
  send({ method: "event", params: { type: "TurnEnd", payload: {} } });
  send({ id, result: { status: "finished" } });
});
process.stdin.on("end", () => process.exit());
