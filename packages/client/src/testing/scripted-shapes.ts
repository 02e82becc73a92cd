import type { OutcomeStatus } from "@askwire/protocol";
import type { AnswerSaid } from "./scripted-request.js";

/** The settings of a `scriptedServer`. */
export interface ScriptedServerOptions {
  /** The profile that it has; a client that offers only the base profile has that anyway. Default: `extended`. */
  readonly profile?: "extended" | "base";
  /** The name of the server in `initialize`. Default: `scripted`. */
  readonly name?: string;
}

/** An approval to put to the client. */
export interface ScriptedApprovalInit {
  readonly description: string;
  /** Default: `run`. */
  readonly action?: string;
  /** The rest as on the wire, such as `options`, `edit` and `display`. Default: none. */
  readonly [member: string]: unknown;
}

/** The end of a request that the client did not bring about. */
export interface ScriptedOutcome {
  readonly status: OutcomeStatus;
  /** One that belongs to the status. */
  readonly reason?: string;
  /** The name of the client that answered. Default: `another client`, of `answered` and `declined`. */
  readonly client?: string;
  /** Default: none. */
  readonly note?: string;
  /** The answer as other clients are told it. Default: none. */
  readonly response?: unknown;
}

/**
 * An answer of the client, and what became of it: `taken`, `refused` with issues, `late` after another settlement,
 * `repeated` under the id of an earlier one, or `lost` with its connection.
 */
export interface ReceivedAnswer {
  readonly request_id: string;
  readonly became: "taken" | "refused" | "late" | "repeated" | "lost";
  readonly said: AnswerSaid;
}
