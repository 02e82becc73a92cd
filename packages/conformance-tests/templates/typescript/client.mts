// A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
//
// Node is all it needs: run `npx tsc && node client.mjs`, or from Node 22.18 on `node client.mts`. `createPerson` stands
// for your user interface; the conformance suite says what the person does, by variables or by acts on standard input.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";

const INITIALIZE_MS = 8_000;
const CLOSE_MS = 1_000;

/** A message, which may be anything until somebody has looked. */
type Json = Record<string, any>;
/** A person's word on a question or an approval: the result without its `request_id`. */
type Said = { answers: Record<string, string> } | { response: string; feedback: string };
type Person = ReturnType<typeof createPerson>;

/** Hears each line, which ends with a line feed alone: `readline` of newer Nodes ends one at U+2028 too. */
function onLines(input: Readable, hear: (line: string) => void) {
  let rest = "";
  input.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...parts] = chunk.split("\n");
    rest += first;
    for (const part of parts) {
      hear(rest);
      rest = part;
    }
  });
}

/** Put your user interface here. A person who `isTold` answers when the suite says so, and any other after a while. */
function createPerson(usual: Json, isTold: boolean) {
  /** The acts that came before their requests, and the requests that wait for an act, by the id of the request. */
  const early = new Map<string, Json>();
  const waiting = new Map<string, (act: Json) => void>();

  /** Answers by the texts of the questions. Questions that the person leaves out are not among them. */
  function answers(questions: Json[], { choose = [], own_text, dismiss }: Json): Said {
    const entries = questions.flatMap(({ question, options = [] }, index) => {
      const labels = options.map(({ label }: Json) => label);
      const values = labels.filter((label: string) => choose[index]?.includes(label));
      if (index === 0 && own_text !== undefined) values.push(own_text);
      return values.length > 0 ? [[question, values.join(", ")]] : [];
    });
    return { answers: dismiss ? {} : Object.fromEntries(entries) };
  }

  function approval({ approve = "reject", own_text = "" }: Json): Said {
    return { response: approve, feedback: approve === "reject" ? own_text : "" };
  }

  async function decided(id: string): Promise<Json> {
    if (!isTold) return delay(usual.after_ms ?? 0, usual, { ref: false });
    return early.get(id) ?? new Promise((resolve) => waiting.set(id, resolve));
  }

  return {
    show: (text: unknown) => console.log(text),
    /** Resolves with the person's word, at any time. */
    async ask({ id, questions }: Json): Promise<Said> {
      const words = await decided(id);
      return questions === undefined ? approval(words) : answers(questions, words);
    },
    /** Takes an act about a request, which may come later. */
    act({ do: name, request_id, response, feedback, ...rest }: Json) {
      const words = { own_text: feedback, ...rest, dismiss: name === "decline", approve: response };
      const decide = waiting.get(request_id);
      if (decide) decide(words);
      else early.set(request_id, words);
    },
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const areTexts = (...values: unknown[]) => values.every((value) => typeof value === "string");

/** The requests that a person can be asked: true for a payload with everything that the client needs. */
const fits: Record<string, (payload: Json) => boolean> = {
  QuestionRequest: ({ id, tool_call_id, questions }) =>
    areTexts(id, tool_call_id) && Array.isArray(questions) && questions.every(isQuestion),
  ApprovalRequest: ({ id, tool_call_id, sender, action, description }) =>
    areTexts(id, tool_call_id, sender, action, description),
};

function isQuestion(value: unknown): boolean {
  const { question, options = [] } = isObject(value) ? value : {};
  return areTexts(question) && Array.isArray(options) && options.every(isOption);
}

const isOption = (value: unknown) => isObject(value) && areTexts(value.label);

/** Starts an agent. `call` sends it a request and resolves with the response. */
function createClient([file = "", ...args]: string[], person: Person) {
  const { DEBUG: _leaked, ...env } = process.env;
  const agent = spawn(file, [...args, "--wire"], { env, stdio: ["pipe", "pipe", "inherit"] });
  /** The requests before the person, by the id in their payload. */
  const open = new Map<string, Json>();
  /** The calls without a response, by their id. */
  const calls = new Map<string, (response: Json) => void>();
  let count = 0;

  const gone = new Promise<never>((_resolve, reject) => {
    agent.on("error", reject);
    agent.stdout.on("end", () => reject(new Error("the agent has ended")));
  });
  // The end of the agent's output says that it is gone.
  agent.stdin.on("error", () => {});
  onLines(agent.stdout, (line) => receive(read(line)));

  /** Writes a message: one JSON object on a line, without lone surrogates, which JSON.stringify escapes. */
  function send(message: Json) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
      .replaceAll("\u2028", "\\u2028")
      .replaceAll("\u2029", "\\u2029")
      .replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g, "$1\ufffd");
    agent.stdin.write(`${text}\n`);
  }

  /** Takes a message. Anything that is no response to a call and no known event or request is passed over. */
  function receive(message: Json) {
    const { method, id, error } = message;
    const { type, payload } = isObject(message.params) ? message.params : ({} as Json);
    if (method === undefined) {
      if (!("result" in message || isObject(error))) return;
      calls.get(id)?.(message);
      calls.delete(id);
    } else if (method === "event") hear(type, isObject(payload) ? payload : {});
    else if (id !== undefined && id !== null) void asked({ method, id, type, payload });
  }

  /** Shows what the agent says. A request that was settled elsewhere is not answered any more. */
  function hear(type: unknown, payload: Json) {
    if (type === "ContentPart" && payload.type === "text") person.show(payload.text);
    const isApproval = type === "ApprovalResponse" || type === "ApprovalRequestResolved";
    if (isApproval) open.delete(payload.request_id);
    if (type === "TurnEnd") open.clear();
    for (const [id, { tool_call_id }] of open)
      if (type === "ToolResult" && payload.tool_call_id === tool_call_id) open.delete(id);
  }

  /** Has the person answer. The id of the payload goes into the answer, and that of the message around it. */
  async function asked({ method, id, type, payload }: Json) {
    const refuse = (code: number, message: string) => send({ id, error: { code, message, data: null } });
    if (method !== "request" || (typeof type === "string" && !Object.hasOwn(fits, type)))
      return refuse(-32601, "there is no such method or type");
    if (!isObject(payload) || !fits[type]?.(payload)) return refuse(-32602, "the request does not fit");
    open.set(payload.id, payload);
    const said = await person.ask(payload);
    if (open.delete(payload.id)) send({ id, result: { request_id: payload.id, ...said } });
  }

  function call(method: string, params: Json): Promise<Json> {
    count += 1;
    const id = `c${count}`;
    send({ id, method, params });
    return Promise.race([gone, new Promise<Json>((resolve) => calls.set(id, resolve))]);
  }

  /** Introduces the client. An agent that does not know `initialize` (-32601) is older, and used without. */
  async function initialize() {
    const patience = setTimeout(() => agent.kill("SIGKILL"), INITIALIZE_MS);
    const client = { name: "my-client", version: "0.1.0" };
    const params = { protocol_version: "1.10", client, capabilities: { supports_question: true } };
    const { result, error } = await call("initialize", params).finally(() => clearTimeout(patience));
    const members = ["protocol_version", "server", "slash_commands"];
    const isWhole = isObject(result) && members.every((name) => name in result);
    if (!isWhole && error?.code !== -32601) throw new Error("the agent does not introduce itself");
  }

  /** Ends the agent by the end of its input, then kindly, then by force. */
  async function close() {
    if (agent.pid === undefined || agent.exitCode !== null || agent.signalCode !== null) return;
    const ended = once(agent, "exit");
    agent.stdin.end();
    const stops = (["SIGTERM", "SIGKILL"] as const).map((signal, index) =>
      setTimeout(() => agent.kill(signal), (index + 1) * CLOSE_MS),
    );
    await ended;
    stops.forEach(clearTimeout);
  }

  return { call, initialize, close };
}

