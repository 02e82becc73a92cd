import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onLines } from "@askwire/protocol/node";
import { onTestFinished } from "vitest";
import { folderWith } from "../askwire.js";
import type { Terminal, TerminalOptions } from "../terminal.js";
import { start } from "./at-panel.js";

/**
 * An agent that introduces itself and passes on all else, between a socket and its streams, a message a line. A line
 * that begins with a hash is for its standard error.
 */
const AGENT = `
  const socket = require("net").connect(process.argv[1]);
  const lines = (input, each) => {
    let rest = "";
    input.setEncoding("utf8").on("data", (text) => {
      const parts = (rest + text).split("\\n");
      rest = parts.pop();
      parts.forEach(each);
    });
  };
  lines(process.stdin, (line) => {
    const { id, method } = JSON.parse(line);
    if (method !== "initialize") return socket.write(line + "\\n");
    const result = { protocol_version: "1.10", server: { name: "x", version: "1" }, slash_commands: [] };
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  });
  lines(socket, (line) => {
    if (line.startsWith("#")) process.stderr.write(line.slice(1) + "\\n");
    else process.stdout.write(line + "\\n");
  });
  process.stdin.on("end", () => process.exit());
  socket.on("close", () => process.exit(3));`;

export interface Message {
  readonly id?: string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it knows to be there.
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly result?: any;
}

export interface Asked {
  readonly question: string;
  readonly header?: string;
  readonly body?: string;
  readonly options?: readonly { label: string; description?: string }[];
  readonly multi_select?: boolean;
}

export interface Turn<Place = Terminal> {
  readonly terminal: Place;
  /** The agent's words. */
  says(text: string): void;
  event(type: string, payload: object): void;
  /** Writes a line to the agent's standard error. */
  logs(line: string): void;
  /** Puts questions to the person, under an id of the request. */
  asks(questions: Asked | readonly Asked[], id?: string): void;
  /** Asks for approval. The request's id is "a" unless there is another. */
  approves(description: string, more?: { id?: string; [field: string]: unknown }): void;
  /** Ends the turn that was prompted last. */
  ends(status?: string): void;
  /** The next message of this method, or the next answer to this request, which it takes. */
  received(methodOrId: string): Promise<Message>;
  /** Ends the agent's process. */
  dies(): void;
  /** Confirms a message that the person sent. */
  confirms(message: Message, result?: object): void;
  /** Refuses it, with the code of an error. */
  refuses(message: Message, code: number): void;
}

export const database: Asked = {
  question: "Which database?",
  options: [{ label: "SQLite" }, { label: "PostgreSQL", description: "as a service" }],
};

export const port: Asked = { question: "Which port?", options: [{ label: "80" }, { label: "8080" }] };

/**
 * `askwire chat` with an agent that is the test. Its turn has begun unless there is no first prompt.
 *
 * @param options.prompt the first prompt. Default: "go"; null for none.
 */
export function inTurn(options: InTurnOptions = {}): Promise<Turn> {
  return inTurnOf(start, options);
}

type InTurnOptions = TerminalOptions & { prompt?: string | null; args?: readonly string[] };

/** The same in any terminal. */
export async function inTurnOf<Place>(
  open: (args: readonly string[], options: TerminalOptions) => Place,
  { prompt = "go", args = [], ...options }: InTurnOptions = {},
): Promise<Turn<Place>> {
  const path = join(await folderWith(), "turn");
  const listening = createServer().listen(path);
  const connected = once(listening, "connection");
  const first = prompt === null ? [] : ["--prompt", prompt];
  const terminal = open(["chat", ...first, ...args, "--", process.execPath, "-e", AGENT, path], options);
  const [socket] = (await connected) as [Socket];
  listening.close();
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});

  let unread: Message[] = [];
  let prompted: string | undefined;
  let wake = () => {};
  onLines(socket, (line) => {
    const message: Message = JSON.parse(line);
    if (message.method === "prompt") prompted = message.id;
    unread.push(message);
    wake();
  });
  const send = (message: object) => void socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const event = (type: string, payload: object) => send({ method: "event", params: { type, payload } });
  const request = (type: string, id: string, payload: object) =>
    send({ method: "request", id, params: { type, payload: { id, tool_call_id: `tc-${id}`, ...payload } } });

  async function received(wanted: string): Promise<Message> {
    for (;;) {
      const found = unread.find(({ id, method }) => (method ?? id) === wanted);
      unread = unread.filter((message) => message !== found);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  if (prompt !== null) await received("prompt");

  return {
    terminal,
    event,
    received,
    logs: (line) => void socket.write(`#${line}\n`),
    says: (text) => event("ContentPart", { type: "text", text }),
    asks(questions, id = "r") {
      request("QuestionRequest", id, { questions: [questions].flat() });
    },
    approves(description, { id = "a", ...more } = {}) {
      request("ApprovalRequest", id, { sender: "Shell", action: "run a command", description, ...more });
    },
    ends(status = "finished") {
      event("TurnEnd", {});
      send({ id: prompted, result: { status } });
    },
    dies: () => void socket.destroy(),
    refuses: ({ id }, code) => send({ id, error: { code, message: "not now" } }),
    confirms: ({ id }, result = {}) => send({ id, result }),
  };
}

/** The panel of an approval. */
export const APPROVAL = /Approve \(y\)[\s\S]*Esc decline/;

/** A turn in which an approval is shown. */
export async function approvalShown(): Promise<Turn> {
  const turn = await inTurn();
  turn.approves("rm -r build");
  await turn.terminal.waitForRows(APPROVAL);
  return turn;
}
