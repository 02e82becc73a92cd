import type {
  HeardClaim,
  HeardIntroduction,
  HeardRequest,
  HeardSession,
  Limits,
  MessageChannel,
  NamedDevice,
  PairingCode,
  Permission,
  RequestNumbers,
  SessionState,
  UserInput,
  Validate,
} from "@askwire/protocol";
import type { Timing } from "../runtime/timing.js";
import type { Asked, AskedToEnd, AskInit } from "./ask.js";
import type { Outbox } from "./delivery.js";
import type { ClientHandlers } from "./handlers.js";
import type { ClientHook, ClientTool } from "./offers.js";
import type { ReplayHandlers, ReplayResult } from "./replay.js";
import type { SessionStatus } from "./status.js";
import type { ClientTurn } from "./turn.js";

/** A change of the connection of a session. */
export type ConnectionChange =
  /** `reset`: the missed messages do not come. Drop all that is shown, and call `replay` to get the server's record. */
  | { readonly state: "connected"; readonly reset: boolean }
  /**
   * Lost, and opened again after `retryInMs`; `cause` is the reason for the loss or for the failed attempt.
   */
  | { readonly state: "lost"; readonly cause?: Error; readonly retryInMs: number }
  /** Closed for good. */
  | { readonly state: "closed"; readonly cause?: Error };

/** The state of the connection of a session. */
export type ConnectionState = ConnectionChange["state"];

/** Opens a channel. The signal is aborted when the channel is no longer awaited. */
export type Dial<T> = (signal: AbortSignal) => T | Promise<T>;

/** A channel that explains its end better once the server has answered on it. */
export interface DialedChannel extends MessageChannel {
  introduced?(): void;
  /** Ends a process that nobody talks to, by SIGTERM at once, then by SIGKILL. Absent where there is no process. */
  readonly kill?: () => void;
}

/** The options of a client. Every member is optional. */
export interface ConnectOptions {
  /** The reactions to messages. Default: the client shows nothing, and tells the server so. */
  readonly handlers?: ClientHandlers;
  /** Tools that this client brings. `session.server.external_tools` says which were accepted. */
  readonly tools?: readonly ClientTool[];
  /** Hooks that let this client decide about the agent's actions. */
  readonly hooks?: readonly ClientHook[];
  /** False while nobody can be shown a question, though there is a handler. Default: true. */
  readonly questions?: boolean;
  /** Set if questions are shown with their `body`, where an agent in plan mode puts its plan. Default: false. */
  readonly planMode?: boolean;
  /** The name of this client for the server. Default: `askwire-client`. */
  readonly client?: { readonly name: string; readonly version?: string };
  /**
   * The time limit for opening a connection, and for the answer to `initialize`, each in milliseconds. Default:
   * 30,000.
   */
  readonly initializeTimeoutMs?: number;
  /** The validator of messages. Default: a validator for every runtime; over stdio a compiled one. */
  readonly validate?: Validate;
  /**
   * Bounds of the connection. Default: `defaultLimits` of the protocol. `unsentBytes` counts over stdio only, with 64
   * MiB by default.
   */
  readonly limits?: Partial<Limits>;
  /**
   * The profile to offer. `extended` holds if the server has it too (P-XCL-1); `base` is Kimi Wire 1.10. Default:
   * `extended`.
   */
  readonly profile?: "extended" | "base";
  /** The abilities of this client's handlers beyond those of every client (P-XNG-2). Default: none. */
  readonly shows?: {
    /** Shows options with their `preview`. */
    readonly previews?: boolean;
    /** Takes a `note` with a choice. */
    readonly notes?: boolean;
    /** Shows images as `attachments`. */
    readonly attachments?: boolean;
    /** Lets the person skip single questions of several. */
    readonly skip?: boolean;
    /** Shows deadlines, with the answer that counts when they pass. */
    readonly deadline?: boolean;
    /** Shows the `field` of a question by its type, with its prefill, and the `min` and `max` of several choices. */
    readonly fields?: boolean;
    /** Shows approvals with their own `options` (P-XAO-1). */
    readonly approvalOptions?: boolean;
    /** Lets the person change the text in `edit` of an approval (P-XAO-3). */
    readonly edits?: boolean;
    /** Shows how many people an approval needs, and who has approved, as InteractionUpdated tells it (P-XQU-1). */
    readonly quorum?: boolean;
    /** True to tell the server when a person begins to answer, for others to see; also without a deadline (P-XST-5). */
    readonly presence?: boolean;
    /** Passes requests on to other clients, and states what these could not show as `degraded` (P-XAN-10). */
    readonly relay?: boolean;
  };
  /** A UUID by which the server recognizes this client (P-XAT-1). Default: a new UUID for each session object. */
  readonly clientId?: string;
  /**
   * The id of the session to attach to (P-XAT-2), in the extended profile. Default: the session that the connection
   * leads to.
   */
  readonly session?: string;
  /**
   * True to open that session where it is kept and nobody has it open, as after a restart of its server (P-XAT-10).
   * Default: that is refused, with `kept` in the `data` of the WireError.
   */
  readonly openKept?: boolean;
  /**
   * True to join no session, and to list, watch, make and close those of the server (P-XLB-1): the session object then
   * has no `id`, and every other method rejects. A server that does not know it makes a session, whose `id` is there.
   * Default: false.
   */
  readonly lobby?: boolean;
  /** Called when the connection is opened, is lost, and is closed for good. Default: none. */
  readonly onConnection?: (change: ConnectionChange) => void;
  /** Gives connecting up when aborted: that rejects with the reason, and closes what was opened. Default: none. */
  readonly signal?: AbortSignal;
  /** The time and chance of reconnecting, for tests. Default: the runtime's. */
  readonly timing?: Timing;
  /** Called with problems that change nothing, such as a line without JSON or a rejected tool. Default: none. */
  readonly onProblem?: (message: string) => void;
}

