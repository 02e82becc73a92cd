import type {
  InitializeResult,
  Limits,
  ListedSession,
  MessageChannel,
  UserInput,
  Validate,
} from "@askwire/protocol";
import type { Timing } from "../runtime/timing.js";
import type { ClientHandlers } from "./handlers.js";
import type { ClientHook, ClientTool } from "./offers.js";
import type { ReplayHandlers, ReplayResult } from "./replay.js";
import type { SessionStatus } from "./status.js";
import type { ClientTurn } from "./turn.js";

/** What happens to the connection of a session. */
export type ConnectionChange =
  /** `reset`: what was missed does not come. Drop what is shown, and call `replay` for what the server has recorded. */
  | { readonly state: "connected"; readonly reset: boolean }
  /** It is opened again after so many milliseconds; `cause` is why it was lost or could not be opened. */
  | { readonly state: "lost"; readonly cause?: Error; readonly retryInMs: number }
  /** For good. */
  | { readonly state: "closed"; readonly cause?: Error };

/** The state of the connection of a session. */
export type ConnectionState = ConnectionChange["state"];

/** Opens a channel. Its signal is aborted when the channel is not awaited any more. */
export type Dial<T> = (signal: AbortSignal) => T | Promise<T>;

/** A channel that says more of its end once the server has answered on it. */
export interface DialedChannel extends MessageChannel {
  introduced?(): void;
}

/** What a client is, offers and bounds; all of it may be left out. */
export interface ConnectOptions {
  /** What it does with what it is sent. Default: it shows nothing, and says so to who asks. */
  readonly handlers?: ClientHandlers;
  /** Tools that this client brings. What became of them is in `session.server.external_tools`. */
  readonly tools?: readonly ClientTool[];
  /** Where this client has a word in what the agent does. */
  readonly hooks?: readonly ClientHook[];
  /** Whether questions are shown with their `body`, in which an agent in plan mode puts its plan. Default: false. */
  readonly planMode?: boolean;
  /** What the server is told of this client. Default: `askwire-client`. */
  readonly client?: { readonly name: string; readonly version?: string };
  /** How long opening a connection may take, and the answer to `initialize`, each in milliseconds. Default: 30,000. */
  readonly initializeTimeoutMs?: number;
  /** Default: one that runs anywhere. Over stdio it is compiled. */
  readonly validate?: Validate;
  /**
   * Bounds of the connection. Default: `defaultLimits` of the protocol; of them `unsentBytes` counts over stdio only, where
   * it is 64 MiB by default.
   */
  readonly limits?: Partial<Limits>;
  /**
   * The profile that is offered: `extended`, which holds where the server has it too (P-XCL-1), or `base`, which is Kimi
   * Wire 1.10. Default: `extended`.
   */
  readonly profile?: "extended" | "base";
  /** What this client's handlers show and can say, beyond what every client can (P-XNG-2). Default: nothing. */
  readonly shows?: {
    /** Options with their `preview`. */
    readonly previews?: boolean;
    /** A `note` beside a choice. */
    readonly notes?: boolean;
    /** Images as `attachments`. */
    readonly attachments?: boolean;
    /** Single questions of several may be `skipped`. */
    readonly skip?: boolean;
    /** Deadlines, with what counts when they pass. */
    readonly deadline?: boolean;
  };
  /** A UUID by which the server knows this client again (P-XAT-1). Default: a new one for each session object. */
  readonly clientId?: string;
  /** The id of the session to attach to (P-XAT-2), of the extended profile. Default: what the connection leads to. */
  readonly session?: string;
  /** Told when the connection is there, is lost, and is closed for good. Default: nobody. */
  readonly onConnection?: (change: ConnectionChange) => void;
  /** For tests: the time and chance that reconnecting goes by. Default: the runtime's. */
  readonly timing?: Timing;
  /** Told of what is wrong without an effect, such as a line that is no JSON, or a rejected tool. Default: nobody. */
  readonly onProblem?: (message: string) => void;
}

/**
 * A conversation with an agent. Its methods reject with `WireError` (the server's error) or `LocalError`; while the
 * connection is lost with `CLOSED`, but for {@link ClientSession.prompt}, which waits as answers do.
 */
export interface ClientSession {
  /** What the server said of itself; undefined for one that is too old to know `initialize`. */
  readonly server: InitializeResult | undefined;
  /** The session's id, where the server said it: in the extended profile. */
  readonly id: string | undefined;
  /** Whether there is a connection: `lost` is one that is opened again by itself. */
  readonly connection: ConnectionState;
  /** The commands that the server takes as a prompt, `/name` and what follows; none where it is too old to say. */
  readonly slashCommands: InitializeResult["slash_commands"];
  /** What the StatusUpdate events have said so far. A new object after each. */
  readonly status: SessionStatus;
  /**
   * Starts a turn. In the extended profile it goes on over reconnections: no event is lost or comes twice, and the result
   * comes from whichever connection (P-XCL-7). With LocalError CLOSED it ends where the server was restarted, since nobody
   * knows whether it ran, and its events end where too much was missed.
   *
   * @throws LocalError INVALID_STATE while a turn or replay of this client runs, BAD_MESSAGE for input that is no
   * user input.
   */
  prompt(input: UserInput): ClientTurn;
  /**
   * Says something to the agent in the middle of a turn, whoever's: it reads it after its current step, which the
   * event SteerInput tells. Rejects with LocalError INVALID_STATE when no turn runs, or with `-32000` where only the
   * server knows that; with `-32601` from a server that has no such method (P-CLI-7).
   */
  steer(input: UserInput): Promise<void>;
  /** Switches plan mode, at any time. Resolves with what holds now, which `status.plan_mode` says too. */
  setPlanMode(enabled: boolean): Promise<boolean>;
  /**
   * Has the server send again what it has recorded of the session; `cancel` ends it early. Rejects with LocalError
   * INVALID_STATE while a turn or another replay runs. What is replayed goes to these handlers and nowhere else, and is
   * not open to answers. The extended profile marks it (P-XRP-1). The base profile does not: whatever comes before the
   * result counts as it, and a request among it is answered at once with `-32601`, which chooses nothing (P-CLI-9).
   */
  replay(handlers?: ReplayHandlers): Promise<ReplayResult>;
  /** Cancels the running turn; its prompt then ends `cancelled`. Rejects with `-32000` when none runs. */
  cancel(): Promise<void>;
  /** The sessions of a WebSocket server (P-XSE-1). Rejects with `-32601` where there are no such methods. */
  listSessions(): Promise<readonly ListedSession[]>;
  /** Makes a session, which nobody is attached to (P-XSE-2). Rejects with `-32020` at the server's limit. */
  createSession(): Promise<ListedSession>;
  /** Ends a session (P-XSE-3). Rejects with `-32011` for an id that is not there. */
  closeSession(id: string): Promise<void>;
  /** Ends the connection, in every state. Resolves when it is closed and, over stdio, the process is gone. */
  close(): Promise<void>;
  /**
   * Resolves when the connection is closed for good, by either side, with the cause if there was one: where it is opened
   * again, that is at the end of the session.
   */
  readonly closed: Promise<Error | undefined>;
}
