import { createServer as createHttpServer } from "node:http";
import { PassThrough } from "node:stream";
import { modelAgent, scriptedModel } from "@askwire/agent";
import { connect } from "@askwire/client";
import { connectProcess, connectStreams, startProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";
import { adp, kilo, kimi, klaude, redc } from "@askwire/dialects";
import { linkedPair } from "@askwire/protocol";
import { wireAgent } from "@askwire/relays";
import { acpAgent, startAgent } from "@askwire/relays/acp";
import { mcpTools } from "@askwire/relays/mcp";
import {
  ApprovalRequest,
  type AskwireServer,
  approve,
  ask,
  createServer,
  defineTool,
  keepIn,
  QuestionRequest,
  serveStdio,
} from "@askwire/server";
import { attachWebSocket, listenWebSocket } from "@askwire/server/websocket";
import { describe, expect, test } from "vitest";

const agent = { run: async () => {} };
const server = () => createServer({ agent });
const question = { tool_call_id: "c", questions: [{ question: "Which?" }] };
const approval = { tool_call_id: "c", sender: "t", action: "a", description: "d" };
const asking = { question: "Which?" };
const acting = { action: "a", description: "d" };
const tool = { name: "T", description: "t", parameters: { type: "object" }, run: () => "done" };

/** The functions of the public faces, each with what it is given, and the options that it takes. */
const faces: Record<string, readonly [give: (options: never) => unknown, right: object]> = {
  createServer: [(options) => createServer(options), { agent }],
  createSession: [(options) => server().createSession(options), {}],
  "server.connect": [(options) => server().connect(linkedPair().left, options), {}],
  keepIn: [(options) => keepIn(options), { share: "/nowhere", workDir: "/nowhere" }],
  serveStdio: [(options) => serveStdio(server(), options), {}],
  listenWebSocket: [(options) => listenWebSocket(server(), options), {}],
  attachWebSocket: [(options) => attachWebSocket(server(), createHttpServer(), options), {}],
  modelAgent: [(options) => modelAgent(options), { model: scriptedModel([]) }],
  defineTool: [(options) => defineTool(options), tool],
  QuestionRequest: [(options) => new QuestionRequest(options), question],
  ApprovalRequest: [(options) => new ApprovalRequest(options), approval],
  kimi: [(options) => kimi(options), {}],
  klaude: [(options) => klaude(options), {}],
  kilo: [(options) => kilo(options), {}],
  redc: [(options) => redc(options), {}],
  adp: [(options) => adp(options), { services: () => [] }],
  wireAgent: [(options) => wireAgent(["agent"], options), {}],
  acpAgent: [(options) => acpAgent(["agent"], options), {}],
  startAgent: [(options) => startAgent(["agent"], options), { cwd: "/" }],
  mcpTools: [(options) => mcpTools(new Map(), {} as never, options), {}],
  connect: [(options) => connect(linkedPair().left, options), {}],
  connectProcess: [(options) => connectProcess("agent", [], options), {}],
  startProcess: [(options) => startProcess("agent", [], options), {}],
  connectStreams: [(options) => connectStreams(new PassThrough(), new PassThrough(), options), {}],
  connectWebSocket: [(options) => connectWebSocket("ws://127.0.0.1:9/wire", options), {}],
};

/** The message of what a function throws or rejects with. */
async function complaint(give: () => unknown): Promise<string> {
  try {
    await give();
  } catch (error) {
    return error instanceof TypeError ? error.message : `no TypeError: ${error}`;
  }
  return "nothing was refused";
}

test.each(Object.keys(faces))("%s refuses an option that it does not know", async (name) => {
  const [give, right] = faces[name] as (typeof faces)[string];
  const message = await complaint(() => give({ ...right, zzz: 1 } as never));
  expect(message).toMatch(/^\w+: unknown option "zzz": expected \w/);
});

describe("a slip is told with what was meant", () => {
  test.each<[string, () => unknown, string]>([
    [
      "an attendance that is none",
      () => createServer({ agent, attendance: "holdd" as never }),
      'createServer: attendance: expected "attended", "hold" or "decline", not "holdd"',
    ],
    [
      "no agent",
      () => createServer({} as never),
      "createServer: agent: expected an agent with a function run or a function that makes one, not undefined",
    ],
    [
      "keep that is no function",
      () => createServer({ agent, keep: {} as never }),
      "createServer: keep: expected a function, as keepIn makes one, not an object",
    ],
    [
      "a port in words",
      () => listenWebSocket(server(), { port: "x" as never }),
      'listenWebSocket: port: expected a whole number from 0 to 65535, not "x"',
    ],
    [
      "a limit that is misspelt",
      () => createServer({ agent, limits: { inbound: 1 } as never }),
      'createServer: limits: unknown option "inbound": did you mean "inboundBytes"?',
    ],
    [
      "a handler of another name",
      () => connect(linkedPair().left, { handlers: { questions: async () => "declined" } as never }),
      'connect: handlers: unknown option "questions": did you mean "question"?',
    ],
    [
      "a handler that is no function",
      () =>
        connectStreams(new PassThrough(), new PassThrough(), { handlers: { approval: "approve" as never } }),
      'connectStreams: handlers: approval: expected a function, not "approve"',
    ],
    [
      "scripts in one text",
      () => scriptedModel("text: hi" as never),
      "scriptedModel: scripts: expected an array of strings",
    ],
    [
      "a server of MCP without a program",
      () => mcpTools(new Map([["files", { commands: ["x"] } as never]]), {} as never),
      'mcpTools: servers: files: unknown option "commands": did you mean "command"?',
    ],
  ])("%s is refused with the option, and what was expected", async (_, give, message) => {
    expect(await complaint(give)).toBe(message);
  });
});

test("an ask or approval that a turn makes refuses a member that it does not know", async () => {
  const messages: string[] = [];
  const gives = [
    () => ask(asking, { dedline: 1 } as never),
    () => ask({ ...asking, multi: true } as never),
    () => ask({ ...asking, options: [{ label: "A", lable: "B" }] } as never),
    () => ask({ colour: { ...asking, own: false } } as never),
    () => approve({ ...acting, personOnly: true } as never),
  ];
  const made: AskwireServer = createServer({
    agent: {
      async run() {
        for (const give of gives) messages.push(await complaint(give));
      },
    },
  });
  await made.createSession().prompt("go");
  expect(messages).toEqual([
    'ask: unknown option "dedline": did you mean "deadline"?',
    'ask: unknown option "multi": did you mean "multi_select"?',
    'ask: options: unknown option "lable": did you mean "label"?',
    'ask: unknown option "own": did you mean "own_text"?',
    'approve: unknown option "personOnly": did you mean "person_only"?',
  ]);
});

test("a client's ask and replay refuse a member that they do not know", async () => {
  const { left: here, right: there } = linkedPair();
  server().connect(there);
  const session = await connect(here);
  expect(await complaint(() => session.ask({ questions: [], onlost: "keep" } as never))).toBe(
    'ask: unknown option "onlost": did you mean "onLost"?',
  );
  expect(await complaint(() => session.replay({ events() {} } as never))).toBe(
    'replay: unknown option "events": did you mean "event"?',
  );
  await session.close();
});