/** The options of `connectWebSocket` in addition to those of every connection. */
export interface WebSocketConnectOptions extends ConnectOptions {
  /** The token for the server (P-SEC-2). Default: the fragment of the address. */
  readonly token?: string;
  /**
   * Opens a lost connection again with the same token, in the extended profile only.
   * The close codes 1000, 4401, 4404 and 4409 are final (P-XCL-2). Default: true.
   */
  readonly reconnect?: boolean;
}

/** The options of what can be given up. */
export interface Abortable {
  /** Gives up what was begun when aborted. Default: none. */
  readonly signal?: AbortSignal;
}

/** The requests of a list that a client wants. Every member is optional. */
export interface WantedRequests extends WantedPage {
  /** Default: questions and approvals. */
  readonly kinds?: readonly ("question" | "approval")[];
  /** Words of the request, its session, folder, program or agent, in any case. Default: none. */
  readonly text?: string;
  /** `open` in a session in memory, or `kept` in one on disk alone. Default: both. */
  readonly state?: "open" | "kept";
  /** True for those of sessions whose running or last turn this person began (P-XRQ-5). Default: false. */
  readonly mine?: boolean;
  /** True for those that are for this person alone, by name or by role (P-XTO-4). Default: false. */
  readonly to_me?: boolean;
  /** True to have all these requests counted, those of other pages too (P-XRQ-4). Default: false. */
  readonly counts?: boolean;
}

/** A request that a person takes, or gives back. */
export type ClaimedRequest = {
  readonly request_id: string;
  /** The session of the request. Default: the one that this client joined. */
  readonly session_id?: string;
  /** The time for which it is taken, in milliseconds, up to 1,800,000. Default: 120,000. */
  readonly ms?: number;
};

/** The part of a list that a client wants. Every member is optional. */
export type WantedPage = {
  /** The `next` of the page before. Default: the first page. */
  readonly after?: string;
  /** Rows of the page, from 1 to 200. Default: 50. */
  readonly limit?: number;
};

