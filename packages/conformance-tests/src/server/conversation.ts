import type { QuestionItem } from "@askwire/protocol";
import { want, wantMembers, wantSame } from "../contract/expectations.js";
import type { ServerContext, ServerStart } from "./context.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "./messages.js";
import { askingLine } from "./scripts.js";
import type { CheckedWire } from "./wire.js";
import type { WireServer } from "./wire-server.js";

/** The `initialize` of a client that can do everything. */
export const wholeClient = {
  protocol_version: "1.10",
  client: { name: "conformance", version: "1.0" },
  capabilities: { supports_question: true, supports_plan_mode: true },
};

/** Starts a server and initializes it. */
export async function begin(
  context: ServerContext,
  options: ServerStart = {},
  params: object = wholeClient,
): Promise<WireServer> {
  const server = await context.start(options);
  await initialize(server, params);
  return server;
}

/** @returns the result of `initialize`. */
export async function initialize(server: CheckedWire, params: object = wholeClient): Promise<ServerMessage> {
  const response = await server.call("initialize", params);
  resultOf(response);
  return response;
}

/** Sends a prompt and returns its id. */
export function sendPrompt(server: CheckedWire, input: unknown = "hello"): string {
  return server.request("prompt", { user_input: input });
}

/** Runs a whole turn, and expects this result. */
export async function turn(
  server: CheckedWire,
  input: unknown = "hello",
  result: object = { status: "finished" },
): Promise<void> {
  await wantResult(server, sendPrompt(server, input), result);
}

export async function wantResult(server: CheckedWire, id: string, result: object): Promise<void> {
  wantSame("the prompt's result", resultOf(await server.response(id)), result);
}

/** @param id of a request; null: an error that names none. */
export async function wantError(server: CheckedWire, id: string | null, code: number): Promise<void> {
  wantMembers("an error", await server.response(id), { error: { code } });
}

/** A server whose client has an open question, in a running turn. */
export interface QuestionOfTurn {
  readonly server: WireServer;
  readonly question: ServerMessage;
  /** The id of the prompt. */
  readonly turn: string;
}

export async function openQuestion(
  context: ServerContext,
  options: ServerStart = { scripts: [askingLine(), "text: Thanks."] },
  params: object = wholeClient,
): Promise<QuestionOfTurn> {
  const server = await begin(context, options, params);
  const turn = sendPrompt(server);
  return { server, turn, question: await server.next(wantedRequest("QuestionRequest")) };
}

/** A turn in which the model calls the server's WriteFile, which must be approved. */
export async function openApproval(context: ServerContext, scripts: readonly string[]) {
  const server = await begin(context, { scripts });
  const turn = sendPrompt(server);
  return { server, turn, approval: await server.next(wantedRequest("ApprovalRequest")) };
}

/** The one question of a request, whose fields were checked on arrival. */
export function onlyQuestion(request: ServerMessage): QuestionItem {
  const [item, ...others] = payloadOf(request).questions as QuestionItem[];
  want(item !== undefined && others.length === 0, "one question in the request", payloadOf(request));
  return item;
}

/** Answers a question with a map of texts. */
export function answer(server: CheckedWire, { id }: ServerMessage, answers: object): void {
  reply(server, id, { request_id: id, answers });
}

/** Sends a response with a result of any kind. */
export function reply(server: CheckedWire, id: unknown, result: unknown): void {
  server.send({ jsonrpc: "2.0", id, result });
}

/** Sends an error in the place of an answer. */
export function fail(server: CheckedWire, id: unknown, code: number, message = "no"): void {
  server.send({ jsonrpc: "2.0", id, error: { code, message } });
}

/** The expected contents of the next tool result. */
export async function awaitToolResult(server: CheckedWire, call = "tc-1"): Promise<Record<string, unknown>> {
  const result = await server.next(wantedEvent("ToolResult", { tool_call_id: call }));
  return payloadOf(result).return_value as Record<string, unknown>;
}

/** Expects that no message of this kind came. Call it after `quiet`, or when the turn has ended. */
export function wantNone(server: CheckedWire, { name, fits }: ReturnType<typeof wantedEvent>): void {
  const found = server.messages.find(fits);
  want(found === undefined, `no ${name.replace(/^(the|a) /, "")}`, found);
}

/** The server's messages after an act, up to its answer to a later request. */
export async function saidTo(server: CheckedWire, act: () => unknown): Promise<readonly ServerMessage[]> {
  const before = await server.quiet();
  await act();
  const after = await server.quiet();
  return server.messages.slice(server.messages.indexOf(before) + 1, server.messages.indexOf(after));
}

/** Wants something to be met with silence. */
export async function wantSilence(server: CheckedWire, act: () => unknown): Promise<void> {
  const said = await saidTo(server, act);
  want(said.length === 0, "silence", said);
}

/** Wants messages to have come in this order, whatever is between them. */
export function wantOrder(
  server: CheckedWire,
  expected: string,
  ...messages: readonly ServerMessage[]
): void {
  const places = messages.map((message) => server.messages.indexOf(message));
  const inOrder = places.every((place, index) => index === 0 || place > (places[index - 1] as number));
  want(inOrder, expected, namesOf(server.messages).join(", "));
}

/** Messages by their names: the type of an event or request, or the id of a response. */
export function namesOf(messages: readonly ServerMessage[]): string[] {
  return messages.map(({ method, params, id }) =>
    method === undefined ? `response ${String(id)}` : String(params?.type),
  );
}
