import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { deferred } from "../../../scripts/deferred.js";

/** A request as it came. */
export interface ModelCall {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** biome-ignore lint/suspicious/noExplicitAny: JSON as a provider reads it. */
  readonly body: any;
}

/** A provider of the chat completions protocol, on a port of its own. */
export interface ModelEndpoint {
  /** The address of `/chat/completions`. */
  readonly url: string;
  readonly calls: readonly ModelCall[];
  /** Resolves when the client has let go of the n-th call's connection, from 1. */
  dropped(n: number): Promise<void>;
}

/** The endpoint's answer to one call. */
export type ModelAnswer = (response: ServerResponse, call: ModelCall) => void;

/** Listens until the test ends, and answers one call after the other like this. */
export async function modelEndpoint(answers: readonly ModelAnswer[]): Promise<ModelEndpoint> {
  const calls: ModelCall[] = [];
  const drops = answers.map(() => deferred());
  const server = createServer(async (request, response) => {
    const call = await read(request);
    calls.push(call);
    const answer = answers[calls.length - 1] ?? fails(500, "the test has no more answers");
    const drop = drops[calls.length - 1];
    response.once("close", () => drop?.resolve());
    answer(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const dropped = async (n: number) => drops[n - 1]?.promise;
  return { url: `http://127.0.0.1:${port}/v1`, calls, dropped };
}

/** An address without a listener. */
export async function urlOfNobody(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/v1`;
}

async function read(request: IncomingMessage): Promise<ModelCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { path: request.url ?? "", headers: request.headers, body: text === "" ? {} : JSON.parse(text) };
}

/** Streams these chunks as events and ends in the usual way. */
export const streams =
  (...chunks: object[]): ModelAnswer =>
  (response) => {
    begin(response, chunks);
    response.end("data: [DONE]\n\n");
  };

/** Streams these chunks, and then ends the answer without a word, breaks it off, or says nothing more for ever. */
export const streamsThen =
  (end: "ends" | "breaks" | "stalls", ...chunks: object[]): ModelAnswer =>
  (response) => {
    begin(response, chunks);
    if (end === "ends") response.end();
    // Once they are on their way, so that they arrive.
    if (end === "breaks") setImmediate(() => response.destroy());
  };

/** Sends this text as the stream. */
export const sends =
  (text: string): ModelAnswer =>
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
  };

/** Answers with a status and an error in the usual form. */
export const fails =
  (status: number, message: string, headers: Record<string, string> = {}): ModelAnswer =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify({ error: { message, type: "test", code: null } }));
  };

function begin(response: ServerResponse, chunks: readonly object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** A chunk of an answer. */
export const chunk = (delta: object, finish_reason: string | null = null, usage?: object) => ({
  id: "chat-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "test",
  choices: [{ index: 0, delta, finish_reason }],
  ...(usage && { usage }),
});

export const says = (text: string) => chunk({ content: text });
export const thinks = (text: string) => chunk({ reasoning_content: text });

/** A call of a tool begins, with the first of its arguments. */
export const calls = (index: number, id: string, name: string, text = "") =>
  chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: text } }] });

/** More of a call's arguments. */
export const more = (index: number, text: string) =>
  chunk({ tool_calls: [{ index, function: { arguments: text } }] });

export const stops = (reason = "stop", usage?: object) => chunk({}, reason, usage);