/** The code that a client wants. Every member is optional. */
export type WantedCode = {
  /** `answer` for a device that may only answer. Default: one that may do everything. */
  readonly role?: "answer";
  /** The name of the person who will have the device, whom its answers name. Default: as the server says (P-DEV-7). */
  readonly person?: string;
};

/** A page of sessions. Without `next` there is no more. */
export interface PageOfSessions {
  readonly sessions: readonly HeardSession[];
  readonly next?: string | undefined;
}

/** A page of kept sessions. */
export type ListedKeptSessions = PageOfSessions;

/** A page of what waits for a person. Without `next` there is no more. */
export interface ListedRequests {
  readonly requests: readonly HeardRequest[];
  readonly next?: string | undefined;
  /** The numbers of all wanted requests, where they are asked for and the server counts them. */
  readonly counts?: RequestNumbers | undefined;
}

/** The offers of a client that may change while the session continues. */
export type Offers = Pick<ConnectOptions, "tools" | "hooks" | "questions" | "planMode">;

/**
 * A conversation with an agent. Methods reject with `WireError` (the server's error) or `LocalError`.
 * While the connection is lost they reject with `CLOSED`. Only {@link ClientSession.prompt} waits, as answers do.
 */
export interface ClientSession {
  /** The server's introduction. Undefined for a server older than `initialize`. */
  readonly server: HeardIntroduction | undefined;
  /** The session's id, in the extended profile. */
  readonly id: string | undefined;
  /**
   * The state of the session as the server last said (P-XST-2): `idle`, `running`, or `waiting` for a person. Undefined
   * in the base profile.
   */
  readonly state: SessionState | undefined;
  /**
   * The role of this client, such as `answer` for an address where a client may only answer (P-XRL-4). Undefined for a
   * client that may do everything, and in the base profile.
   */
  readonly role: string | undefined;
  /**
   * True if the role of this client allows something: what it does not allow is refused with `-32014` (P-XRL-2). True
   * for everything before the server has introduced itself, without a role, and in the base profile.
   */
  may(permission: Permission): boolean;
  /**
   * True if a person said that nobody is to be asked questions in this session (P-XDN-1). The event DoNotAsk reports
   * each change. False in the base profile.
   */
  readonly doNotAsk: boolean;
  /** The state of the connection. A `lost` connection is opened again automatically. */
  readonly connection: ConnectionState;
  /**
   * The commands that the server takes as a prompt, as `/name` and arguments. Empty for a server too old to list
   * them. In the extended profile the event CommandsChanged reports each change (P-SLH-3).
   */
  readonly slashCommands: HeardIntroduction["slash_commands"];
  /** The values of all StatusUpdate events so far. Each event makes a new object. */
  readonly status: SessionStatus;
  /** Everything that the person has sent and the server has not acknowledged, and the way to say more. */
  readonly outbox: Outbox;
  /**
   * Starts a turn.
   * In the extended profile the turn continues over reconnections: no event is lost or repeated, and the result may
   * come over any connection (P-XCL-7).
   * A restarted server that resumes continues the turn. After the restart of another one the turn ends with
   * LocalError CLOSED, since the server no longer knows if it ran.
   * The events end if too many were missed.
   *
   * @param options `signal` cancels this turn when aborted, and no other (P-TRN-7): it then ends `cancelled`. A prompt
   * that still waits for a connection is not sent, and rejects with the reason.
   * @throws LocalError INVALID_STATE while a turn or replay of this client runs, BAD_MESSAGE for invalid user input. The
   * reason of a signal that is aborted already.
   */
  prompt(input: UserInput, options?: Abortable): ClientTurn;
  /**
   * Joins the turn that is under way, such as one that continues after a restart of the server: gives its further
   * events and its result. Undefined without such a turn, and in the base profile.
   *
   * @throws LocalError INVALID_STATE while a turn or replay of this client runs.
   */
  joinTurn(): ClientTurn | undefined;
  /**
   * Says something to the agent in the middle of a turn, this client's or another's. The agent reads the words after
   * its current step, as the event SteerInput reports. In the extended profile a call whose connection is lost is sent
   * again by the next one, and the words are said once (P-XTR-3).
   * Rejects with LocalError INVALID_STATE when no turn runs, or with `-32000` if only the server knows that. A server
   * without the method answers `-32601` (P-CLI-7).
   */
  steer(input: UserInput): Promise<void>;
  /**
   * Declares other tools, hooks or abilities than before, each in place of the former, and resolves with the server's
   * introduction (P-INI-4, P-INI-5). Rejects with `-32000` while a prompt of this client runs.
   */
  declare(offers: Offers): Promise<HeardIntroduction>;
  /** Switches plan mode, at any time. Resolves with the resulting mode, which is also in `status.plan_mode`. */
  setPlanMode(enabled: boolean): Promise<boolean>;
  /**
   * Says for all clients of the session that nobody is to be asked questions, or takes that back (P-XDN-1). Open
   * questions then end at once, and the agent is told why. Approvals are still asked. Resolves with the resulting
   * state. Rejects with `-32601` if the server has no such method.
   */
  setDoNotAsk(enabled: boolean): Promise<boolean>;
  /**
   * Has the server send its record of the session again; `cancel` ends the replay early. Replayed messages go to
   * these handlers only, and cannot be answered.
   * Rejects with LocalError INVALID_STATE while another replay runs, and in the base profile while a turn runs. During
   * a turn it goes up to the attach of this connection (P-XRP-2).
   * The extended profile marks replayed messages (P-XRP-1). In the base profile every message before the result
   * counts as replayed, and a request among them is answered at once with `-32601`, which chooses nothing (P-CLI-9).
   *
   * @param options `signal` ends the replay when aborted: it then resolves with the status `cancelled`. Rejects with the
   * reason of a signal that is aborted already.
   */
  replay(handlers?: ReplayHandlers, options?: Abortable): Promise<ReplayResult>;
  /** Cancels the running turn, whose prompt then ends `cancelled`. Rejects with `-32000` when no turn runs. */
  cancel(): Promise<void>;
  /**
   * Asks the people of the session as a program, by questions or for an approval, and resolves with the outcome
   * (P-XAK-1 to P-XAK-6, P-XAK-11). The ask continues over reconnections, and an outcome other than an answer does not
   * throw. For an approval, `askApproval` has a shorter result.
   * Rejects with `-32602` for content that does not fit, or is other than that of the key; with `-32011` for a key
   * without content that the server does not know; with `-32014` for a client that may only answer; with `-32601` if
   * the server has no such method.
   *
   * @throws LocalError INVALID_STATE where 1,000 asks wait, CLOSED once the session is closed.
   */
  ask(init: AskInit & { readonly wait?: true }): Promise<AskedToEnd>;
  ask(init: AskInit): Promise<Asked>;
  /**
   * Lists the sessions of a WebSocket server, each with its title, its place, and what waits there for a person
   * (P-XSE-1, P-XSE-4): those in memory, and parked ones. Of more than 1,000, the newest come; give `limit` to have all by
   * pages, the newest first (P-XSE-8). Rejects with `-32601` if the server has no such method, `-32602` for an `after`
   * that no page gave.
   */
  listSessions(): Promise<readonly HeardSession[]>;
  listSessions(wanted: WantedPage): Promise<PageOfSessions>;
  /**
   * Lists the sessions that a WebSocket server has on disk alone, by pages, the last active first (P-XSE-7). Their state
   * is `kept`. Open one by connecting with its id and `openKept: true`. A server that does not declare `kept_sessions`
   * has none to list. Rejects with `-32602` for an `after` that no page gave.
   */
  listKeptSessions(wanted?: WantedPage): Promise<ListedKeptSessions>;
  /**
   * Watches the sessions of a WebSocket server (P-XSE-5): gives the current list, then the whole list again
   * whenever it has changed. A slow reader skips to the newest. The watch continues over reconnections and ends with
   * the loop. The loop ends with the session, and throws the reason where there is one, or `-32601` from a server
   * without the method.
   *
   * @throws LocalError INVALID_STATE in the base profile.
   */
  watchSessions(): AsyncIterableIterator<readonly HeardSession[], void, undefined>;
  /**
   * Lists what waits for a person in all sessions of a WebSocket server, kept ones included (P-XRQ-1): what has a
   * deadline first, then the oldest. Answer one by connecting to its `session_id`. Rejects with `-32601` if the server
   * has no such method, `-32602` for an `after` that no page gave.
   */
  listRequests(wanted?: WantedRequests): Promise<ListedRequests>;
  /**
   * Watches what waits in the sessions in memory (P-XRQ-3), as {@link ClientSession.watchSessions} does. The first list
   * of a server with many may be only its beginning.
   *
   * @throws LocalError INVALID_STATE in the base profile.
   */
  watchRequests(): AsyncIterableIterator<readonly HeardRequest[], void, undefined>;
  /**
   * Says that a person takes a request of a server that declares `claims` (P-XCM-1): others are told who has it. Again, it
   * is theirs for the whole time anew. Anybody may answer it nevertheless. Resolves with the claim that holds: another
   * person's, where that came first. Rejects as an answer would be refused.
   */
  claim(request: ClaimedRequest): Promise<HeardClaim>;
  /** Gives a request back that the person has taken (P-XCM-2). Rejects as an answer would be refused. */
  unclaim(request: Omit<ClaimedRequest, "ms">): Promise<unknown>;
  /** Makes a session without attaching to it (P-XSE-2). Rejects with `-32020` at the server's limit. */
  createSession(): Promise<HeardSession>;
  /** Ends a session (P-XSE-3). Rejects with `-32011` for an unknown id. */
  closeSession(id: string): Promise<void>;
  /**
   * Makes a code by which a device comes in, once and for `expires_in_ms` milliseconds, at the origin `address` (P-DEV-7).
   * The code replaces the last one of this connection, and ends with the connection. `server.capabilities.askwire`
   * has `pairing` where this client may make codes: for any other, this rejects with `-32014`, and with `-32601` where the
   * server makes none. Rejects with `-32000` where no other machine can reach the server.
   */
  createPairingCode(wanted?: WantedCode): Promise<PairingCode>;
  /**
   * Waits until a code of this connection is over (P-DEV-8). Resolves with the device that used it, whose `name` is
   * foreign text, or with undefined where none did. Rejects with `-32011` for any other code.
   *
   * @param options `signal` ends the code when aborted.
   */
  awaitPairing(code: string, options?: Abortable): Promise<NamedDevice | undefined>;
  /**
   * Calls a method of the server whose functions are an entry of their own, as those of `@askwire/client/drafts` are, so
   * that whoever does not use them does not load them. Rejects with `-32601` if the server has no such method.
   *
   * @param signal asks the server to give up `list_decisions`, which then rejects.
   * @throws LocalError CLOSED while the connection is lost.
   */
  call(
    method: "keep_draft" | "read_draft" | "list_decisions",
    params: { readonly request_id?: string; readonly [name: string]: unknown },
    signal?: AbortSignal,
  ): Promise<object>;
  /**
   * Opens a lost connection at once instead of after its wait, as where a person asks for it or the network is back
   * (P-XCL-2). Gives a connection up for a new one where something in the outbox is `undelivered`. Does nothing else.
   */
  reconnect(): void;
  /**
   * Ends the connection, in every state. Resolves when the connection is closed and, over stdio, the process is gone.
   *
   * @param options `signal` ends the waiting when aborted, which rejects with its reason. The connection closes all the
   * same.
   */
  close(options?: Abortable): Promise<void>;
  /**
   * Resolves when the connection is closed for good by either side, with the cause if there was one. A connection
   * that is opened again ends only with the session.
   */
  readonly closed: Promise<Error | undefined>;
}
