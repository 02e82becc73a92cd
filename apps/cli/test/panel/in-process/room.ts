import {
  type ApprovalView,
  type DeliveryState,
  type QuestionView,
  type RequestContext,
  RequestSettled,
} from "@askwire/client";
import { HELD_MS } from "@askwire/client/form";
import type { Language } from "@askwire/client/words";
import { terminalWords } from "@askwire/client/words";
import { type AnswerIssue, coreQuestion, type Outcome } from "@askwire/protocol";
import type { Clock } from "../../../src/device/clock.js";
import type { Borrower, Loan } from "../../../src/device/loan.js";
import { paintFor } from "../../../src/device/paint.js";
import type { PanelView } from "../../../src/panel/content.js";
import { DOUBLE_MS } from "../../../src/panel/guard.js";
import { attentionOf } from "../../../src/panel/notify.js";
import { PanelPerson } from "../../../src/panel/panel-person.js";
import type { EditText } from "../../../src/panel/put-request.js";
import { panelView } from "../../../src/panel/view.js";
import type { AskedInLines } from "../../../src/terminal/person.js";
import { TerminalTranscript } from "../../../src/terminal/transcript.js";

export const enter = "\r";
export const esc = "\u001b";
export const down = "\u001b[B";
export const CTRL_C = "\u0003";

/** Time that goes on when a test says so. */
export function handClock(): Clock & { pass(ms: number): void } {
  let now = 100_000;
  const timers = new Set<{ readonly at: number; readonly action: () => void }>();
  return {
    now: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        now = due.at;
        due.action();
      }
      now = end;
    },
  };
}

/** A terminal to lend, and the prompt that stands there. */
function standInLines() {
  const state = {
    typing: false,
    lastKeyAt: Number.NEGATIVE_INFINITY,
    borrower: undefined as Borrower | undefined,
    isLendable: true,
    frame: "",
    columns: 80,
    signals: "",
    sent: [] as (() => void)[],
  };
  const loan: Loan = {
    get columns() {
      return state.columns;
    },
    rows: 24,
    show({ lines }) {
      state.frame = lines.join("\n");
    },
    signal(sequence) {
      state.signals += sequence;
    },
    away: (run) => run(new AbortController().signal),
    end() {
      state.borrower = undefined;
      state.frame = "";
    },
  };
  return {
    state,
    get typing() {
      return state.typing;
    },
    get lastKeyAt() {
      return state.lastKeyAt;
    },
    lend(borrower: Borrower) {
      if (!state.isLendable || state.borrower !== undefined) return undefined;
      state.borrower = borrower;
      return loan;
    },
    untilSent: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        state.sent.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  };
}

interface RoomOptions {
  /** Default: English. */
  readonly language?: Language;
  readonly guarded?: boolean;
  readonly view?: PanelView;
  readonly byLines?: Partial<AskedInLines>;
  /** Default: no text can be changed. */
  readonly edit?: EditText;
  readonly interrupted?: () => void;
  readonly leavesOut?: () => boolean;
  readonly takesNotes?: () => boolean;
  readonly discusses?: () => boolean;
  readonly cancelTurn?: () => void;
}

/** A person at panels: the real form, keys and view, at a stand-in terminal, with time in the test's hands. */
export async function panelRoom({ view, byLines, language = "en", ...options }: RoomOptions = {}) {
  const clock = handClock();
  const lines = standInLines();
  const paint = paintFor({}, {});
  const words = terminalWords[language];
  let written = "";
  const output = {
    write(text: string) {
      written += text;
    },
  };
  const transcript = new TerminalTranscript(output, paint, words);
  const inLines: AskedInLines = {
    question: () => "declined",
    approval: () => "reject",
    interrupt: () => false,
    ...byLines,
  };
  const person = new PanelPerson(
    {
      lines,
      transcript,
      paint,
      words,
      view: view ?? panelView({ words: words.panel, paint }),
      attention: attentionOf("xterm"),
      byLines: inLines,
    },
    { ...options, clock },
  );
  async function pass(ms: number): Promise<void> {
    clock.pass(ms);
    await settled();
  }
  async function opened(): Promise<void> {
    await settled();
    await pass(DOUBLE_MS);
  }
  return {
    person,
    clock,
    transcript,
    terminal: lines.state,
    /** The lines of the panel; empty without a panel. */
    frame: () => lines.state.frame,
    written: () => written,
    /** Presses keys, and lets what follows from them happen. */
    async type(...keys: string[]) {
      for (const key of keys) {
        lines.state.borrower?.input(Buffer.from(key));
        await settled();
        // A character that may begin words counts a moment later.
        if (/^[1-9yaneq ]$/.test(key)) await pass(HELD_MS);
      }
    },
    pass,
    /** Sends or wipes the text at the prompt. */
    async sends() {
      lines.state.typing = false;
      for (const resolve of lines.state.sent.splice(0)) resolve();
      await settled();
    },
    /** Lets a panel open, and takes the time in which it takes no keys, also behind another panel. */
    settled: opened,
    /** Puts a question to the person, whose panel takes keys then. */
    async asks(view = colourView(), issues?: readonly AnswerIssue[]) {
      const { context, settle } = requestContext(issues);
      const reply = person.question(view, context);
      await opened();
      return { reply, context, settle };
    },
    /** Puts an approval to the person, whose panel takes keys then. */
    async asksApproval(view = approvalView()) {
      const reply = person.approval(view, requestContext().context);
      await opened();
      return { reply };
    },
  };
}

/** Lets promises that are settled go on. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

let requests = 0;

/** A question with two options, or with those that are given. */
export function colourView(
  {
    question = "Which colour?",
    options = ["Red", "Blue"],
    ...more
  }: { question?: string; options?: string[]; body?: string } = {},
  extra: Partial<QuestionView> = {},
): QuestionView {
  requests += 1;
  const given = options.map((label) => ({ label, description: label === "Blue" ? "like the sea" : "" }));
  const base = { question, header: "Colour", options: given, multi_select: false, body: "", ...more };
  const questions = [coreQuestion({ other_label: "", other_description: "", ...base }, 0)];
  return { id: `question-${requests}`, tool_call_id: `call-${requests}`, questions, ...extra };
}

export function approvalView(extra: Partial<ApprovalView> = {}): ApprovalView {
  requests += 1;
  return {
    id: `approval-${requests}`,
    tool_call_id: `call-${requests}`,
    sender: "Shell",
    action: "run command",
    description: "Run `npm test`",
    source_kind: null,
    source_id: null,
    agent_id: null,
    subagent_type: null,
    source_description: null,
    display: [],
    ...extra,
  };
}

/** A handler's context of a request, and a way to end the request elsewhere. */
export function requestContext(issues: readonly AnswerIssue[] = []) {
  const controller = new AbortController();
  let told: (state: DeliveryState) => void = () => {};
  const context: RequestContext & { touches: number } = {
    signal: controller.signal,
    issues,
    touches: 0,
    touch() {
      context.touches += 1;
    },
    onDelivery(listener) {
      told = listener;
    },
  };
  return {
    context,
    /** The answer has come so far on its way to the server. */
    tell: (state: DeliveryState) => told(state),
    /** Somebody else answered. */
    settle(outcome: Partial<Outcome> = {}) {
      const at = new Date(0).toISOString();
      const client = { name: "phone", connection: "c" };
      const whole = { status: "answered", by: "human", client, at, ...outcome } as Outcome;
      controller.abort(new RequestSettled("it was settled", whole));
    },
  };
}
