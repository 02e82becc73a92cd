/** A decision of the table, or a request that is open in a session of the store, without an outcome. */
export interface StoredDecision {
  readonly session: { readonly id: string; readonly title?: string; readonly workDir?: string };
  /** The time of the outcome, or of the opening of a request that is open, in milliseconds since 1970. */
  readonly at: number;
  /** The time of the opening; undefined where nobody was asked. */
  readonly askedAt?: number;
  readonly kind: "question" | "approval";
  readonly requestId?: string;
  readonly callId?: string;
  readonly program?: string;
  /** The question in words, and the digest of the request. */
  readonly asked?: string;
  readonly digest?: string;
  /** The request and the answer as JSON; undefined in rows of versions before 4 of the tables, and where it was removed. */
  readonly request?: string;
  readonly response?: string;
  /** Undefined where it is open. */
  readonly status?: string;
  readonly reason?: string;
  readonly by?: string;
  readonly rule?: string;
  /** The answer in words. */
  readonly answer?: string;
  readonly note?: string;
  /** The person by the word of the server's door, as far as it is known. */
  readonly who?: {
    readonly id?: string;
    readonly name?: string;
    readonly via: string;
    readonly device?: string;
  };
  /** The client by its own word. */
  readonly client?: { readonly name: string; readonly connection?: string };
  readonly answerId?: string;
  /** The digest of the words and names that were removed. */
  readonly forgotten?: string;
}

/** The choice of decisions. */
export interface StoredDecisionQuery {
  /** From this time on, and before the other one, in milliseconds since 1970. Default: all. */
  readonly since?: number;
  readonly until?: number;
  /** The id of a session. */
  readonly session?: string;
  readonly workDir?: string;
  /** The id or the name of a person by the word of the server's door. */
  readonly who?: string;
  /** The name that a client gives itself. */
  readonly client?: string;
}

/** The decisions that are kept in PostgreSQL, without a server and its sessions. */
export interface StoredAudit {
  /** The place of the tables, without a secret. */
  readonly name: string;
  /** The decisions by their time, the oldest first, a page at a time. */
  decisions(query?: StoredDecisionQuery): AsyncGenerator<StoredDecision>;
  /** The requests that are open in sessions of the store, the oldest first. */
  open(query?: StoredDecisionQuery): AsyncGenerator<StoredDecision>;
  /** The ids of sessions with decisions that begin with these characters, at most `most`. */
  sessionIds(beginning: string, most: number): Promise<readonly string[]>;
  /** The number of rows that have the words of a person, by id or name. */
  countOf(who: string): Promise<number>;
  /** Removes the name and the words of a person, as the owner of the tables. Gives the number of rows. */
  forget(who: string): Promise<number>;
  /** Removes rows of before a time, in milliseconds since 1970, as the owner of the tables. Gives their number. */
  prune(before: number): Promise<number>;
  close(): Promise<void>;
}
