import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { folderWith } from "./askwire.js";
import { openAskwire } from "./terminal.js";

/** An agent whose turn is what comes from a socket: a message a line. */
const AGENT = `
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  const lines = (input, each) => require("readline").createInterface({ input }).on("line", (line) => each(JSON.parse(line)));
  lines(process.stdin, ({ id, method }) => {
    const server = { name: "x", version: "1" };
    if (method === "initialize")
      return send({ id, result: { protocol_version: "1.10", server, slash_commands: [] } });
    if (method === "prompt") lines(require("net").connect(process.argv[1]), send);
  });`;

/** `askwire chat --plain` in the middle of a turn, with what sends it an event or a request. */
export async function inTurn(columns = 80, env: Readonly<Record<string, string>> = {}) {
  const path = join(await folderWith(), "turn");
  const listening = createServer().listen(path);
  const connected = once(listening, "connection");
  const terminal = openAskwire(
    ["chat", "--plain", "--prompt", "go", "--", process.execPath, "-e", AGENT, path],
    { columns, env },
  );
  const [socket] = (await connected) as [Socket];
  listening.close();
  const send = (message: object) => void socket.write(`${JSON.stringify(message)}\n`);
  const event = (type: string, payload: object) => send({ method: "event", params: { type, payload } });
  return {
    terminal,
    event,
    calls: (name: string, text: string | null) =>
      event("ToolCall", { type: "function", id: "tc", function: { name, arguments: text } }),
    part: (text: string) => event("ToolCallPart", { arguments_part: text }),
    says: (text: string) => event("ContentPart", { type: "text", text }),
    asks(question: object, id = "r") {
      const payload = { id, tool_call_id: "tc", questions: [question] };
      send({ method: "request", id, params: { type: "QuestionRequest", payload } });
    },
    asksApproval(payload: object, id = "a") {
      const request = { id, tool_call_id: "tc", ...payload };
      send({ method: "request", id, params: { type: "ApprovalRequest", payload: request } });
    },
  };
}
