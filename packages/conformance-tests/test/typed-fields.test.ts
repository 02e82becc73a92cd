import type { Socket } from "node:net";
import { type ClientSession, type ConnectOptions, connect, type QuestionView } from "@askwire/client";
import { connectStreams } from "@askwire/client/stdio";
import { connectJsonRpc } from "@askwire/client/vscode-jsonrpc";
import { connectWebSocket } from "@askwire/client/websocket";
import { linkedPair } from "@askwire/protocol/testing";
import { type Agent, createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";
import { serveJsonRpc } from "@askwire/server/vscode-jsonrpc";
import { listenWebSocket } from "@askwire/server/websocket";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { socketPair } from "./socket-pair.js";

const questions = [
  { question: "Which port?", field: { type: "integer", bounds: { min: 1, max: 65535 }, prefill: "8080" } },
  { question: "With TLS?", field: { type: "boolean" } },
  { question: "From when?", field: { type: "date", required: false } },
  { question: "Which name?", field: { type: "text", pattern: "^[a-z]+$" } },
  {
    question: "Which parts?",
    options: [{ label: "A" }, { label: "B" }, { label: "C" }],
    multi_select: true,
    min: 2,
    max: 2,
  },
] as const;

/** An agent that asks all of it, and says the answers or why there are none. */
const agent: Agent = {
  async run(turn) {
    const list = questions as unknown as ConstructorParameters<typeof QuestionRequest>[0]["questions"];
    const request = new QuestionRequest({ tool_call_id: turn.id, questions: list });
    wireSend(request);
    const said = await request.wait().catch(() => request.outcome);
    turn.say(JSON.stringify(said));
  },
};
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const served = () => createServer({ agent, log: quiet });
const streamed = (socket: Socket) => ({
  reader: new StreamMessageReader(socket),
  writer: new StreamMessageWriter(socket),
});

const transports: Record<string, (options: ConnectOptions) => Promise<ClientSession>> = {
  memory(options) {
    const { left, right } = linkedPair();
    served().connect(left);
    return connect(right, options);
  },
  async stdio(options) {
    const [left, right] = await socketPair();
    void serveStdio(served(), { input: left, output: left });
    return connectStreams(right, right, options);
  },
  async WebSocket(options) {
    const server = served();
    const gateway = await listenWebSocket(server);
    onTestFinished(() => gateway.close());
    return connectWebSocket(gateway.address(server.createSession()), options);
  },
  async "a reader and a writer of vscode-jsonrpc"(options) {
    const [left, right] = await socketPair();
    serveJsonRpc(served(), streamed(left));
    return connectJsonRpc(streamed(right), options);
  },
  async "a connection of vscode-jsonrpc"(options) {
    const [left, right] = await socketPair();
    const connection = (socket: Socket) => {
      const { reader, writer } = streamed(socket);
      return createMessageConnection(reader, writer);
    };
    serveJsonRpc(served(), connection(left));
    return connectJsonRpc(connection(right), options);
  },
};

/** The agent's words once the questions are answered, each time anew. */
async function saidOver(
  open: (options: ConnectOptions) => Promise<ClientSession>,
  options: ConnectOptions,
): Promise<unknown> {
  const session = await open(options);
  let said = "";
  for await (const { type, payload } of session.prompt("go")) {
    if (type === "ContentPart" && payload.type === "text") said += payload.text;
  }
  await session.close();
  return JSON.parse(said);
}

const values = (...texts: string[]) => ({
  items: [
    ...texts.map((own_text, index) => ({ question_id: `q${index + 1}`, selected: [], own_text })),
    { question_id: "q5", selected: ["q5_o1", "q5_o3"] },
  ],
});
const byText = (port: string) => ({
  answers: { "Which port?": port, "With TLS?": "No", "Which name?": "ada", "Which parts?": "A, C" },
});
const canonical = {
  "Which port?": "443",
  "With TLS?": "true",
  "From when?": "2026-03-01",
  "Which name?": "ada",
  "Which parts?": "A, C",
};

describe.each(Object.entries(transports))("over %s, questions with fields", (_, open) => {
  test("are shown by their type, refused with their mistakes, and answered in canonical form (P-XFL-1, P-XFL-3)", async () => {
    const views: QuestionView[] = [];
    const mistakes: string[][] = [];
    const said = await saidOver(open, {
      shows: { fields: true },
      handlers: {
        question(view, { issues }) {
          views.push(view);
          mistakes.push(issues.map(({ question_id, code }) => `${question_id}: ${code}`));
          return issues.length === 0
            ? values("0", "perhaps", "soon", "Ada")
            : values(" 0443", "yes", "2026-3-1", "ada");
        },
      },
    });
    expect(views[0]?.questions.map(({ field, min, max }) => field ?? { min, max })).toEqual(
      questions.map((asked) => ("field" in asked ? asked.field : { min: 2, max: 2 })),
    );
    expect(mistakes).toEqual([[], ["q1: bounds", "q2: type", "q3: type", "q4: pattern"]]);
    expect(said).toEqual(canonical);
  });

  test("are asked of a client without them as text, with the same answers (P-XFL-8)", async () => {
    const bodies: string[] = [];
    const said = await saidOver(open, {
      handlers: {
        question(view) {
          bodies.push(...view.questions.map(({ body }) => body));
          expect(view.questions.every(({ field, min }) => field === undefined && min === undefined)).toBe(
            true,
          );
          return values("443", "true", "2026-03-01", "ada");
        },
      },
    });
    expect(bodies[0]).toBe("Expected: a whole number from 1 to 65535.");
    expect(said).toEqual(canonical);
  });

  test("are asked of a base client again, three times, and then end with what was said (P-XFL-9)", async () => {
    const asked: string[] = [];
    const answer = (ports: readonly string[]) =>
      saidOver(open, {
        profile: "base",
        handlers: {
          question({ questions: [first] }) {
            asked.push(first?.body ?? "");
            return byText(ports[asked.length - 1] ?? "none");
          },
        },
      });
    expect(await answer(["none", "+8080"])).toMatchObject({ "Which port?": "8080", "With TLS?": "false" });
    expect(asked[1]).toBe('Not taken: expected a whole number from 1 to 65535, found "none".');
    asked.length = 0;
    expect(await answer([])).toMatchObject({ status: "unavailable", reason: "protocol_error", note: "none" });
    expect(asked).toHaveLength(4);
  });
});
