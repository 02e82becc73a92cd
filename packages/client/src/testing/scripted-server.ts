import {
  type AnswerIssue,
  type AnswerParams,
  type AnswerReply,
  allAgentMethods,
  answerIssues,
  bindPeer,
  type Call,
  type ClientMethods,
  clientMethods,
  everyFeature,
  extendedOffer,
  type Handlers,
  type InitializeParams,
  LocalError,
  type MessageChannel,
  type Outcome,
  type Peer,
  PROTOCOL_VERSION,
  type PromptResult,
  type QuestionInput,
  type SessionState,
  type UserInput,
  WireError,
  type WireEventInput,
} from "@askwire/protocol";
import { defined, randomId } from "@askwire/protocol/internal";
import { breakableChannel } from "./breakable-channel.js";
import { RequestBook } from "./request-book.js";
import { clientsOutcome, notShownOutcome, othersApproval, othersOutcome } from "./scripted-outcomes.js";
import {
  type AnswerSaid,
  approvalPut,
  basePayload,
  questionPut,
  type ScriptedRequest,
  toldResponse,
  wordsOfReply,
} from "./scripted-request.js";
import type {
  ReceivedAnswer,
  ScriptedApprovalInit,
  ScriptedOutcome,
  ScriptedServerOptions,
} from "./scripted-shapes.js";
import { type Line, ToldEvents } from "./told-events.js";

interface Turn {
  readonly id: string | undefined;
  readonly result: Promise<PromptResult>;
  readonly end: (result: PromptResult) => void;
}

/**
 * A server whose every message a test says, for programs that show an agent's questions.
 *
 * ```ts
 * const server = scriptedServer();
 * const session = await connect(server.dial, { handlers });
 * const id = server.ask({ question: "Which?", options: [{ label: "A" }, { label: "B" }] });
 * ```
 */
export class ScriptedServer {
  readonly #profile: "extended" | "base";
  readonly #name: string;
  readonly #session = { id: randomId(), stream: randomId() };
  readonly #book = new RequestBook();
  readonly #events = new ToldEvents();
  readonly #prompts: UserInput[] = [];
  #line: Line | undefined;
  #turn: Turn | undefined;
  #issues: readonly AnswerIssue[] | undefined;
  #dropAt: "before" | "after" | undefined;
  #held: Promise<void> | undefined;

  constructor({ profile = "extended", name = "scripted" }: ScriptedServerOptions = {}) {
    this.#profile = profile;
    this.#name = name;
  }

  /** Opens a connection: for `connect`, which calls it again after a loss. The newest connection is the one that counts. */
  readonly dial = (): MessageChannel => {
    const { clientEnd, serverEnd, cut } = breakableChannel();
    const calls = new Map<string, Call>();
    const peer: Peer<ClientMethods> = bindPeer({
      channel: serverEnd,
      local: allAgentMethods,
      remote: clientMethods,
      handlers: {
        ...this.#handlers(),
        initialize: (hello) => this.#introduced(hello, { peer, cut, calls }),
      },
    });
    return clientEnd;
  };

  /**
   * Puts one question or several to the client, now or as soon as it is connected. Returns the id of the request.
   *
   * @param more the rest of the request as on the wire, such as `deadline` and `agent`. Default: a `tool_call_id` that
   * is the id.
   * @throws LocalError BAD_MESSAGE for questions that do not fit the protocol.
   */
  ask(questions: string | QuestionInput | readonly QuestionInput[], more: object = {}): string {
    const list = typeof questions === "string" ? [{ question: questions }] : [questions].flat();
    const whole = list.map((question) => ({ options: [], ...question }));
    const id = randomId();
    return this.#put(questionPut({ id, tool_call_id: id, questions: whole, ...more }));
  }

