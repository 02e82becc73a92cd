import { randomUUID } from "node:crypto";
import { CheckFailure, CheckSkipped } from "../contract/check.js";
import { isObject, wantMembers } from "../contract/expectations.js";
import type { ClientContext, Orders, Started, StartedClient } from "./client-context.js";
import { takeInitialize, takePrompt, takeResponse } from "./conversation.js";
import type { ClientLine, ClientMessage } from "./line.js";
import { type FoundAtAttach, type PlayedSession, playSession } from "./played-session.js";
import type { WebSocketLine } from "./web-socket-line.js";

/** The turn of an extended client. */
export interface ExtendedTurn<L extends ClientLine = ClientLine> {
  readonly client: Started;
  readonly line: L;
  readonly session: PlayedSession;
  /** The client's request `prompt`. */
  readonly prompt: ClientMessage;
  /** The client's `initialize`. */
  readonly introduced: ClientMessage;
}

/** `capabilities.askwire` of an `initialize`, if it has one. */
export function askwireOf({ params }: ClientMessage): Readonly<Record<string, unknown>> | undefined {
  const { capabilities } = isObject(params) ? params : {};
  const { askwire } = isObject(capabilities) ? capabilities : {};
  return isObject(askwire) ? askwire : undefined;
}

/**
 * Takes the client's `initialize`, answers it and leads it to the middle of its turn.
 *
 * @throws CheckSkipped where the client keeps to the base profile.
 */
export async function beginExtendedTurn<L extends ClientLine>(
  client: Started,
  line: L,
  session: PlayedSession = playSession(),
  askwire?: object,
): Promise<ExtendedTurn<L>> {
  const introduced = await takeInitialize(line);
  if (askwireOf(introduced) === undefined)
    throw new CheckSkipped("its initialize has no askwire, so it keeps to the base profile");
  line.send({ id: introduced.id, result: session.greeting({}, askwire) });
  const prompt = await takePrompt(line);
  const { user_input = "", turn_id = randomUUID() } = isObject(prompt.params) ? prompt.params : {};
  session.turnId = String(turn_id);
  line.send(
    session.event("TurnBegin", { user_input, turn_id: session.turnId }),
    session.event("StepBegin", { n: 1 }),
  );
  return { client, line, session, prompt, introduced };
}

/** The turn of a client that connects by WebSocket. */
export interface ConnectedTurn extends ExtendedTurn<WebSocketLine> {
  readonly client: StartedClient;
}

/** The turn of a client that launches its agent. */
export async function startExtended(
  context: ClientContext,
  orders?: Orders,
  askwire?: object,
): Promise<ExtendedTurn> {
  const client = await context.start(orders);
  return beginExtendedTurn(client, await client.launched(), playSession(), askwire);
}

/** Starts a turn of a client that connects by WebSocket. Where drops are ordered, it may have to come back first. */
export async function startConnected(context: ClientContext, orders?: Orders): Promise<ConnectedTurn> {
  const client = await context.startRemote(orders);
  const line = (await client.knocked()).accept();
  const turn = { ...(await beginExtendedTurn(client, line, playSession(client.door.sessionId))), client };
  if (!line.loses()) return turn;
  line.drop();
  return comeBack(turn);
}

/** The messages that follow an attach at once. */
type Behind = (session: PlayedSession) => readonly object[];

/** Waits for a client to attach again, and answers its `initialize`. */
export async function attachAgain(
  turn: ConnectedTurn,
  found?: FoundAtAttach,
  behind?: Behind,
): Promise<ConnectedTurn> {
  const line = (await turn.client.knocked()).accept();
  return greetAgain({ ...turn, line }, found, behind);
}

/** Takes the `initialize` of a connection that was opened again, and answers it; what was missed follows. */
export async function greetAgain(
  turn: ConnectedTurn,
  found: FoundAtAttach = {},
  behind: Behind = () => [],
): Promise<ConnectedTurn> {
  const { line, session } = turn;
  const introduced = await takeInitialize(line);
  const { after_seq: after } = placeIn(introduced) ?? {};
  const missed = found.reset === true || typeof after !== "number" ? [] : session.missed(after);
  const greeting = { id: introduced.id, result: session.greeting(found) };
  line.send(greeting, ...missed, ...behind(session));
  return { ...turn, introduced };
}

/** The place from which a client continues, as its `initialize` tells. */
export function placeIn({ params }: ClientMessage): Readonly<Record<string, unknown>> | undefined {
  const { session } = isObject(params) ? params : {};
  return isObject(session) ? session : undefined;
}

/** Waits until the client has read what was sent: a request of an unknown method behind it is answered. */
export async function untilRead(line: ClientLine): Promise<void> {
  const id = randomUUID();
  line.send({ id, method: "conformance/none", params: {} });
  await takeResponse(line, id);
}

/** Lets the client come back, and takes its prompt, which is sent again for lack of a result. */
export async function comeBack(turn: ConnectedTurn, found?: FoundAtAttach): Promise<ConnectedTurn> {
  return promptedAgain(await attachAgain(turn, found));
}

/** Takes the prompt that is sent again. */
export async function promptedAgain(turn: ConnectedTurn): Promise<ConnectedTurn> {
  const prompt = await takePrompt(turn.line);
  wantMembers("the prompt that is sent again", prompt.params, { turn_id: turn.session.turnId });
  return { ...turn, prompt };
}

/** Ends the turn, and wants the command to end. */
export async function finishExtended({
  client,
  line,
  session,
  prompt,
}: Omit<ExtendedTurn, "introduced">): Promise<void> {
  line.send(session.event("TurnEnd", { turn_id: session.turnId, status: "finished" }), {
    id: prompt.id,
    result: { status: "finished" },
  });
  client.act({ do: "end" });
  await client.ended();
}

/** Wants the command to end without another connection. */
export async function wantEndAlone({ door, ended, waits }: StartedClient): Promise<void> {
  const other = door.next().then((): never => {
    throw new CheckFailure("the command to end", "another connection of it");
  });
  await waits.on(Promise.race([other, ended()]), "the command to end");
}
