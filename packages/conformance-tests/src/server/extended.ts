import { randomUUID } from "node:crypto";
import { AttachedSession, EXTENDED_REVISION, type QuestionItem } from "@askwire/protocol";
import { CheckSkipped } from "../contract/check.js";
import { isObject, want, wantMembers } from "../contract/expectations.js";
import type { ServerContext, ServerStart } from "./context.js";
import { initialize, type QuestionOfTurn, sendPrompt, wholeClient } from "./conversation.js";
import { payloadOf, resultOf, type ServerMessage, wantedEvent, wantedRequest } from "./messages.js";
import { askingLine } from "./scripts.js";
import { type CheckedWire, isExtended } from "./wire.js";
import type { WireServer } from "./wire-server.js";

/** All features that a client of the extended profile can show. */
export const shows = { previews: true, notes: true, attachments: true, skip: true, deadline: true };

/** The `initialize` of an extended client, which can show everything by default. */
export function extendedIntroduction(askwire: object = shows, capabilities: object = {}) {
  return {
    ...wholeClient,
    capabilities: {
      ...wholeClient.capabilities,
      ...capabilities,
      askwire: { revision: EXTENDED_REVISION, ...askwire },
    },
  };
}

/** The session of an extended client, and the features that the server may use. */
export interface Attached {
  readonly session: AttachedSession;
  /** `capabilities.askwire` of the result. */
  readonly uses: Readonly<Record<string, unknown>>;
  /** The whole response. */
  readonly response: ServerMessage;
}

/**
 * Initializes as an extended client.
 *
 * @throws CheckSkipped if the server has only the base profile.
 */
export async function attach(wire: CheckedWire, params: object = extendedIntroduction()): Promise<Attached> {
  const response = await initialize(wire, params);
  const { result } = response;
  if (!isExtended(result))
    throw new CheckSkipped("its result of initialize has no askwire, so it keeps to the base profile");
  const parsed = AttachedSession.safeParse(result.session);
  const expected = "session {id, stream, seq, state, turn_id?, plan_mode, pending, reset} in the result";
  want(parsed.success, expected, result);
  const { askwire } = result.capabilities as { askwire: Record<string, unknown> };
  return { session: parsed.data, uses: askwire, response };
}

/** Starts a server and attaches to it. */
export async function introduceExtended(
  context: ServerContext,
  options: ServerStart = {},
  params: object = extendedIntroduction(),
): Promise<WireServer> {
  const server = await context.start(options);
  await attach(server, params);
  return server;
}

/** A question before an extended client, which has said that a person has it. */
export async function openQuestionById(
  context: ServerContext,
  options: ServerStart = { scripts: [askingLine(), "text: Thanks."] },
  params: object = extendedIntroduction(),
): Promise<QuestionOfTurn> {
  const server = await introduceExtended(context, options, params);
  const turn = sendPrompt(server);
  return { server, turn, question: await shownRequest(server, wantedRequest("QuestionRequest")) };
}

/** The next request of a kind, with the receipt for it. */
export async function shownRequest(
  wire: CheckedWire,
  wanted: ReturnType<typeof wantedRequest>,
): Promise<ServerMessage> {
  const asked = await wire.next(wanted);
  wire.send({ jsonrpc: "2.0", method: "received", params: { request_id: asked.id } });
  return asked;
}

/** Sends an answer, under an id of its own if it names none, and returns the id of the request. */
export function sendAnswer(wire: CheckedWire, { id }: Pick<ServerMessage, "id">, words: object): string {
  const outcome = { status: "answered" };
  return wire.request("answer", { request_id: id, answer_id: randomUUID(), outcome, ...words });
}

/** Sends an answer that must be accepted; returns its outcome. */
export async function answerById(wire: CheckedWire, asked: Pick<ServerMessage, "id">, words: object) {
  return outcomeIn(resultOf(await wire.response(sendAnswer(wire, asked, words))));
}

function outcomeIn(value: unknown): Record<string, unknown> {
  want(isObject(value) && isObject(value.outcome), "an outcome", value);
  return value.outcome;
}

/** Items that choose options by their labels, a list of labels for each question. */
export function choosing(asked: ServerMessage, ...labels: readonly (readonly string[])[]) {
  const questions = payloadOf(asked).questions as readonly QuestionItem[];
  return questions.map(({ id, options }, index) => ({
    question_id: id,
    selected: options.filter(({ label }) => labels[index]?.includes(label)).map((option) => option.id),
  }));
}

/** The InteractionSettled of a request. */
export async function settlement(wire: CheckedWire, requestId: unknown): Promise<ServerMessage> {
  return await wire.next(wantedEvent("InteractionSettled", { request_id: requestId }));
}

/** Wants a request to be settled so; returns the event. */
export async function wantSettled(
  wire: CheckedWire,
  requestId: unknown,
  outcome: object,
): Promise<ServerMessage> {
  const told = await settlement(wire, requestId);
  wantMembers("InteractionSettled", payloadOf(told), { outcome });
  return told;
}

/** Expects a request, such as an answer, to be refused. Returns the error's data. */
export async function wantRefused(wire: CheckedWire, id: string, code: number): Promise<unknown> {
  const response = await wire.response(id);
  wantMembers("an error", response, { error: { code } });
  return response.error?.data;
}
