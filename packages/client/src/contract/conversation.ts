import type {
  AskParams,
  CallOutput,
  HeardAgentMethods,
  HeardAskResult,
  HeardClientMethods,
  HeardIntroduction,
  HeardRequest,
  HeardSession,
  In,
  IncomingCall,
  InitializeParams,
  Marks,
  Out,
  Peer,
  RequestResponseInput,
  RequestType,
  SessionState,
  UserInput,
  WireRequest,
} from "@askwire/protocol";
import type { AnyEvent } from "./observer.js";
import type { ReplayHandlers, ReplayResult } from "./replay.js";
import type { ClientTurn } from "./turn.js";

/** The agent at the other end of a connection. */
export type AgentPeer = Peer<HeardAgentMethods>;

/** A sign of life of the server: a reply to one of this client has numbers, another asks for one (P-XAT-11). */
export type SignOfLife = Out<HeardClientMethods["alive"]["params"]>;

/** The answer to a request. */
export type RequestReply = RequestResponseInput<RequestType>;

/** A list of the server that a client watches over all its connections. */
interface Watched<Item> {
  /** Gives the list, then again whenever it has changed. */
  read(): AsyncIterableIterator<readonly Item[], void, undefined>;
  /** Takes new and changed items, and the ids of those that are gone. */
  changed(items: readonly Item[], gone: readonly string[]): void;
}

/** The receiver of the messages of a connection. */
export interface MessageReceiver {
  readonly event: (event: AnyEvent, marks: Marks) => void;
  readonly request: (
    request: WireRequest,
    call: IncomingCall,
    marks: Marks,
  ) => RequestReply | Promise<RequestReply>;
  /** Called while the server lives; `seq` is the number of its last event. */
  readonly alive?: (sign: SignOfLife) => void;
  /** Called with what a running call has printed. */
  readonly callOutput?: (output: CallOutput) => void;
  /** The lists that are watched, which take their changes. Absent in the base profile. */
  readonly watched?: { readonly sessions: Watched<HeardSession>; readonly requests: Watched<HeardRequest> };
}

/** A conversation with an agent in one of the two profiles. */
export interface ProfileConversation extends MessageReceiver {
  /** Reports if a turn or a replay of this client runs. */
  isBusy(): boolean;
  /** The session's state as the server last said; undefined in the base profile. */
  readonly state?: SessionState | undefined;
  /** The agent's commands, once they are others than the last `initialize` said. Absent in the base profile. */
  readonly slashCommands?: HeardIntroduction["slash_commands"] | undefined;
  /** True if a person does not want to be asked questions. Absent in the base profile. */
  readonly doNotAsk?: boolean;
  isReplaying(): boolean;
  /** True if a replay may begin while a turn is under way (P-XRP-2). */
  readonly replaysInTurn: boolean;
  /** Reports if a turn is under way, this client's or another's. Undefined while only the server knows. */
  isUnderWay(): boolean | undefined;
  prompt(input: UserInput, signal?: AbortSignal): ClientTurn;
  /** Waits for the turn under way; undefined without one. Absent in the base profile. */
  joinTurn?(): ClientTurn | undefined;
  /** Sends an ask until there is a reply, over all connections. Undefined in the base profile. */
  readonly ask?: (params: In<typeof AskParams>, signal?: AbortSignal) => Promise<HeardAskResult>;
  /** Says words into the turn, once over all connections. Undefined in the base profile. */
  readonly steer?: (input: UserInput) => Promise<unknown>;
  replay(to: ReplayHandlers, signal?: AbortSignal): Promise<ReplayResult>;
  /** Called when nothing more will come, on any connection. */
  ended(cause: Error | undefined): void;
}

/** The session that a client attaches to, with the last event that the client has seen there (P-XAT-2). */
export type SessionPlace = NonNullable<In<typeof InitializeParams>["session"]>;
