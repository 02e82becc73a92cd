import type { extendedAgentMethods, Handlers, ListedDecision } from "@askwire/protocol";
import { LocalError, WireError } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { DecisionQuery } from "../journal/decision-query.js";
import type { SessionMethods } from "./session-methods.js";

/** Rows of a page where the client wants no other number. */
const DECISIONS_A_PAGE = 50;

/** The method by which clients read what was decided (P-XPD-1). `$/cancelRequest` ends it. */
export const decisionMethods = (
  decisions: NonNullable<SessionMethods["decisions"]>,
): Pick<Handlers<typeof extendedAgentMethods>, "list_decisions"> => ({
  async list_decisions(
    { text, kinds, who, status, since, until, after, limit = DECISIONS_A_PAGE } = {},
    call,
  ) {
    const ending = new AbortController();
    call.onCancel(() =>
      ending.abort(new WireError("InvalidState", "the list of what was decided was cancelled")),
    );
    const moment = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
    const query = defined({ text, kinds, who, status, since: moment(since), until: moment(until), after });
    try {
      const { decisions: rows, next } = await decisions({ ...query, limit } as DecisionQuery, ending.signal);
      return { decisions: rows as ListedDecision[], ...(next !== undefined && { next }) };
    } catch (error) {
      if (!(error instanceof LocalError)) throw error;
      throw new WireError("Overloaded", `${error.message}: try again`, {
        data: { limit: "decisions" },
        cause: error,
      });
    }
  },
});
