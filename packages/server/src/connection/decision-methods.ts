import type { extendedAgentMethods, Handlers, ListedDecision } from "@askwire/protocol";
import { LocalError, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { DecisionQuery } from "../journal/decision-query.js";
import type { SessionMethods } from "./session-methods.js";

/** Rows of a page where the client wants no other number. */
const DECISIONS_A_PAGE = 50;
/** The pages that a connection waits for, at most. */
const MOST_PAGES = 2;

/** A connection whose end is told. */
interface EndingConnection {
  /** Calls `leave` at the end of the connection. The returned function prevents that. */
  atEnd(leave: () => void): () => void;
}

/**
 * The method by which the client of a connection reads what was decided (P-XPD-1). `$/cancelRequest` ends it, and so does
 * the end of the connection.
 */
export function decisionMethods(
  decisions: NonNullable<SessionMethods["decisions"]>,
  connection: EndingConnection,
): Pick<Handlers<typeof extendedAgentMethods>, "list_decisions"> {
  const waiting = new Set<AbortController>();
  return {
    async list_decisions(
      { text, kinds, who, status, since, until, after, limit = DECISIONS_A_PAGE } = {},
      call,
    ) {
      if (waiting.size >= MOST_PAGES) {
        const why = `this connection waits for ${MOST_PAGES} pages of what was decided: wait for one of them`;
        throw new WireError("Overloaded", why, { data: { limit: "decisions" } });
      }
      const ending = new AbortController();
      waiting.add(ending);
      const end = (why: string) => {
        waiting.delete(ending);
        ending.abort(new WireError("InvalidState", why));
      };
      call.onCancel(() => end("the list of what was decided was cancelled"));
      const stay = connection.atEnd(() => end("the connection has ended"));
      const moment = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
      const query = defined({ text, kinds, who, status, since: moment(since), until: moment(until), after });
      try {
        const { decisions: rows, next } = await decisions(
          { ...query, limit } as DecisionQuery,
          ending.signal,
        );
        return { decisions: rows as ListedDecision[], ...(next !== undefined && { next }) };
      } catch (error) {
        if (!(error instanceof LocalError)) throw error;
        throw new WireError("Overloaded", `${error.message}: try again`, {
          data: { limit: "decisions" },
          cause: error,
        });
      } finally {
        waiting.delete(ending);
        stay();
      }
    },
  };
}
