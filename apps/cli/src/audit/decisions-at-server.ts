import {
  decisionPages,
  type HeardDecision,
  tellsDecisions,
  type WantedDecisions,
} from "@askwire/client/decisions";
import { connectWebSocket } from "@askwire/client/websocket";
import { type Outcome, wireErrorCodes } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { KeptDecision } from "@askwire/server/internal";
import { lobbyAddress } from "../input/addresses.js";
import { CommandFailure } from "../input/failure.js";
import type { ToldDecision } from "./merged-decisions.js";

/** The time for a server to let the command in, in milliseconds. */
const ANSWER_MS = 10_000;
/** Rows that are asked for at once. */
const ROWS_AT_ONCE = 200;

/** A running server, and the token that its address does not have. */
export interface AskedServer {
  readonly address: string;
  readonly token?: string | undefined;
}

/**
 * The decisions of a running server's sessions, the newest first. The connection ends with the reading.
 *
 * @throws Failure where the server does not tell it, or this token may not know.
 */
export async function* decisionsAtServer(
  { address, token }: AskedServer,
  wanted: WantedDecisions,
): AsyncGenerator<ToldDecision> {
  const session = await connectWebSocket(lobbyAddress(address), {
    ...{ client: { name: "askwire-audit" }, lobby: true, reconnect: false, initializeTimeoutMs: ANSWER_MS },
    ...defined({ token }),
  });
  try {
    if (!session.may("history"))
      throw new CommandFailure(
        "audit --connect: this token may only answer, and not read what others did: use the token of the server, or of a person without a role",
      );
    if (!tellsDecisions(session))
      throw new CommandFailure(
        "audit --connect: this server does not tell what was decided: it keeps no sessions, or is of an earlier version",
      );
    for await (const rows of decisionPages(session, { ...wanted, limit: ROWS_AT_ONCE }))
      for (const row of rows) yield toldOfHeard(row);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== wireErrorCodes.Overloaded) throw error;
    throw new CommandFailure(`audit --connect: ${(error as Error).message}`);
  } finally {
    await session.close();
  }
}

/** A decision of the wire as one of a journal. */
function toldOfHeard(row: HeardDecision): ToldDecision {
  const { at, asked_at, session_id, title, folder, kind, request, response, who, client, forgotten, cut } =
    row;
  const { status, reason, by, note } = row;
  const principal = forgotten === undefined ? who : undefined;
  return {
    session: { id: session_id, ...defined({ title, workDir: folder }) },
    decision: {
      ...{ at: Date.parse(at), kind: kind as KeptDecision["kind"] },
      ...defined({
        askedAt: asked_at === undefined ? undefined : Date.parse(asked_at),
        ...{ requestId: row.request_id, callId: row.tool_call_id, program: row.program, rule: row.rule },
        ...{ answerId: row.answer_id, request: request as KeptDecision["request"], response },
      }),
      outcome: defined({ status, by, at, reason, note, client, principal }) as unknown as Outcome,
      ...(forgotten !== undefined && { forgotten: { digest: forgotten, ...defined({ via: who?.via }) } }),
    },
    words: defined({ asked: row.asked, digest: row.digest, answer: row.answer }),
    ...(cut && { isCut: true }),
  };
}
