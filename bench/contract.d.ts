import type { Readable, Writable } from "node:stream";

/** A question of the agent. `expected` never leaves the agent: it is the label that the client will pick. */
export interface Question {
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly expected: string;
}

/** A connection to a client, for the agent's host. */
export interface Asker {
  /** Sends the question, resolves with the label that came back. */
  ask(question: Question): Promise<string>;
  /** Streams a piece of text. Returns a promise if the caller has to wait before the next piece. */
  say?(text: string): void | Promise<void>;
}

/** Called once per connection, in a place where the peer's library allows questions. Settles when the host is done. */
export type Serve = (asker: Asker) => Promise<void>;

/** `peers/NAME/agent.mjs` */
export interface AgentModule {
  /** The wire is `process.stdin` and `process.stdout`. */
  overStdio(serve: Serve): Promise<void> | void;
  /** Listens on 127.0.0.1, port 0. Resolves with the address for the client. */
  overWebSocket?(serve: Serve): Promise<string>;
  /** Listens for several clients that share one session. `serve` is called once, `say` goes to all of them. */
  overShared?(serve: Serve): Promise<SharedSession>;
}

export interface SharedSession {
  readonly url: string;
  /** Breaks every connection, as a network does: no side has said goodbye. */
  cut(): void;
}

/** `peers/NAME/command.mjs`, instead of `agent.mjs`, for a peer of `cold-start` that is a program. */
export interface CommandModule {
  /** The arguments of `node` for an agent that asks the first question over stdio. The process ends with its input. */
  commandLine(): readonly string[];
}

/** `peers/NAME/terminal.mjs`, for `panel`: a program that asks in a terminal. */
export interface TerminalModule {
  /** The arguments of `node`, and the output when the first of two options is marked, and when the second is. */
  terminalLine(): {
    readonly args: readonly string[];
    readonly marks: readonly [string, string];
    /** The key that ends the program. Default: the program is killed. */
    readonly ends?: string;
  };
}

/** `peers/NAME/chat.mjs`, for `chat`: a conversation in a terminal with an agent that streams digits. */
export interface ChatModule {
  /**
   * The arguments of `node`. The first turn says `words`, each with a blank behind it, then ends with "end of turn"; the
   * turn of any prompt after that says a thousand words a second until the program is killed.
   */
  chatLine(words: readonly string[]): {
    readonly args: readonly string[];
    /** The conversation that waits for its first prompt: how it is started, and the sign in front of the prompt. */
    readonly begins: { readonly args: readonly string[]; readonly mark: string };
  };
}

/** The person: sees every question and every text. */
export interface Answerer {
  /** The index of the chosen option, at once or (for a question that stays open) as a promise. */
  decide(question: string): number | Promise<number>;
  heard(text: string): void;
}

export interface Connection {
  /**
   * Starts whatever the peer's protocol needs before its agent may ask: a prompt, a turn. The client of a command
   * resolves it when the turn was seen to its end and the answer checked.
   */
  begin?(): void | Promise<void>;
}

/** A connection that can be opened again. Missed messages then arrive once and in order. */
export interface ReturningConnection extends Connection {
  /** Resolves once the connection is known to be broken. */
  lost(): Promise<void>;
  /** Opens the connection again, for `resume`. Rejects if the missed messages do not come. */
  comeBack(): Promise<void>;
}

/** `peers/NAME/client.mjs` */
export interface ClientModule {
  /** Connects to an agent's streams: `input` is the agent's output, `output` its input. */
  overStdio(input: Readable, output: Writable, answerer: Answerer): Promise<Connection> | Connection;
  /** Resolves when the connection is open and idle. */
  overWebSocket?(url: string, answerer: Answerer): Promise<Connection>;
  /** Connects one of several clients of a session, which hears every text. `begin` is called for one of them. */
  overShared?(url: string, answerer: Answerer): Promise<Connection | ReturningConnection>;
}

/** `peers/NAME/peer.json` */
export interface PeerFacts {
  readonly title: string;
  /** Exactly one peer is the floor that ratios refer to. */
  readonly floor?: boolean;
  /** Names of the measures that the peer takes part in. */
  readonly measures: readonly string[];
  /** Tells that `cold-start` runs it on the packages of the repository as installed from tarballs. Default: false. */
  readonly installed?: boolean;
  /** Questions of the `retained` measure, default 300,000. */
  readonly retainedQuestions?: number;
  /** The package of a rival, whose version stands beside its figures. */
  readonly package?: string;
}

export interface Peer extends PeerFacts {
  readonly name: string;
}

export interface Settings {
  readonly quick: boolean;
  readonly reps: number;
  /** Cores to pin to: none when `taskset` is absent. */
  readonly cores: readonly number[];
}

export interface Column {
  readonly key: string;
  readonly label: string;
  /** Print the value as a multiple of the floor's value of the same repetition as well. */
  readonly ratio?: boolean;
}

export type Sample = Readonly<Record<string, number | null>>;

/** The module `measures/NAME.mjs`. `State` lives from the first to the last repetition. */
export interface Measure<State = unknown> {
  readonly name: string;
  readonly title: string;
  /** A sentence under the title: method, placement, unit. */
  readonly note: string;
  columns(settings: Settings): readonly Column[];
  reps(settings: Settings): number;
  open?(peer: Peer, settings: Settings): Promise<State>;
  sample(peer: Peer, settings: Settings, state: State): Promise<Sample>;
  close?(state: State): void;
}

/** A promise about the median of a column. */
export interface Budget {
  readonly what: string;
  /** Default: `askwire`. */
  readonly peer?: string;
  readonly measure: string;
  readonly key: string;
  /** The peer whose value of the same repetition it is divided by. Default: the value itself counts. */
  readonly to?: string;
  readonly least?: number;
  readonly most?: number;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** A budget beside its measured value. */
export interface Verdict extends Budget {
  /** Null when it was not measured. */
  readonly measured: Spread | null;
  /** The noise: each value divided by the one of the repetition before. Null for a single repetition. */
  readonly itself: Spread | null;
  readonly met: boolean | null;
}

/** All samples of one peer in one measure, or why there are none. */
export interface PeerResult {
  readonly peer: Peer;
  readonly samples: Sample[];
  error?: string;
}

export interface MeasureResult {
  readonly measure: Pick<Measure, "name" | "title" | "note">;
  readonly columns: readonly Column[];
  readonly peers: PeerResult[];
}

/** A measure in `results/latest.json`. */
export interface MeasureSummary extends Pick<Measure, "name" | "title" | "note"> {
  readonly peers: readonly {
    readonly name: string;
    readonly title: string;
    readonly error: string | null;
    readonly values: Readonly<Record<string, Spread & { readonly ratio?: Spread }>>;
    readonly samples: readonly Sample[];
  }[];
}

/** `results/latest.json` */
export interface Run {
  /** In ISO 8601. */
  readonly date: string;
  /** With `-dirty` where files were changed since; null outside of a repository. */
  readonly commit: string | null;
  readonly machine: string;
  /** The programs that wanted a core in the minute before, on average: the measured ones do without what those take. */
  readonly load: number;
  /** Of the rivals that ran, by the name of their package. */
  readonly versions: Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly seconds: number;
  readonly budgets: readonly Verdict[];
  readonly measures: readonly MeasureSummary[];
}
