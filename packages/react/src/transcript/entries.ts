import type {
  ApprovalOption,
  DisplayBlock,
  HeardActingClient,
  HeardOutcome,
  WireEvent,
} from "@askwire/protocol";

/** Words of a person or the output of a tool: texts, and the types of parts without one, such as `image_url`. */
export type Said = readonly (string | { readonly part: string })[];

/** The events that a line reports. */
export type NotedEvent = Extract<
  WireEvent,
  {
    type:
      | "StepInterrupted"
      | "StepRetry"
      | "CompactionBegin"
      | "CompactionEnd"
      | "HookResolved"
      | "Notification"
      | "StatusUpdate"
      | "TurnEnd"
      | "DoNotAsk"
      | "PolicyDecided";
  }
>;

/** The answer to a request as every client is told it. */
export interface Settled {
  /** Absent in the base profile, which reports only the answers to approvals. */
  readonly outcome?: HeardOutcome;
  /** The answers to a question, by its texts, each with its choices. */
  readonly answers?: readonly (readonly [question: string, choices: readonly string[]])[];
  /** The notes on the answers. Absent without any. */
  readonly notes?: readonly string[];
  /** The number of pictures with the answers. Absent without any. */
  readonly pictures?: number;
  /** The answer to an approval: the label of the chosen option where there is one. */
  readonly approval?: {
    readonly response: string;
    readonly label?: string;
    /** The chosen option, where it has the usual words of its scope and no label of its own. */
    readonly usual?: Pick<ApprovalOption, "kind" | "scope">;
    readonly feedback: string;
    readonly isEdited: boolean;
  };
}

/** The result of a tool call. */
export interface CallResult {
  readonly isError: boolean;
  readonly output: Said;
  readonly display: readonly DisplayBlock[];
}

/** A question as far as its answer is read by it. A history without ids has those that the server gives by itself. */
export interface LabelledQuestion {
  readonly id: string;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

/** An option of an approval. `label` is absent where it has the usual words of its scope. */
export interface ApprovalOptionAsked extends Pick<ApprovalOption, "id" | "kind" | "scope"> {
  readonly label?: string;
}

interface Entries {
  prompt: {
    readonly said: Said;
    /** The client that prompted. Absent where the server's own program did, and in the base profile. */
    readonly by?: HeardActingClient;
    /** True if this page prompted. */
    readonly isOwn: boolean;
  };
  /** Words to the agent in the middle of its turn. */
  steer: { readonly said: Said };
  /** The agent's words, as Markdown. */
  text: { readonly text: string };
  thought: { readonly text: string };
  /** A part of the agent's message without text, by its type. */
  part: { readonly type: string };
  /** A tool call. Its arguments are JSON text, which grows while it comes. */
  call: {
    readonly id: string;
    readonly name: string;
    readonly args: string;
    readonly result?: CallResult;
    /** The last lines that it has printed while it runs, and the number of all (P-XCO-1). */
    readonly printed?: { readonly text: string; readonly lines: number };
    /** The work of its sub-agents. */
    readonly inner: readonly Entry[];
    /** The type of the sub-agent at work in it. */
    readonly agent?: string;
  };
  plan: { readonly text: string; readonly path: string };
  /** A question or approval: its texts, empty where this client was not asked, and its end once it has one. */
  asked: {
    readonly id: string;
    readonly about: readonly string[];
    /** The questions with the labels of their options. Empty for an approval, and where this client was not asked. */
    readonly questions: readonly LabelledQuestion[];
    readonly isApproval: boolean;
    /** The tool call that asks a question. */
    readonly callId?: string;
    /** An approval's own options, of which the asker named some, and the rest have the usual words of their scope. */
    readonly options: readonly ApprovalOptionAsked[];
    readonly settled?: Settled;
  };
  note: { readonly event: NotedEvent };
  /** The end of a turn whose agent has finished, as far as it is known: only a journal has the times of earlier turns. */
  end: {
    /** The time of it, in milliseconds since 1970. */
    readonly at?: number;
    /** The time that the turn took, in milliseconds, and the part of it in which the agent waited for this person. */
    readonly took?: number;
    readonly waited?: number;
    /** The number of files that its tools changed. */
    readonly files: number;
  };
  /** A turn that ended without a word, since its server ended. */
  left: object;
}

/**
 * A part of a conversation. `key` stays with a part that grows, and differs from those of all other parts.
 * `isOpen` is set while more of a text may follow.
 */
export type Entry = {
  [K in keyof Entries]: { readonly kind: K; readonly key: number; readonly isOpen?: boolean } & Entries[K];
}[keyof Entries];

/** An entry of that kind. */
export type EntryOf<K extends Entry["kind"]> = Extract<Entry, { kind: K }>;
