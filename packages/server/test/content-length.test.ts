import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { deferred } from "../../../scripts/deferred.js";

const program = `
import { createServer, QuestionRequest, serveStdio, wireSend } from "@askwire/server";
const questions = [{ question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }];
async function run(turn) {
  turn.step();
  const request = new QuestionRequest({ tool_call_id: "t1", questions });
  wireSend(request);
  const answers = await request.wait();
  for (const word of ["You", "chose", answers["Which colour?"]]) turn.say(word);
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
await serveStdio(createServer({ agent: { run }, log: quiet }), { limits: { inboundBytes: 1000 } });
`;

interface Asked {
  type: string;
  payload: { id: string; questions: { question: string; options: { label: string }[] }[] };
}
interface Told {
  type: string;
  payload: Record<string, unknown>;
}

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

function startServer() {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

/** A connection as a library makes it that knows nothing of us, with all that it was told, as words. */
function connectStock(answer: (asked: Asked) => unknown) {
  const child = startServer();
  const connection: MessageConnection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const story: string[] = [];
  connection.onNotification("event", ({ type, payload }: Told) => {
    story.push(type === "ContentPart" ? String(payload.text) : type);
  });
  connection.onRequest("request", (asked: Asked) => {
    story.push(`ask ${asked.payload.questions[0]?.question}`);
    return answer(asked);
  });
  connection.listen();
  return { child, connection, story };
}

const introduce = (connection: MessageConnection) =>
  connection.sendRequest("initialize", {
    protocol_version: "1.10",
    client: { name: "an extension", version: "1" },
    capabilities: { supports_question: true },
  });

describe("a stock vscode-jsonrpc connection drives the server", () => {
  test("a stock vscode-jsonrpc connection is asked, answers, and gets everything in order, umlauts included (P-FRM-5, P-FRM-7)", async () => {
    const { child, connection, story } = connectStock(({ payload: { id, questions } }) => {
      const [item] = questions;
      return { request_id: id, answers: { [item?.question ?? ""]: `${item?.options[1]?.label} für dich` } };
    });
    expect(await introduce(connection)).toMatchObject({ protocol_version: "1.10" });
    const result = await connection.sendRequest("prompt", { user_input: "Grüße" });
    expect(result).toEqual({ status: "finished" });
    expect(story).toEqual([
      "TurnBegin",
      "StepBegin",
      "ask Which colour?",
      "You",
      "chose",
      "Blue für dich",
      "TurnEnd",
    ]);
    connection.end();
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  test("a stock vscode-jsonrpc connection cancels a turn whose question is open (P-FRM-7, P-TRN-6)", async () => {
    const { promise: open, resolve: asked } = deferred();
    const { connection, story } = connectStock(() => {
      asked();
      return new Promise(() => {});
    });
    await introduce(connection);
    const turn = connection.sendRequest("prompt", { user_input: "go" });
    await open;
    expect(await connection.sendRequest("cancel")).toEqual({});
    expect(await turn).toEqual({ status: "cancelled" });
    expect(story).toEqual(["TurnBegin", "StepBegin", "ask Which colour?", "TurnEnd"]);
  });

  test("the token of a stock vscode-jsonrpc connection takes a prompt back, which ends the turn (P-TRN-7)", async () => {
    const source = new CancellationTokenSource();
    const { connection, story } = connectStock(() => {
      source.cancel();
      return new Promise(() => {});
    });
    await introduce(connection);
    const turn = connection.sendRequest("prompt", { user_input: "go" }, source.token);
    expect(await turn).toEqual({ status: "cancelled" });
    expect(story.at(-1)).toBe("TurnEnd");
  });

  test("a mistake of a stock vscode-jsonrpc connection comes back as an error of its request", async () => {
    const { connection } = connectStock(() => ({}));
    await expect(connection.sendRequest("cancel")).rejects.toMatchObject({ code: -32000 });
    await expect(connection.sendRequest("nope")).rejects.toMatchObject({ code: -32601 });
    await expect(connection.sendRequest("prompt", [1, 2])).rejects.toMatchObject({ code: -32602 });
    await expect(introduce(connection)).resolves.toMatchObject({ protocol_version: "1.10" });
  });
});

const frame = (body: string) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** The server's output for this input, which then ends. */
async function answersTo(input: string) {
  const child = startServer();
  const output = text(child.stdout);
  child.stdin.end(input);
  const [status] = await once(child, "exit");
  return { status, output: await output };
}

describe("bytes of a client with Content-Length framing", () => {
  test("ids in Content-Length framing come back as they were sent, integers as integers (P-FRM-5)", async () => {
    const { output } = await answersTo(
      ['{"id":7,"method":"nope"}', '{"id":"7","method":"nope"}'].map(frame).join(""),
    );
    const rest = '"error":{"code":-32601,"message":"Unexpected method received: nope","data":null}}';
    expect(output).toBe(
      frame(`{"jsonrpc":"2.0","id":7,${rest}`) + frame(`{"jsonrpc":"2.0","id":"7",${rest}`),
    );
  });

  test("a body over the limit in Content-Length framing costs only itself (P-LIM-2)", async () => {
    const { output } = await answersTo(frame("x".repeat(1001)) + frame('{"id":1,"method":"nope"}'));
    expect(output.match(/"id":\w+|"code":-\d+/g)).toEqual([
      '"id":null',
      '"code":-32600',
      '"id":1',
      '"code":-32601',
    ]);
  });

  test("a header that cannot be read in Content-Length framing is answered, and the process ends (P-FRM-8)", async () => {
    const { status, output } = await answersTo(
      `Content-Length: many\r\n\r\n${frame('{"id":1,"method":"nope"}')}`,
    );
    expect(output.match(/"id":\w+|"code":-\d+|expected a number of bytes/g)).toEqual([
      '"id":null',
      '"code":-32700',
      "expected a number of bytes",
    ]);
    expect(status).toBe(0);
  });

  test("ids on lines come back as they were sent, integers as integers (P-FRM-5)", async () => {
    const { output } = await answersTo('{"id":7,"method":"nope"}\n{"id":"7","method":"nope"}\n');
    expect(output.match(/"id":[^,]+|"code":-\d+/g)).toEqual([
      '"id":7',
      '"code":-32601',
      '"id":"7"',
      '"code":-32601',
    ]);
  });
});
