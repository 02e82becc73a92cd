import type { AskOrigin } from "@askwire/client";
import { validate } from "@askwire/protocol";
import { BoundedSet, defined } from "@askwire/protocol/internal";
import { AcpError, acpCodes } from "../acp/acp-error.js";
import { askedQuestions } from "../acp/asked-questions.js";
import type { PeerMessage } from "../acp/peer-message.js";
import { withoutAnswer } from "../acp/permission-reply.js";
import { callOf, newsIn, shownPermission } from "../acp/permission-shown.js";
import { PermissionRequest } from "../acp/shapes.js";
import type { OpenLinks } from "../elicitation/ask-link.js";
import { Elicitation } from "../elicitation/shapes.js";
import {
  answerByPeople,
  elicitFromPeople,
  type PeoplePlace,
  type PeopleSession,
  type PeoplesEnd,
  permitByPeople,
} from "./ask-people.js";
import { abilitiesOfHost, asksPeople, type HostAbilities } from "./host-abilities.js";
import { formForHost, type HostForm } from "./host-form.js";
import type { Known } from "./known.js";
import type { LineFate } from "./line-pipe.js";
import { idKey, membersOf } from "./message.js";

/** The surroundings of the requests. */
export interface RequestsPlace {
  readonly known: Known;
  readonly links: OpenLinks;
  readonly people: () => Promise<PeopleSession>;
  readonly problem: (line: string) => void;
  readonly toHost: (message: PeerMessage & { readonly jsonrpc: "2.0" }) => void;
  readonly toAgent: (message: PeerMessage & { readonly jsonrpc: "2.0" }) => void;
}

/** A request of the agent that waits for its first answer. */
interface OpenRequest {
  readonly message: PeerMessage;
  readonly sessionId: string | undefined;
  readonly toolCallId: string | undefined;
  /** Takes the request back from people. */
  readonly stop: AbortController;
  readonly form: HostForm | undefined;
  /** True while the host may still answer. */
  atHost: boolean;
  /** True while people may still answer. */
  atPeople: boolean;
  /** Times that the host was asked again for what did not fit. */
  rounds: number;
}

/** The requests of an agent that are put to people too, and their number, and replies of hosts that come too late. */
const MOST_OPEN = 256;
const MOST_LATE = 10_000;
/** Times that a host is asked again for what does not fit. */
const MOST_ROUNDS = 10;

const nobody: HostAbilities = { form: false, url: false };

/** The requests of an agent that are open at its host and at people. */
export class ProxiedRequests {
  readonly #place: RequestsPlace;
  readonly #open = new Map<string, OpenRequest>();
  /** The ids of requests that people answered: what the host says of them is dropped. */
  readonly #late = new BoundedSet<string>(MOST_LATE);
  readonly #running = new Set<Promise<void>>();
  #host = nobody;
  /** Set where the host asks people. */
  #isLeft = false;
  #people: Promise<PeopleSession> | undefined;
  #isEnded = false;

  constructor(place: RequestsPlace) {
    this.#place = place;
  }

  /** The host introduces itself. One that asks people itself is left to it. */
  meet(params: unknown): void {
    this.#host = abilitiesOfHost(params);
    this.#isLeft = asksPeople(params);
  }

