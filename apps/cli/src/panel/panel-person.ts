import type {
  ApprovalReply,
  ApprovalView,
  QuestionReply,
  QuestionView,
  RequestContext,
} from "@askwire/client";
import { type FormState, type QuestionDraft, questionRows, reduceForm } from "@askwire/client/form";
import { type TerminalWords, whoActs } from "@askwire/client/words";
import type { CoreQuestion } from "@askwire/protocol";
import { type Clock, processClock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { tellDelivery } from "../terminal/delivery-lines.js";
import { type KeptWork, noWork } from "../terminal/kept-work.js";
import { LateAnswers } from "../terminal/late-answers.js";
import type { AskedInLines } from "../terminal/person.js";
import { approvalRequest } from "./approval-form.js";
import { approvalsTold } from "./approvals-told.js";
import type { PanelView } from "./content.js";
import { dueFrom } from "./deadline.js";
import { createGuard, noGuard } from "./guard.js";
import type { Attention } from "./notify.js";
import type { PanelEntry } from "./open-request.js";
import { type EditText, PutRequest, type Surroundings } from "./put-request.js";
import { questionRequest } from "./question-form.js";
import type { PanelRequest } from "./request.js";
import { Stage } from "./stage.js";
import type { PersonUpdate, TerminalPerson } from "./terminal-person.js";
import { ToldCalls } from "./told-calls.js";

export interface PanelTerminal {
  readonly lines: Pick<LineFeed, "lend" | "typing" | "untilSent" | "lastKeyAt">;
  readonly transcript: Pick<ShownTranscript, "freshLine" | "line" | "showedPlan" | "tellAnswer">;
  readonly paint: Paint;
  readonly words: TerminalWords;
  readonly view: PanelView;
  readonly attention: Attention;
  /** Asks in lines where no panel can be shown. */
  readonly byLines: AskedInLines;
}

export interface PanelPersonOptions {
  /** Set if a panel may come unexpected, so that keys may be meant for another place. Default: true. */
  readonly guarded?: boolean;
  /** Opens a text in an editor, which has the terminal meanwhile. Default: no text of an approval can be changed. */
  readonly edit?: EditText;
  /** Called on Ctrl-C in a panel. Default: Ctrl-C declines. */
  readonly interrupted?: () => void;
  /** Called on Esc in a panel, which then decides nothing. Default: Esc wipes own words, or declines. */
  readonly left?: () => void;
  /** Cancels the turn: a second Ctrl-C, soon after declining, means more than the next question. */
  readonly cancelTurn?: () => void;
  /** Reports if questions can be left out, as the server may take them. Default: they cannot. */
  readonly leavesOut?: () => boolean;
  /** Reports if answers may have notes, as the server may take them. Default: they may not. */
  readonly takesNotes?: () => boolean;
  /** Reports if the person may ask to talk first, as the server may take it. Default: they may not. */
  readonly discusses?: () => boolean;
  /** Keeps the unsent work on questions. Default: it lives as long as the process. */
  readonly work?: KeptWork;
  /** The clock. Default: this process's. */
  readonly clock?: Clock;
}

/** The time after Ctrl-C in which a second one cancels the turn, in milliseconds. */
const AGAIN_MS = 2_000;

/** A person at a terminal who answers in panels: one at a time, approvals first. */
export class PanelPerson implements TerminalPerson {
  readonly showsDeadlines = true;
  readonly #terminal: PanelTerminal;
  readonly #options: PanelPersonOptions;
  readonly #clock: Clock;
  readonly #work: KeptWork;
  readonly #stage: Stage;
  readonly #at: Surroundings;
  #interruptedAt = Number.NEGATIVE_INFINITY;

  constructor(terminal: PanelTerminal, options: PanelPersonOptions = {}) {
    this.#terminal = terminal;
    this.#options = options;
    this.#clock = options.clock ?? processClock;
    this.#work = options.work ?? noWork;
    this.#stage = this.#newStage();
    this.#at = {
      stage: this.#stage,
      words: terminal.words.asked,
      forms: new WeakMap(),
      changed: new WeakMap(),
      late: new LateAnswers(),
      told: new ToldCalls(),
      edit: options.edit,
      tellAnswer: (callId, told, goesOn) => terminal.transcript.tellAnswer(callId, told, goesOn),
      dim: (text) => terminal.paint("dim", text),
      tell: (text) => terminal.transcript.line(terminal.paint("dim", text)),
    };
  }

  question(view: QuestionView, context: RequestContext): Promise<QuestionReply> {
    const { paint, byLines } = this.#terminal;
    const { words, tell } = this.#at;
    tellDelivery(context, tell, words);
    const { leavesOut, takesNotes, discusses } = this.#options;
    const options = {
      leavesOut: leavesOut?.() ?? false,
      takesNotes: takesNotes?.() ?? false,
      discusses: discusses?.() ?? false,
    };
    const drawn = { paint, words, clock: this.#clock, options };
    return this.#put(
      view,
      questionRequest(view, context, drawn, () => byLines.question(view, context)),
    );
  }

  approval(view: ApprovalView, context: RequestContext): Promise<ApprovalReply> {
    const { paint, words, byLines } = this.#terminal;
    const { edit, changed, tell } = this.#at;
    tellDelivery(context, tell, words.asked);
    const drawn = { paint, words, edits: edit !== undefined, edited: changed.get(view) };
    return this.#put(
      view,
      approvalRequest(view, context, drawn, () => byLines.approval(view, context)),
    );
  }

  interrupt(): boolean {
    if (this.#stage.isInLines) return this.#terminal.byLines.interrupt();
    const open = this.#stage.front;
    open?.done("declined");
    return open !== undefined;
  }

  takeAhead(): void {
    this.#stage.takeAhead();
  }

  updated(update: PersonUpdate): void {
    const { request_id, deadline, answering, calls } = update;
    const approvals = approvalsTold(update, this.#terminal.words.panel);
    let isShown = false;
    for (const open of this.#stage.open) {
      if (open.request.id !== request_id) continue;
      open.due = dueFrom(deadline, this.#clock);
      if (answering !== undefined)
        open.others = answering.map((one) => whoActs(one, this.#terminal.words.panel.somebodyIn));
      if (calls !== undefined) open.calls = calls;
      if (approvals !== undefined) open.approvals = approvals;
      isShown = true;
    }
    if (approvals !== undefined && !isShown) this.#at.tell(`(${approvals})`);
    this.#stage.redraw();
  }

  hasTold(toolCallId: string): boolean {
    return this.#at.told.delete(toolCallId);
  }

  close(): void {
    this.#stage.close();
    this.#work.flush();
  }

  #newStage(): Stage {
    const { guarded = true, left } = this.#options;
    const { lines, words } = this.#terminal;
    const clock = this.#clock;
    return new Stage({
      ...this.#terminal,
      words: words.asked,
      clock,
      waitsForPrompt: guarded,
      guard: guarded ? createGuard(clock, () => lines.lastKeyAt) : noGuard,
      changed: (open, form) => {
        if (open.kind === "question") this.#work.keep(open.request.id, form);
      },
      interrupted: (open) => this.#interrupted(open),
      left,
    });
  }

  #interrupted(open: PanelEntry | undefined): void {
    const { interrupted, cancelTurn } = this.#options;
    if (interrupted !== undefined) return interrupted();
    const now = this.#clock.now();
    if (now - this.#interruptedAt < AGAIN_MS) cancelTurn?.();
    this.#interruptedAt = now;
    open?.done("declined");
  }

  async #put<Reply>(view: object, request: PanelRequest<Reply>): Promise<Reply> {
    request.signal.throwIfAborted();
    this.#at.late.asked(request.signal);
    return new PutRequest(view, request, this.#formOf(view, request), this.#at).reply();
  }

  #formOf(view: object, { kind, id, questions, form, issues }: PanelRequest): FormState {
    if (issues.length > 0) return reduceForm(this.#at.forms.get(view) ?? form(), { type: "refused", issues });
    const empty = form();
    const found = kind === "question" ? this.#work.find(id, questions) : undefined;
    if (found === undefined) return empty;
    // The last process may have had a row more, to talk first.
    const isThere = ({ row }: QuestionDraft, index: number) =>
      questionRows(questions[index] as CoreQuestion, empty.options)[row] !== undefined;
    const drafts = found.drafts.map((draft, index) => (isThere(draft, index) ? draft : { ...draft, row: 0 }));
    return { ...found, drafts, options: empty.options };
  }
}