  /**
   * Puts an approval to the client, as {@link ScriptedServer.ask} does.
   *
   * @throws LocalError BAD_MESSAGE for one that does not fit the protocol.
   */
  approve(approval: ScriptedApprovalInit): string {
    const id = randomId();
    return this.#put(approvalPut({ id, tool_call_id: id, sender: "agent", action: "run", ...approval }));
  }

  /** Tells the client a piece of the agent's text. */
  say(text: string): void {
    this.tell({ type: "ContentPart", payload: { type: "text", text } });
  }

  /** Tells the client an event, such as a ToolCall. In the base profile it is lost while no client is connected. */
  tell({ type, payload }: WireEventInput): void {
    this.#tell(type, payload as object);
  }

  /**
   * Settles a request, as where another client answers or a deadline passes. Default: another client has answered.
   *
   * @throws LocalError INVALID_STATE for a request that is not open.
   */
  settle(id: string, outcome: ScriptedOutcome = { status: "answered" }): void {
    const request = this.#book.find(id);
    if (request === undefined || request.outcome !== undefined) {
      throw new LocalError("INVALID_STATE", `settle: ${id} is no open request`);
    }
    const { status, response } = outcome;
    this.#settled(request, othersOutcome(outcome), response);
    if (request.kind === "approval") {
      this.#tell("ApprovalResponse", { request_id: id, ...othersApproval(status, response) });
    }
    this.#overForBase(request);
  }

  /**
   * Ends the turn that the client began by its prompt.
   *
   * @throws LocalError INVALID_STATE without a turn.
   */
  end(status: PromptResult["status"] = "finished"): void {
    const turn = this.#turn;
    if (turn === undefined) throw new LocalError("INVALID_STATE", "end: the client has not prompted");
    this.#turn = undefined;
    this.#tell("TurnEnd", { ...(turn.id !== undefined && { turn_id: turn.id }), status });
    turn.end({ status });
  }

  /** Drops the connection: what is under way is lost. An extended client dials again. */
  drop(): void {
    const line = this.#line;
    this.#line = undefined;
    line?.cut();
  }

  /**
   * Drops the connection at the next answer: `before` it counts, so that the server never had it, or `after`, so that
   * only the reply is lost.
   */
  dropAtAnswer(when: "before" | "after"): void {
    this.#dropAt = when;
  }

  /**
   * Refuses the next answer with these issues, in the extended profile. Answers that do not fit their questions are
   * refused anyway.
   *
   * @throws LocalError INVALID_STATE in the base profile, which cannot refuse.
   */
  refuse(issues: readonly AnswerIssue[]): void {
    if (this.#profile === "base") {
      throw new LocalError("INVALID_STATE", "refuse: an answer of the base profile has no reply");
    }
    this.#issues = issues;
  }

