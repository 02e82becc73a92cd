import {
  type ActingClient,
  type AskwireCapabilities,
  type ClientCapabilities,
  closeCodes,
  everyFeature,
  type IncomingCall,
  type InitializeParams,
  type InitializeResult,
  type ListedRequest,
  type ListedSession,
  type Principal,
} from "@askwire/protocol";
import type { LinePlace } from "../journal/kept-lines.js";
import type { ReplayTarget } from "../journal/replay.js";
import type { AnyInteraction, PersonRequest } from "../requests/core.js";
import { type Holder, holderId } from "../requests/request-claims.js";
import type { AllowedFeatures } from "../requests/shows.js";
import type { Answerer, Answers, Counted } from "../session/answers.js";
import type { Asks } from "../session/asks.js";
import type { OwnDrafts } from "../session/own-drafts.js";
import { CatchUp } from "./catch-up.js";
import { ClientRequests } from "./client-requests.js";
import { actingClient, type ClientSide, type ConnectionParts, JoinedClient } from "./client-side.js";
import { extendedMethods, listFeatures, type MethodsOf } from "./extended-methods.js";
import type { Watch } from "./gathered-changes.js";
import { declaresPairing, OwnCode } from "./own-code.js";
import type { RequestLists } from "./request-lists.js";
import type { SessionMethods } from "./session-methods.js";
import { ServerSignsOfLife } from "./signs-of-life.js";
import { toldOutput, toldRequests, toldSessions } from "./told-changes.js";

/** The features that this server may use, if a client shows them, and those that it has (P-XNG-2). */
const serverCapabilities: AskwireCapabilities = {
  ...everyFeature,
  presence: true,
  do_not_ask: true,
  history: true,
  ask: true,
  to: true,
  alive: true,
  call_output: true,
};

/** Speaks to a client in the extended profile. */
export class ExtendedClient extends JoinedClient implements ClientSide, MethodsOf {
  readonly id: string;
  readonly methods: ClientSide["methods"];
  readonly ownCode: OwnCode | undefined;
  readonly #shows: AllowedFeatures;
  readonly #signs: ServerSignsOfLife;
  readonly #requests: ClientRequests;
  readonly #catchUp: CatchUp;
  /** Made when the client first watches, as the next. */
  #watch: Watch<ListedSession> | undefined;
  #requestWatch: Watch<ListedRequest> | undefined;
  /** Ends what tells the client of the output of calls; undefined where it is not told. */
  #endOutput: (() => void) | undefined;
  /** Called at the end of the connection; made with the first that is to be. */
  #leaving: Set<() => void> | undefined;

  /** @param declared the capabilities that it declared. */
  constructor(line: ConnectionParts, declared: AskwireCapabilities) {
    super(line);
    const { peer, clock } = line;
    const shows = line.grant.shown(declared);
    this.id = recipientIdOf(line, shows);
    this.#shows = shows;
    // The transport reports its end by itself where a session ends with its connection.
    const isMutual = shows.alive === true && !line.endsSession;
    this.#signs = new ServerSignsOfLife({
      clock,
      isMutual,
      bytesRead: line.bytesRead,
      awaits: () => peer.traffic.awaits || line.session.pending.some(this.#requests.isAsked),
      tell: () => {
        // Towards a client that reads slowly the feed is a sign of life, and one that replies is asked nevertheless.
        if (this.#catchUp.isLive || isMutual) peer.notify("alive", { seq: this.#catchUp.reached });
      },
      silent: () => peer.close(closeCodes.Silent, "the client says nothing any more: reconnect"),
    });
    const pass = (text: string) => {
      this.#signs.sent();
      peer.pass(text);
      return text.length;
    };
    const recipientId = this.id;
    this.#requests = new ClientRequests({ line, recipientId, pass, shows, sent: () => this.#signs.sent() });
    const wantsPast = shows.history === true;
    this.#catchUp = new CatchUp({ line, recipientId, pass, wantsPast, requests: this.#requests });
    this.ownCode = line.pairing && new OwnCode(line.pairing);
    this.methods = extendedMethods(this, line.sessions, clock);
  }

  /** A client that has its own id may come back on another connection (P-XAT-1). */
  get returns(): boolean {
    return this.#shows.client_id !== undefined;
  }

  get namesSession(): boolean {
    return true;
  }

