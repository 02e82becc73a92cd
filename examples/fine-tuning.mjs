// @ts-check
// Turns trajectories on standard input into chat examples for fine-tuning on standard output, one a line.
import { textLines } from "@askwire/client/stdio";

// #region fine-tuning
/** @typedef {import("@askwire/trajectory").Trajectory} Trajectory */
/** @typedef {import("@askwire/trajectory").TrajectoryMessage} TrajectoryMessage */

/** @param {Trajectory} trajectory */
function chatExample({ messages }) {
  const chat = [];
  let results = false;
  for (const message of messages) {
    const inText = message.role === "tool" && message.tool_call_id === undefined;
    const last = chat.at(-1);
    // The model read the results of the calls in one text as one message.
    if (inText && results && last !== undefined) last.content += `\n${message.content}`;
    else chat.push(chatMessage(message));
    results = inText;
  }
  return { messages: chat };
}

/** @param {TrajectoryMessage} message */
function chatMessage(message) {
  const { role, content } = message;
  if (role === "assistant") {
    const calls = message.tool_calls?.map(({ id, name, arguments: text }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
    const weight = message.loss ? 1 : 0;
    return calls === undefined ? { role, content, weight } : { role, content, weight, tool_calls: calls };
  }
  if (role !== "tool") return { role, content };
  // The model read the result of a call in its text as something that the person said.
  if (message.tool_call_id === undefined) return { role: "user", content };
  return { role, content, tool_call_id: message.tool_call_id };
}
// #endregion fine-tuning

for await (const line of textLines(process.stdin)) {
  if (line.trim() !== "") console.log(JSON.stringify(chatExample(JSON.parse(line))));
}
