import type { ContentPart, ToolReturnValue, WireEventInput } from "@askwire/protocol";
import { randomId } from "@askwire/protocol/internal";
import { CallsUnderWay } from "./calls-under-way.js";
import type { EndedCalls } from "./ended-calls.js";
import type { ToolCallContent, ToolCallNews, Update } from "./shapes.js";
import { todoBlock } from "./todos.js";
import {
  type AgentCall,
  hasArguments,
  textOf,
  unknownResult,
  wireCall,
  wireResult,
  withContent,
  withNews,
} from "./tool-call.js";

/** The place where an agent speaks: a turn, or the time between two. */
export interface Scene {
  emit(event: WireEventInput): void;
  /** Begins the next step. Left out where there are no steps. Throws where no step may follow. */
  step?(): void;
  /** Tells what a running call has printed. Left out where nobody looks on. */
  printed?(callId: string, printed: { readonly text: string; readonly lines: number }): void;
  planMode(): boolean;
}

const OVER = new Set(["completed", "failed", "cancelled"]);

/** Reports an agent's doings to clients, as steps with text, calls and results. */
export class Telling {
  readonly #scene: Scene;
  readonly #ended: EndedCalls;
  readonly #calls = new CallsUnderWay();
  readonly #told = new Set<string>();
  /** The step is "speaking" from its beginning to its StatusUpdate (P-STP-1). */
  #step: "none" | "speaking" | "resting" = "none";
  /** True once a call of the step has ended. */
  #hasWorked = false;
  #figures: Record<string, number> = {};
  #planned = "";

  constructor(scene: Scene, ended: EndedCalls) {
    this.#scene = scene;
    this.#ended = ended;
  }

  say(part: ContentPart): void {
    this.#tell();
    this.#speak();
    this.#scene.emit({ type: "ContentPart", payload: part });
  }

  /** Reports news of a call. A call is told once its arguments are known, and its result once it has ended. */
  call(news: ToolCallNews): void {
    const id = news.toolCallId;
    const isNew = "sessionUpdate" in news && news.sessionUpdate === "tool_call";
    if (isNew) this.#ended.delete(id);
    if (!this.#ended.has(id)) this.#keep(withNews(this.#calls.get(id), news));
  }

  addContent(id: string, content: ToolCallContent): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.set(id, withContent(call, content), content);
    this.#makeRoom();
  }

  plan(entries: Update<"plan">["entries"]): void {
    const block = todoBlock(entries);
    const { items } = block;
    const next = JSON.stringify(items);
    if (next === this.#planned) return;
    this.#planned = next;
    this.call({ toolCallId: `plan-${randomId()}`, name: "Plan", rawInput: { items } });
    const [[id = ""] = []] = [...this.#calls].slice(-1);
    this.#close(id, { is_error: false, output: "", message: "", display: [block], extras: null });
  }

  usage(used: number, size: number): void {
    const [context_tokens, max_context_tokens] = [Math.round(used), Math.round(size)];
    const figures = { context_tokens, max_context_tokens, ...(size > 0 && { context_usage: used / size }) };
    if (this.#step === "speaking") this.#figures = figures;
    else this.#scene.emit({ type: "StatusUpdate", payload: figures });
  }

  /** Reports a call that a person is about to be asked about, and returns all that is known of it. */
  askAbout(news: ToolCallNews): AgentCall {
    const id = news.toolCallId;
    this.#ended.delete(id);
    this.#keep(withNews(this.#calls.get(id), { ...news, status: undefined }));
    this.#tell(id);
    this.#rest();
    return this.#calls.get(id) as AgentCall;
  }

  /** Reports a call that a question belongs to, if that is under way. */
  show(id: string): void {
    if (!this.#calls.has(id)) return;
    this.#tell(id);
    this.#rest();
  }

  /** The call that is under way, if there is exactly one. */
  onlyCall(): AgentCall | undefined {
    return this.#calls.size === 1 ? [...this.#calls.values()][0] : undefined;
  }

  /** Ends the step. Calls without an end are told as such. */
  end(): void {
    this.#tell();
    for (const [id, call] of this.#calls) this.#close(id, unknownResult(call));
    this.#rest();
  }

  /** Begins a step where the agent speaks again after the results of all calls. */
  #speak(): void {
    const isNext = this.#step === "none" || (this.#hasWorked && this.#calls.size === 0);
    if (this.#scene.step === undefined || !isNext) return;
    this.#rest();
    this.#scene.step();
    this.#step = "speaking";
    this.#hasWorked = false;
  }

  #rest(): void {
    if (this.#step !== "speaking") return;
    this.#step = "resting";
    const payload = { plan_mode: this.#scene.planMode(), ...this.#figures };
    this.#scene.emit({ type: "StatusUpdate", payload });
    this.#figures = {};
  }

  /** Reports calls in the order in which they began, up to this one. */
  #tell(last?: string): void {
    for (const [id, call] of this.#calls) {
      if (!this.#told.has(id)) {
        this.#told.add(id);
        this.#scene.emit({ type: "ToolCall", payload: wireCall(call) });
      }
      if (id === last) return;
    }
  }

  #keep(call: AgentCall): void {
    const id = call.toolCallId;
    const status = call.status ?? "pending";
    if (!this.#calls.has(id)) this.#speak();
    this.#calls.set(id, call);
    this.#makeRoom();
    if (OVER.has(status)) this.#close(id, wireResult(call));
    else if (hasArguments(call) || status !== "pending") this.#tell(id);
    if (status === "in_progress") this.#printed(call);
  }

  /** What a running call says so far is what it has printed. */
  #printed(call: AgentCall): void {
    const text = textOf(call);
    if (text === "") return;
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    this.#scene.printed?.(call.toolCallId, { text, lines });
  }

  /** Ends the oldest calls where there are too many. */
  #makeRoom(): void {
    for (let oldest = this.#calls.tooMany; oldest !== undefined; oldest = this.#calls.tooMany)
      this.#close(oldest.toolCallId, unknownResult(oldest));
  }

  #close(id: string, return_value: ToolReturnValue): void {
    this.#tell(id);
    this.#rest();
    this.#calls.delete(id);
    this.#told.delete(id);
    this.#ended.add(id);
    this.#hasWorked = true;
    this.#scene.emit({ type: "ToolResult", payload: { tool_call_id: id, return_value } });
  }
}