  declared(capabilities: ClientCapabilities): ClientCapabilities {
    return { ...capabilities, askwire: this.#shows };
  }

  turnId(given: string | undefined): string | undefined {
    return given;
  }

  showsDeadlines(): boolean {
    return this.#shows.deadline === true;
  }

  tellsPresence(): boolean {
    return this.#shows.presence === true;
  }

  name(): ActingClient {
    return actingClient(this.line.client(), this.line.principal);
  }

  introduced({ session: left }: InitializeParams): Partial<InitializeResult> {
    const { session, connection, grant, principal, sessions, pairing } = this.line;
    const reset = this.#catchUp.attach(left);
    const { role, permissions } = grant;
    const askwire =
      sessions === undefined
        ? serverCapabilities
        : { ...serverCapabilities, ...listFeatures(sessions, grant), ...declaresPairing(pairing) };
    return {
      capabilities: {
        supports_question: true,
        askwire: principal === undefined ? askwire : { ...askwire, drafts: true },
      },
      session: {
        ...session.found(reset),
        connection,
        ...(role !== undefined && { role, permissions: [...permissions] }),
        ...(principal !== undefined && { principal }),
        ...(this.#catchUp.tellsHistory && { history: true }),
      },
    };
  }

  start(): void {
    if (this.#catchUp.start()) this.#signs.start();
    if (this.#shows.call_output === true) this.#endOutput ??= toldOutput(this.line, this.line.session.output);
  }

  stop(): void {
    this.#catchUp.stop();
    this.#watch?.stop();
    this.#requestWatch?.stop();
    this.#endOutput?.();
    this.ownCode?.stop();
    for (const leave of this.#leaving ?? []) leave();
    this.#leaving = undefined;
    this.#signs.stop();
  }

  show(request: AnyInteraction): void {
    this.#catchUp.opened(request);
  }

  showOpen(request: AnyInteraction): void {
    this.#catchUp.showOpen(request);
  }

  takenOff(request: PersonRequest): void {
    this.#catchUp.takenOff(request);
  }

  settled(request: AnyInteraction): void {
    this.#requests.settled(request);
  }

  /** Does nothing: events reach the client by the session's log. */
  tell(): void {}

  tellsHistory(): boolean {
    return this.#catchUp.tellsHistory;
  }

  replayTarget(): ReplayTarget {
    return this.#catchUp.replayTarget();
  }

  get seam(): LinePlace | undefined {
    return this.#catchUp.seam;
  }

  get answers(): Answers {
    return this.line.session.answers;
  }

  get asks(): Asks {
    return this.line.session.asks;
  }

  get drafts(): OwnDrafts {
    return this.line.session.drafts;
  }

  reply(call: IncomingCall, read: () => Counted): Counted {
    return this.#catchUp.reply(call, read);
  }

  setDoNotAsk(enabled: boolean): void {
    this.line.session.setDoNotAsk(enabled, this.name());
  }

  atEnd(leave: () => void): () => void {
    this.#leaving ??= new Set();
    this.#leaving.add(leave);
    return () => this.#leaving?.delete(leave);
  }

  answerer(): Answerer {
    const { client, grant } = this.line;
    const person = this.person();
    return { recipientId: this.id, client: client(), person, shows: this.#shows, may: grant.may };
  }

  get principal(): Principal | undefined {
    return this.line.principal;
  }

  get connection(): string {
    return this.line.connection;
  }

  get sessionId(): string {
    return this.line.session.id;
  }

  holder(): Holder {
    return { id: holderId(this.line.principal, this.id), by: this.name(), person: this.line.person };
  }

  watch(sessions: SessionMethods): Watch<ListedSession> {
    this.#watch ??= toldSessions(this.line, sessions);
    return this.#watch;
  }

  watchRequests(requests: RequestLists): Watch<ListedRequest> {
    this.#requestWatch ??= toldRequests(this.line, requests);
    return this.#requestWatch;
  }

  alive(): void {
    const { peer } = this.line;
    this.#signs.heard();
    const { sent, received } = peer.traffic;
    peer.notify("alive", { seq: this.#catchUp.reached, sent, received: received - 1 });
  }
}

/** A client for answering takes over nothing of a client that may do more (P-XRL-5). */
function recipientIdOf({ connection, grant }: ConnectionParts, { client_id }: AllowedFeatures): string {
  return client_id === undefined ? connection : `${grant.role ?? "client"}:${client_id.toLowerCase()}`;
}