/** Reads the JSON object of a line. Anything else is passed over. */
function read(line: string): Json {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) ? message : { method: "event" };
  } catch {
    return { method: "event" };
  }
}

const { env } = process;
const isTold = env.ASKWIRE_CONFORMANCE_ACTS === "stdin";
const words: string[] = JSON.parse(env.ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS ?? "[]");
const person = createPerson(JSON.parse(env.ASKWIRE_CONFORMANCE_ANSWER ?? "{}"), isTold);
const client = createClient([env.ASKWIRE_CONFORMANCE_AGENT ?? "", ...words], person);

/** Resolves with the prompt, and does all that the person does afterwards. */
function prompted(): Promise<string> {
  if (!isTold) return Promise.resolve(env.ASKWIRE_CONFORMANCE_PROMPT ?? "");
  return new Promise((resolve) => {
    const does: Record<string, (act: Json) => unknown> = {
      prompt: ({ text }) => resolve(text),
      steer: ({ text }) => client.call("steer", { user_input: text }).catch(() => {}),
      cancel: () => client.call("cancel", {}).catch(() => {}),
      answer: person.act,
      decline: person.act,
      approve: person.act,
      reject: person.act,
      end: () => {},
    };
    onLines(process.stdin, (line) => {
      const act: Json = JSON.parse(line);
      if (Object.hasOwn(does, act.do)) does[act.do]?.(act);
      else console.log(JSON.stringify({ cannot: act.do }));
    });
  });
}

try {
  await client.initialize();
  const { error } = await client.call("prompt", { user_input: await prompted() });
  if (error !== undefined) console.error(`client: the turn failed: ${error?.message}`);
} catch (error) {
  console.error(`client: ${(error as Error).message}`);
} finally {
  await client.close();
  process.stdin.destroy();
}
