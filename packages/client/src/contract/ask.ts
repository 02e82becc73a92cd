import type {
  Addressees,
  AnswerItem,
  AnswerMap,
  ApprovalKind,
  ApprovalOptionKind,
  AskParams,
  DisplayBlockInput,
  HeardAskResult,
  HeardOutcome,
  In,
  QuestionInput,
} from "@askwire/protocol";
import { randomId } from "@askwire/protocol/internal";

/** A way to answer an approval of this program (P-XAO-1). */
export interface AskedOption {
  /** The id that the outcome names. Ids of one approval differ. */
  readonly id: string;
  /** The words on the row. Default: by kind and scope, such as `Approve`. */
  readonly label?: string;
  /** `allow` approves, `reject` does not. */
  readonly kind: ApprovalOptionKind;
  /** The extent in the rest of the session (P-XAO-4). Default: this approval alone. */
  readonly scope?: { readonly kind: string; readonly value?: string; readonly text?: string };
}

/** An action of this program, for the people of a session to allow (P-XAK-11). */
export interface ApprovalToAsk {
  /** The action, such as `deploy`: `approve_for_session` covers later approvals of the session with an equal one. */
  readonly action: string;
  /** The action in a sentence. */
  readonly description: string;
  /** The blocks to show with the description, such as a difference. Default: none. */
  readonly display?: readonly DisplayBlockInput[];
  /** The ways to answer it. Default: approve, approve for the session, reject. */
  readonly options?: readonly AskedOption[];
  /** The id of the option that `approve_for_session` stands for, where several last. Default: the only one. */
  readonly for_session?: string;
  /** A text that the person may change first, of `max_length` UTF-16 units at most. Default: none. */
  readonly edit?: {
    readonly content: string;
    readonly path?: string;
    readonly language?: string;
    readonly max_length?: number;
  };
  /** True if no policy may answer it: neither `--yolo` nor an earlier decision (P-XAO-10). Default: false. */
  readonly person_only?: boolean;
  /** The part of this program that asks, as people see it beside the program's name. Default: that name. */
  readonly sender?: string;
}

/** The origin of an ask, for people to see beside the name of this program (P-XAK-12). */
export interface AskOrigin {
  /** The program that this one works for, such as `Claude Code`; from 1 to 128 characters, as all but the folder. */
  readonly host?: string | undefined;
  /** The folder of the work, from 1 to 1,024 characters. */
  readonly folder?: string | undefined;
  /** The tool whose call asks, such as `Bash`. */
  readonly tool?: string | undefined;
  /** The kind of the sub-agent that asks, such as `explore`. */
  readonly subagent?: string | undefined;
}

/** Questions or an approval of this program for the people of a session (P-XAK-1 to P-XAK-6, P-XAK-11, P-XAK-12). */
export interface AskInit {
  /** The questions. Leave them and `approval` out to come back for what was asked under the `key`. */
  readonly questions?: readonly QuestionInput[];
  /** An action to allow, in the place of questions. It has no deadline. */
  readonly approval?: ApprovalToAsk;
  /**
   * The origin, which people see. An approval for the session then covers this host and folder alone, and an approval
   * under the `key` of one from elsewhere is refused. Default: none.
   */
  readonly origin?: AskOrigin | undefined;
  /**
   * This program's own name of the ask, from 1 to 128 characters: the same content under the same key is asked once,
   * and has one outcome. Default: a new UUID.
   */
  readonly key?: string;
  /** The people's time in milliseconds, and whether the shown defaults count after it. Default: no deadline. */
  readonly deadline?: { readonly ms: number; readonly on_expiry: "cancel" | "default" };
  /** False to have the reply at once, without an outcome while the request is open. Default: true. */
  readonly wait?: boolean;
  /**
   * The calls of this program that wait for the outcome, from 0 to 1,000: people are told where there are several
   * (P-XAK-10). Sent again without `wait`, another number takes its place. Default: 1 that waits.
   */
  readonly calls?: number;
  /**
   * Those who alone may answer: everybody with one of the roles, and the named persons (P-XTO-1). A server that does not
   * declare `to` asks everybody. Default: whoever may answer at all.
   */
  readonly to?: Addressees | undefined;
  /** True: while somebody has taken it, nobody else's answer counts (P-XTO-5). Default: false. */
  readonly exclusive?: boolean | undefined;
  /**
   * The people that it goes to besides, once it has been open for so many milliseconds: from 1 to 10 steps, each later
   * than the one before (P-XTO-6). Default: none.
   */
  readonly escalate?: readonly { readonly after_ms: number; readonly to: Addressees }[] | undefined;
  /** True to be asked by this client's own handler too. Default: false. */
  readonly here?: boolean;
  /**
   * The fate of the open request when this client is gone for longer than the server waits. Default: `keep` with a
   * your own `key`, since you can come back; else `withdraw`.
   */
  readonly onLost?: "keep" | "withdraw";
  /** Withdraws the request when aborted; the outcome then says so. */
  readonly signal?: AbortSignal;
}

/** The end of an ask that has waited for it. */
export interface AskedToEnd extends Asked {
  readonly outcome: HeardOutcome;
}

/** The end of an ask, or its request while that is open. */
export interface Asked {
  /** The key to come back with. */
  readonly key: string;
  /** The id of the request, the same for every client. */
  readonly request_id: string;
  /** Undefined while the request is open, which only an ask without `wait` is told. */
  readonly outcome: HeardOutcome | undefined;
  /** By question text, as in the base profile. Empty unless the outcome has an answer. */
  readonly answers: Readonly<AnswerMap>;
  /** By the ids of questions and options. Empty unless the outcome has an answer. */
  readonly items: readonly AnswerItem[];
  /** The decision on an approval; undefined without one. A newer server may have other words. */
  readonly response: ApprovalKind | (string & {}) | undefined;
  /** The id of the chosen option, where the approval has its own. */
  readonly option: string | undefined;
  /** The person's words about an approval. */
  readonly feedback: string | undefined;
  /** The text of an approval as the person changed it; undefined if it stays as it was. */
  readonly edited: string | undefined;
}

/** Writes an ask for the wire. */
export function askParams({ key, onLost, signal: _, questions, ...rest }: AskInit): In<typeof AskParams> {
  const lost = onLost ?? (key === undefined ? "withdraw" : undefined);
  return {
    ...(rest as Omit<In<typeof AskParams>, "key">),
    key: key ?? randomId(),
    ...(questions !== undefined && { questions: [...questions] }),
    ...(lost !== undefined && { on_lost: lost }),
  };
}

/** Reads the reply to an ask. */
export const asked = (
  key: string,
  { request_id, outcome, answers, items, response, option, feedback, edited }: HeardAskResult,
): Asked => ({
  ...{ key, request_id, outcome, response, option, feedback, edited },
  answers: answers ?? Object.create(null),
  items: items ?? [],
});