  /** Is slow: answers that come wait until the returned function is called, and are read only then. */
  hold(): () => void {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = held;
    return () => {
      if (this.#held === held) this.#held = undefined;
      release();
    };
  }

  /** The answers of the client so far, oldest first. */
  answers(): readonly ReceivedAnswer[] {
    return [...this.#book.answers];
  }

  /**
   * Resolves with the answer that settles a request, at once where it has.
   *
   * @param timeoutMs milliseconds to wait for it. Default: 10,000.
   * @throws LocalError TIMEOUT for an answer that does not come, INVALID_STATE for a request that ends in another way.
   */
  taken(id: string, timeoutMs = 10_000): Promise<ReceivedAnswer> {
    return this.#book.taken(id, timeoutMs);
  }

  /** The prompts of the client so far, oldest first. */
  prompts(): readonly UserInput[] {
    return [...this.#prompts];
  }

  #handlers(): Handlers<typeof allAgentMethods> {
    return {
      prompt: ({ user_input, turn_id }) => this.#prompt(user_input, turn_id),
      answer: (params) =>
        this.#held === undefined ? this.#answer(params) : this.#held.then(() => this.#answer(params)),
      cancel: () => this.#cancel(),
      steer: ({ user_input }) => {
        this.#tell("SteerInput", { user_input });
        return { status: "steered" };
      },
      set_plan_mode: ({ enabled }) => ({ status: "ok", plan_mode: enabled }),
      replay: () => ({ status: "finished", events: 0, requests: 0 }),
      received: () => {},
      touch: () => ({}),
      release: ({ request_id }) => {
        this.#settled(this.#book.openRequest(request_id), notShownOutcome(), undefined);
        return {};
      },
    };
  }

  #introduced(
    { client, capabilities, session: place }: InitializeParams,
    { peer, cut, calls }: Pick<Line, "peer" | "cut" | "calls">,
  ) {
    const offer = this.#profile === "extended" ? extendedOffer(capabilities?.askwire) : undefined;
    const before = this.#line?.peer === peer ? this.#line : undefined;
    const line = {
      peer,
      cut,
      calls,
      id: before?.id ?? randomId(),
      client: client?.name ?? "client",
      shows: offer,
    };
    this.#line = line;
    if (before === undefined) {
      const known = place?.stream === this.#session.stream ? (place.after_seq ?? 0) : undefined;
      // After the reply, which goes out once this function has returned.
      queueMicrotask(() => queueMicrotask(() => this.#catchUp(line, known)));
    }
    return {
      protocol_version: PROTOCOL_VERSION,
      server: { name: this.#name, version: "0" },
      slash_commands: [],
      capabilities: {
        supports_question: true,
        ...(offer !== undefined && { askwire: { ...everyFeature, presence: true } }),
      },
      ...(offer !== undefined && {
        session: {
          ...this.#session,
          seq: this.#events.last,
          state: this.#state(),
          connection: line.id,
          ...(this.#turn?.id !== undefined && { turn_id: this.#turn.id }),
          plan_mode: false,
          pending: this.#book.open().map(({ id }) => id),
          reset: false,
        },
      }),
    };
  }

  #catchUp(line: Line, known: number | undefined): void {
    if (this.#line !== line) return;
    if (line.shows !== undefined) return this.#events.catchUp(line, known, this.#book.open());
    for (const request of this.#book.open()) this.#askBase(line, request);
  }

  #put(request: ScriptedRequest): string {
    this.#book.add(request);
    this.#tell(request.type, request.payload, request);
    const line = this.#line;
    if (line !== undefined && line.shows === undefined) this.#askBase(line, request);
    return request.id;
  }

  #askBase(line: Line, request: ScriptedRequest): void {
    const { type, payload } = basePayload(request);
    const call = line.peer.ask("request", type, payload, request.id, (reply) => {
      line.calls.delete(request.id);
      if (!reply.ok) {
        if (request.outcome === undefined && reply.error instanceof WireError) {
          this.#settled(request, notShownOutcome(), undefined);
        }
        return;
      }
      const said = wordsOfReply(request, reply.value as never);
      const read = () => this.#readBase(line, request, said);
      if (this.#held === undefined) read();
      else void this.#held.then(read);
    });
    line.calls.set(request.id, call);
  }

  #prompt(input: UserInput, id: string | undefined): Promise<PromptResult> {
    const running = this.#turn;
    if (running !== undefined) {
      if (id !== undefined && running.id === id) return running.result;
      throw new WireError("InvalidState", "a turn is under way");
    }
    let end: Turn["end"] = () => {};
    const result = new Promise<PromptResult>((resolve) => {
      end = resolve;
    });
    this.#prompts.push(input);
    this.#turn = { id, result, end };
    this.#tell("TurnBegin", { user_input: input, ...(id !== undefined && { turn_id: id }) });
    return result;
  }

  #cancel(): Record<string, never> {
    if (this.#turn === undefined) throw new WireError("InvalidState", "no turn is under way");
    for (const { id } of this.#book.open()) this.settle(id, { status: "withdrawn", reason: "interrupted" });
    this.end("cancelled");
    return {};
  }

  /** Reads an answer of the extended profile, and replies as a server does (P-XAN-2 to P-XAN-5). */
  #answer({ request_id, answer_id, ...said }: AnswerParams): AnswerReply {
    const note = (became: ReceivedAnswer["became"]) =>
      void this.#book.answers.push({ request_id, became, said });
    const before = this.#book.counted.get(answer_id);
    if (before !== undefined) {
      note("repeated");
      return { outcome: before };
    }
    const dropAt = this.#takeDrop();
    if (dropAt === "before") {
      note("lost");
      this.drop();
      throw new LocalError("CLOSED", "dropped");
    }
    if (this.#book.find(request_id)?.outcome !== undefined) note("late");
    const request = this.#book.openRequest(request_id);
    const issues = this.#takeIssues() ?? answerIssues(request.answerable, said as AnswerParams, this.#may());
    if (issues.length > 0) {
      note("refused");
      throw new WireError("InvalidAnswer", "the answer does not fit", { data: { issues } });
    }
    note("taken");
    const outcome = clientsOutcome(said, this.#line);
    const response = toldResponse(request, said);
    this.#book.counted.set(answer_id, outcome);
    this.#book.end(request, outcome);
    const { kind } = request;
    const settled = { kind, outcome, ...(response !== undefined && { response }) };
    const marks = this.#events.add("InteractionSettled", { request_id, ...settled }, this.#state());
    if (dropAt === "after") this.drop();
    return { ...settled, ...marks };
  }

  #readBase(line: Line, request: ScriptedRequest, said: AnswerSaid): void {
    const isLate = request.outcome !== undefined;
    const dropAt = this.#takeDrop();
    const became = dropAt === "before" ? "lost" : isLate ? "late" : "taken";
    this.#book.answers.push({ request_id: request.id, became, said });
    if (became === "taken") this.#settled(request, clientsOutcome(said, line), toldResponse(request, said));
    if (dropAt !== undefined) this.drop();
  }

  #takeDrop(): "before" | "after" | undefined {
    const dropAt = this.#dropAt;
    this.#dropAt = undefined;
    return dropAt;
  }

  #takeIssues(): readonly AnswerIssue[] | undefined {
    const issues = this.#issues;
    this.#issues = undefined;
    return issues;
  }

  /** The features that the client may use in an answer. */
  #may() {
    const {
      skip = false,
      notes = false,
      attachments = false,
      approval_options,
      edits,
    } = this.#line?.shows ?? {};
    return { skip, notes, attachments, ...defined({ approval_options, edits }) };
  }

  #settled(request: ScriptedRequest, outcome: Outcome, response: unknown): void {
    this.#book.end(request, outcome);
    const { id: request_id, kind } = request;
    this.#tell("InteractionSettled", {
      request_id,
      kind,
      outcome,
      ...(response !== undefined && { response }),
    });
  }

  /** Shows a base client, which hears of no settlement, that a request is over (P-CLI-1). */
  #overForBase({ id, kind, payload }: ScriptedRequest): void {
    const line = this.#line;
    const call = line?.calls.get(id);
    if (line === undefined || call === undefined) return;
    line.calls.delete(id);
    call.forget();
    if (kind === "approval") return;
    const return_value = { is_error: false, output: "", message: "", display: [], extras: null };
    line.peer.tell("event", "ToolResult", { tool_call_id: payload.tool_call_id, return_value });
  }

  #state(): SessionState {
    if (this.#book.open().length > 0) return "waiting";
    return this.#turn === undefined ? "idle" : "running";
  }

  #tell(type: string, payload: object, request?: ScriptedRequest): void {
    const marks = this.#events.add(type, payload, this.#state(), request);
    if (this.#line !== undefined) this.#events.send(this.#line, type, payload, marks);
  }
}

/** Makes a server whose every message a test says. */
export function scriptedServer(options: ScriptedServerOptions = {}): ScriptedServer {
  return new ScriptedServer(options);
}
