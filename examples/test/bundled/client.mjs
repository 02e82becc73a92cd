// Answers the agent named by its arguments, then the questions at the WebSocket address in that agent's log.
import { connectProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";

/** @param {import("@askwire/client").ClientSession} session */
async function converse(session) {
  for await (const { type, payload } of session.prompt("go")) {
    if (type === "ToolResult") console.log(payload.return_value.output);
    if (type === "ContentPart" && payload.type === "text") console.log(payload.text.trim());
  }
  await session.close();
}

const [command = "", ...args] = process.argv.slice(2);
/** @param {import("@askwire/client").QuestionView} view */
const question = ({ questions }) => ({
  answers: Object.fromEntries(questions.map(({ question, options }) => [question, options[0]?.label ?? ""])),
});
let log = "";
/** @param {string} text */
const onStderr = (text) => {
  log += text;
};

void connectProcess(command, args, { handlers: { question }, onStderr }).then(async (overStreams) => {
  const { address, also } = JSON.parse(log);
  console.log(also.join());
  const overSocket = await connectWebSocket(address, { handlers: { question } });
  await converse(overSocket);
  await converse(overStreams);
});
