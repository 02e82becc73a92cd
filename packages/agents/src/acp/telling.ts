import type { ContentPart, ToolReturnValue, WireEventInput } from "@askwire/protocol";
import { CallsUnderWay } from "./calls-under-way.js";
import type { ToolCallContent, ToolCallNews, Update } from "./shapes.js";
import {
  type AgentCall,
  isFilled,
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
  planMode(): boolean;
}

/** Tells clients of an agent's doings, as steps with text, calls and results. */
export interface Telling {
  say(part: ContentPart): void;
  /** Tells news of a call. A call is told once its arguments are known, and its result once it has ended. */
  call(news: ToolCallNews): void;
  addContent(id: string, content: ToolCallContent): void;
  plan(entries: Update<"plan">["entries"]): void;
  usage(used: number, size: number): void;
  /** Tells a call that a person is about to be asked about, and returns all that is known of it. */
  askAbout(news: ToolCallNews): AgentCall;
  /** Tells a call that a question belongs to, if that is under way. */
  show(id: string): void;
  /** The call that is under way, if there is exactly one. */
  onlyCall(): AgentCall | undefined;
  /** Ends the step. Calls without an end are told as such. */
  end(): void;
}

/** The most ended calls whose late news are passed over. */
const MOST_ENDED = 1_000;

const OVER = new Set(["completed", "failed", "cancelled"]);

/** @param ended the ids of ended calls, which outlive the scene: news of them come late. */
export function telling(scene: Scene, ended: Set<string>): Telling {
  const calls = new CallsUnderWay();
  const told = new Set<string>();
  /** True from the beginning of a step to its StatusUpdate (P-STP-1). */
  let isSpeaking = false;
  let hasStep = false;
  /** True once a call of the step has ended. */
  let hasWorked = false;
  let figures: Record<string, number> = {};
  let planned = "";

  /** Begins a step where the agent speaks again after the results of all calls. */
  function speak(): void {
    if (scene.step === undefined || (hasStep && !(hasWorked && calls.size === 0))) return;
    rest();
    scene.step();
    hasStep = true;
    isSpeaking = true;
    hasWorked = false;
  }

  function rest(): void {
    if (!isSpeaking) return;
    isSpeaking = false;
    scene.emit({ type: "StatusUpdate", payload: { plan_mode: scene.planMode(), ...figures } });
    figures = {};
  }

  /** Tells calls in the order in which they began, up to this one. */
  function tell(last?: string): void {
    for (const [id, call] of calls) {
      if (!told.has(id)) {
        told.add(id);
        scene.emit({ type: "ToolCall", payload: wireCall(call) });
      }
      if (id === last) return;
    }
  }

  function close(id: string, return_value: ToolReturnValue): void {
    tell(id);
    rest();
    calls.delete(id);
    told.delete(id);
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
    hasWorked = true;
    scene.emit({ type: "ToolResult", payload: { tool_call_id: id, return_value } });
  }

  /** Ends the oldest calls where there are too many. */
  function makeRoom(): void {
    for (let oldest = calls.tooMany; oldest !== undefined; oldest = calls.tooMany)
      close(oldest.toolCallId, unknownResult(oldest));
  }

  function keep(call: AgentCall): void {
    const id = call.toolCallId;
    if (!calls.has(id)) speak();
    calls.set(id, call);
    makeRoom();
    if (OVER.has(call.status ?? "")) close(id, wireResult(call));
    else if (isFilled(call.rawInput) || (call.status ?? "pending") !== "pending") tell(id);
  }

  const self: Telling = {
    say(part) {
      tell();
      speak();
      scene.emit({ type: "ContentPart", payload: part });
    },
    call(news) {
      const id = news.toolCallId;
      const isNew = "sessionUpdate" in news && news.sessionUpdate === "tool_call";
      if (isNew) ended.delete(id);
      if (!ended.has(id)) keep(withNews(calls.get(id), news));
    },
    addContent(id, content) {
      const call = calls.get(id);
      if (call === undefined) return;
      calls.set(id, withContent(call, content), content);
      makeRoom();
    },
    plan(entries) {
      const items = entries.map(({ content, status }) => ({
        title: content,
        status: status === "completed" ? "done" : status,
      }));
      const next = JSON.stringify(items);
      if (next === planned) return;
      planned = next;
      self.call({ toolCallId: `plan-${crypto.randomUUID()}`, name: "Plan", rawInput: { items } });
      const [[id = ""] = []] = [...calls].slice(-1);
      close(id, {
        is_error: false,
        output: "",
        message: "",
        display: [{ type: "todo", items }],
        extras: null,
      });
    },
    usage(used, size) {
      const [context_tokens, max_context_tokens] = [Math.round(used), Math.round(size)];
      figures = { context_tokens, max_context_tokens, ...(size > 0 && { context_usage: used / size }) };
      if (isSpeaking) return;
      scene.emit({ type: "StatusUpdate", payload: figures });
      figures = {};
    },
    askAbout(news) {
      const id = news.toolCallId;
      ended.delete(id);
      keep(withNews(calls.get(id), { ...news, status: undefined }));
      tell(id);
      rest();
      return calls.get(id) as AgentCall;
    },
    show(id) {
      if (!calls.has(id)) return;
      tell(id);
      rest();
    },
    onlyCall: () => (calls.size === 1 ? [...calls.values()][0] : undefined),
    end() {
      tell();
      for (const [id, call] of calls) close(id, unknownResult(call));
      rest();
    },
  };
  return self;
}
