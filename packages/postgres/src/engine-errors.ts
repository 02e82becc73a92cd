import { LocalError } from "@askwire/protocol";
import { errorText } from "@askwire/protocol/internal";

/** The SQLSTATE of an error of the engine, or the system's code. */
export const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
};

/** Classes of SQLSTATE: data that does not fit, a constraint, a statement that is wrong, and limits of the program. */
const FINAL = /^(?:22|23|42|54)[0-9A-Z]{3}$/;
/** A right that is missing: whoever took it may give it back. */
const NO_RIGHT = "42501";
/** A statement of that name is there: a pooler gave a connection of another program. */
const NAMED_TWICE = "42P05";
/** A setting of the connection that a pooler does not know. */
const PROTOCOL = "08P01";

/**
 * True for an error that comes again whenever the same is tried again. All others may pass: a lost connection, an engine
 * that starts, fails over, is full or only reads, a deadlock, a right that is missing.
 */
export const isFinal = (error: unknown): boolean => {
  const code = codeOf(error);
  return FINAL.test(code) && code !== NO_RIGHT && code !== NAMED_TWICE;
};

/** The SQLSTATE of a wait for a lock that was given up. */
const LOCK_NOT_AVAILABLE = "55P03";
/** The SQLSTATE of a statement that took too long. */
const STATEMENT_CANCELED = "57014";

/** The error of a statement that moves a session: one that has waited for another move in vain has a sentence. */
export const moveError = (name: string, error: unknown): unknown =>
  codeOf(error) === LOCK_NOT_AVAILABLE
    ? new LocalError(
        "INVALID_STATE",
        `${name}: the engine still works at another move of this session: run the same again`,
        { cause: error },
      )
    : error;

/** The error of a store that cannot begin, by the words of the engine, with the next step. `called`: what begins. */
export function startError(
  place: string,
  schema: string,
  error: unknown,
  called = "postgresStore",
): LocalError {
  const code = codeOf(error);
  const { reason, what } = startProblem(code, schema);
  // A host with several addresses has an error for each.
  const words = error instanceof AggregateError ? error.errors.map(errorText).join("; ") : errorText(error);
  return new LocalError(reason, `${called}: ${place}: ${what} (${words})`, { cause: error });
}

function startProblem(code: string, schema: string): { reason: "CONNECT_FAILED" | "REFUSED"; what: string } {
  if (code === "28P01" || code === "28000")
    return { reason: "REFUSED", what: "the engine refuses this user: check user, password and pg_hba.conf" };
  if (code === "3D000") return { reason: "REFUSED", what: "there is no such database: create it first" };
  if (code === NO_RIGHT)
    return {
      reason: "REFUSED",
      what: `this user may not make or use the tables: let an administrator run "create schema ${schema} authorization USER"`,
    };
  if (code === "25006")
    return { reason: "REFUSED", what: "the engine only reads: give the address of the primary" };
  if (code === LOCK_NOT_AVAILABLE || code === STATEMENT_CANCELED)
    return {
      reason: "CONNECT_FAILED",
      what: "another process holds the tables for longer than is waited for, such as one that updates them: start again once it is done",
    };
  if (code === PROTOCOL)
    return {
      reason: "REFUSED",
      what: "a pooler refuses the connection: give the engine's own address, or set ignore_startup_parameters",
    };
  if (code === "53300")
    return { reason: "CONNECT_FAILED", what: "the engine has no connection left: raise max_connections" };
  return {
    reason: "CONNECT_FAILED",
    what: "the engine cannot be reached: check that it runs, and its address",
  };
}