  /** The agent asks its host: people are asked too, if it asks for a decision. */
  asked(message: PeerMessage): LineFate {
    if (this.#isLeft) return "pass";
    const ask = this.#readAsk(message);
    const key = idKey(message.id);
    if (ask === undefined || this.#isEnded || this.#open.has(key) || this.#open.size >= MOST_OPEN)
      return "pass";
    const { sessionId, toolCallId, form, atHost, put } = ask;
    const request: OpenRequest = {
      ...{ message, sessionId, toolCallId, form, atHost },
      ...{ stop: new AbortController(), atPeople: true, rounds: 0 },
    };
    this.#open.set(key, request);
    const running = this.#askPeople(request, put).finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (!atHost) return "drop";
    if (form?.schema === undefined) return "pass";
    this.#showForm(request);
    return "drop";
  }

  /** The host replies. */
  replied(message: PeerMessage): LineFate {
    const key = idKey(message.id);
    if (this.#late.delete(key)) return "drop";
    const request = this.#open.get(key);
    if (request === undefined) return "pass";
    if (message.error !== undefined && request.atPeople && !request.stop.signal.aborted) {
      // The host cannot show it, which is nobody's answer.
      request.atHost = false;
      return "drop";
    }
    return this.#isAccepted(message) && request.form !== undefined
      ? this.#filled(request, request.form, message)
      : this.#settledAtHost(key, request);
  }

  /** The agent takes a request back. */
  takenBack(id: unknown): LineFate {
    const key = idKey(id);
    const request = this.#open.get(key);
    if (request === undefined) return "pass";
    request.stop.abort();
    if (request.atHost) return "pass";
    this.#open.delete(key);
    const error = { code: acpCodes.cancelled, message: "the request was cancelled" };
    this.#place.toAgent({ jsonrpc: "2.0", id, error });
    return "drop";
  }

  /** The host cancels the turn of a conversation. It answers what it was asked; we answer for the rest. */
  cancelled(sessionId: unknown): void {
    for (const [key, request] of this.#open) {
      if (request.sessionId !== sessionId) continue;
      request.stop.abort();
      if (request.atHost) continue;
      this.#open.delete(key);
      this.#reply(request, withoutAnswer(request.message.method));
    }
  }

  /** Tells the host of each call that waits, since a host may give up a prompt without news. */
  signsOfLife(): void {
    for (const { sessionId, toolCallId } of this.#open.values()) {
      if (sessionId === undefined || toolCallId === undefined) continue;
      const update = { sessionUpdate: "tool_call_update", toolCallId };
      this.#place.toHost({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
    }
  }

  /** Takes everything back from people. Resolves once they know. */
  async end(): Promise<void> {
    this.#isEnded = true;
    for (const { stop } of this.#open.values()) stop.abort();
    await Promise.all(this.#running);
  }

  #readAsk({ method, params }: PeerMessage) {
    if (method === "session/request_permission") return this.#readPermission(params);
    if (method === "elicitation/create") return this.#readElicitation(params);
    return undefined;
  }

  #readPermission(params: unknown) {
    const read = validate(PermissionRequest, params);
    if (!read.ok) return undefined;
    const asked = read.value as PermissionRequest;
    const news = newsIn(asked);
    const { toolCallId } = news;
    const call = callOf(news, (told) => this.#place.known.call(told));
    try {
      const shown = shownPermission(asked, call);
      if (shown.named.length === 0) return undefined;
      const questions = askedQuestions(asked);
      const put = (place: PeoplePlace) =>
        questions === undefined ? permitByPeople(shown, place) : answerByPeople(questions, place);
      return { sessionId: asked.sessionId, toolCallId, form: undefined, atHost: true, put };
    } catch (error) {
      // Of two options of one id no answer could tell which was meant: that is the host's to say.
      if (error instanceof AcpError) return undefined;
      throw error;
    }
  }

  #readElicitation(params: unknown) {
    const read = validate(Elicitation, params);
    if (!read.ok) return undefined;
    const asked = read.value as Elicitation;
    const { mode = "form", sessionId, toolCallId, requestedSchema = {} } = asked;
    if (mode !== "form" && mode !== "url") return undefined;
    const { links, problem } = this.#place;
    const put = (place: PeoplePlace) =>
      elicitFromPeople(asked, links, place, (reason) =>
        problem(`a form cannot be shown to people: ${reason}`),
      );
    return {
      ...{ sessionId: sessionId ?? undefined, toolCallId: toolCallId ?? undefined, put },
      form: mode === "form" ? formForHost(requestedSchema) : undefined,
      atHost: this.#host[mode],
    };
  }

  async #askPeople(request: OpenRequest, put: (place: PeoplePlace) => Promise<PeoplesEnd>): Promise<void> {
    const { stop, sessionId, message } = request;
    const end = await this.#peoplesEnd(put, stop.signal, sessionId);
    request.atPeople = false;
    const key = idKey(message.id);
    if (this.#open.get(key) !== request || stop.signal.aborted) return;
    if (end?.isDecision !== true && request.atHost) return;
    this.#open.delete(key);
    if (request.atHost) {
      this.#late.add(key);
      this.#place.toHost({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: message.id } });
    }
    this.#reply(request, end?.reply ?? withoutAnswer(message.method));
  }

  async #peoplesEnd(
    put: (place: PeoplePlace) => Promise<PeoplesEnd>,
    signal: AbortSignal,
    sessionId: string | undefined,
  ): Promise<PeoplesEnd | undefined> {
    const { known, people, problem } = this.#place;
    try {
      this.#people ??= people();
      const session = await this.#people;
      const origin: AskOrigin = defined({ host: known.agent, folder: known.folderOf(sessionId) });
      return await put({ session, origin, signal });
    } catch (error) {
      this.#people = undefined;
      if (!signal.aborted) problem(`people cannot be asked: ${(error as Error).message}`);
      return undefined;
    }
  }

  #isAccepted({ result }: PeerMessage): boolean {
    return membersOf(result).action === "accept";
  }

  /** Reads what the host sends for a form, and asks again for what does not fit. */
  #filled(request: OpenRequest, form: HostForm, message: PeerMessage): LineFate {
    const result = membersOf(message.result);
    const read = form.read(result.content);
    if ("mistakes" in read) {
      if (request.rounds < MOST_ROUNDS) {
        request.rounds += 1;
        this.#showForm(request, read.mistakes);
        return "drop";
      }
      this.#settledAtHost(idKey(message.id), request);
      this.#reply(request, withoutAnswer(request.message.method));
      return "drop";
    }
    this.#settledAtHost(idKey(message.id), request);
    if (form.schema === undefined) return "pass";
    this.#place.toAgent({ ...message, jsonrpc: "2.0", result: { ...result, content: read.content } });
    return "drop";
  }

  #showForm({ message, form }: OpenRequest, mistakes?: string): void {
    const params = membersOf(message.params);
    const said =
      mistakes === undefined ? params.message : `${params.message}\n\nThe answer did not fit: ${mistakes}.`;
    const requestedSchema = form?.schema ?? params.requestedSchema;
    this.#place.toHost({ ...message, jsonrpc: "2.0", params: { ...params, message: said, requestedSchema } });
  }

  #settledAtHost(key: string, request: OpenRequest): LineFate {
    this.#open.delete(key);
    request.stop.abort();
    return "pass";
  }

  #reply({ message }: OpenRequest, result: object | undefined): void {
    this.#place.toAgent({ jsonrpc: "2.0", id: message.id, result });
  }
}
