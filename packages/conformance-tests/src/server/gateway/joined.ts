import { randomUUID } from "node:crypto";
import { isObject, want, wantSame } from "../../contract/expectations.js";
import { type Attached, attach, extendedIntroduction, shows } from "../extended.js";
import { resultOf } from "../messages.js";
import type { CheckedWire } from "../wire.js";
import type { CheckedGateway } from "./gateway-context.js";
import type { GatewayClient } from "./gateway-line.js";

/** An extended client that is attached to a session. */
export interface Joined extends Attached {
  readonly client: GatewayClient;
}

/** The `initialize` of an extended client under a name. */
export function person(name: string, more: object = {}, clientId: string = randomUUID()) {
  return {
    ...extendedIntroduction({ ...shows, client_id: clientId }),
    client: { name, version: "1.0" },
    ...more,
  };
}

/** Connects, by default to the first session, and attaches. Where drops are ordered, it may do so twice. */
export async function joinSession(
  gateway: Pick<CheckedGateway, "connect">,
  params: object,
  address?: string,
): Promise<Joined> {
  const client = await gateway.connect(address);
  const joined = { client, ...(await attach(client, params)) };
  if ("session" in params || !client.loses()) return joined;
  client.drop();
  await client.ended();
  const { id, stream, seq } = joined.session;
  const again = await gateway.connect(address);
  return { client: again, ...(await attach(again, { ...params, session: { id, stream, after_seq: seq } })) };
}

/** The sessions in memory, by their ids. */
export async function sessionsOf(
  wire: CheckedWire,
  method: "list_sessions" | "watch_sessions" = "list_sessions",
): Promise<ReadonlyMap<unknown, Record<string, unknown>>> {
  const result = resultOf(await wire.call(method, {}));
  const sessions = isObject(result) ? result.sessions : undefined;
  want(Array.isArray(sessions) && sessions.every(isObject), "{sessions: [{id, state, connections}]}", result);
  return new Map(sessions.map((session) => [session.id, session]));
}

/** Asks the server until it knows of so many connections to a session: that one is lost reaches it later. */
export async function untilConnected({ client, session }: Joined, connections: number): Promise<void> {
  while ((await sessionsOf(client)).get(session.id)?.connections !== connections) await client.quiet();
}

/** Expects a connection to be closed, at the latest at its last message. An answer proves that it is open. */
export async function wantClosed(client: GatewayClient, code: number): Promise<void> {
  const closing = await client.quiet().then(
    () => undefined,
    () => client.ended(),
  );
  wantSame("the close code", closing?.code ?? "an answer on that connection", code);
}
