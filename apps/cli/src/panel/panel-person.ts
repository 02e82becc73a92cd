import { RequestSettled } from "@askwire/client";
import { type FormState, reduceForm } from "@askwire/client/form";
import { keptText, visibleLine } from "@askwire/client/text";
import type { HeardDeadline } from "@askwire/protocol";
import { type Clock, processClock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import type { Lines } from "../lines/line-readers.js";
import { tellDelivery } from "../terminal/delivery-lines.js";
import { type KeptWork, noWork } from "../terminal/kept-work.js";
import type { Person } from "../terminal/person.js";
import { whyGone } from "../terminal/settled-elsewhere.js";
import type { Transcript } from "../terminal/transcript.js";
import type { Words } from "../words/words.js";
import { approvalRequest } from "./approval-form.js";
import type { PanelView } from "./content.js";
import { dueFrom } from "./deadline.js";
import { createGuard, noGuard } from "./guard.js";
import type { Attention } from "./notify.js";
import { questionRequest } from "./question-form.js";
import type { Change, PanelRequest } from "./request.js";
import { createStage, type OpenRequest } from "./stage.js";

/** A person at a terminal who answers in panels: one at a time, approvals first. */
export interface PanelPerson extends Person {
  /** Takes the terminal already: from now on keys are for the first request. */
  takeAhead(): void;
  /** Takes the event InteractionUpdated. */
  updated(update: RequestUpdate): void;
  /** True once for each call whose answered panel left lines that tell its outcome. */
  hasTold(toolCallId: string): boolean;
  /** Gives the terminal back. Open and later requests fail. */
  close(): void;
}

/** A change of an open request, as InteractionUpdated tells it. */
export interface RequestUpdate {
  readonly request_id: string;
  readonly deadline: HeardDeadline | null;
  /** The other clients whose people have begun to answer. Absent: as before. */
  readonly answering?: readonly { readonly name: string }[] | undefined;
  /** The calls of the asking program that wait for the answer. Absent: as before. */
  readonly calls?: number | undefined;
}

export interface PanelTerminal {
  readonly lines: Pick<Lines, "lend" | "typing" | "untilSent" | "lastKeyAt">;
  readonly transcript: Pick<Transcript, "line" | "cardFollows" | "showedPlan">;
  readonly paint: Paint;
  readonly words: Words;
  readonly view: PanelView;
  readonly attention: Attention;
  /** Asks in lines where no panel can be shown. */
  readonly byLines: Person;
}

export interface PanelPersonOptions {
  /** Set if a panel may come unexpected, so that keys may be meant for another place. Default: true. */
  readonly guarded?: boolean;
  /** Opens a text in an editor, which has the terminal meanwhile. Default: no text of an approval can be changed. */
  readonly edit?: EditText;
  /** Called on Ctrl-C in a panel. Default: Ctrl-C declines. */
  readonly interrupted?: () => void;
  /** Cancels the turn: a second Ctrl-C, soon after declining, means more than the next question. */
  readonly cancelTurn?: () => void;
  /** Tells if questions can be left out, as the server may take them. Default: they cannot. */
  readonly leavesOut?: () => boolean;
  /** Keeps the unsent work on questions. Default: it lives as long as the process. */
  readonly work?: KeptWork;
  /** The clock. Default: this process's. */
  readonly clock?: Clock;
}

/** Opens a text in an editor; resolves with the text as saved. */
export type EditText = (text: string, name: string, signal: AbortSignal) => Promise<string>;

/** The time after Ctrl-C in which a second one cancels the turn, in milliseconds. */
const AGAIN_MS = 2_000;

/** The most calls with answers already told; a turn that ends early leaves some behind. */
const MOST_TOLD = 256;

export function createPanelPerson(
  { byLines, ...terminal }: PanelTerminal,
  {
    guarded = true,
    edit,
    interrupted,
    cancelTurn,
    leavesOut = () => false,
    work = noWork,
    clock = processClock,
  }: PanelPersonOptions = {},
): PanelPerson {
  const { lines, transcript, paint } = terminal;
  const words = terminal.words.asked;
  let interruptedAt = Number.NEGATIVE_INFINITY;
  const stage = createStage({
    ...terminal,
    words,
    clock,
    waitsForPrompt: guarded,
    guard: guarded ? createGuard(clock, () => lines.lastKeyAt) : noGuard,
    changed(open, form) {
      if (open.kind === "question") work.keep(open.request.id, form);
    },
    interrupted(open) {
      if (interrupted !== undefined) return interrupted();
      if (clock.now() - interruptedAt < AGAIN_MS) cancelTurn?.();
      interruptedAt = clock.now();
      open?.done("declined");
    },
  });
  /** The filled forms, by the shown view, as long as the client has it, since the server may refuse an answer. */
  const forms = new WeakMap<object, FormState>();
  /** The signals of requests whose answer is given, as far as this client knows. */
  const answered = new WeakSet<AbortSignal>();
  const told = new Set<string>();
  /** The changed texts of approvals, by the shown view, since the server may refuse one. */
  const changed = new WeakMap<object, string>();

  async function put<Reply>(view: object, first: PanelRequest<Reply>): Promise<Reply> {
    const { signal, issues, tool_call_id, kind } = first;
    let request = first;
    signal.throwIfAborted();
    answered.delete(signal);
    return new Promise<Reply>((resolve, reject) => {
      const gone = () => {
        stage.withdraw(open);
        if (open.isSeen)
          tell(`${words.noLongerOpen(whyGone(signal.reason, words))} ${visibleLine(request.told)}`);
        reject(signal.reason);
      };
      /** Another answer came first, as the server's reply or its first words after a lost connection tell. */
      const late = () => {
        const { reason } = signal;
        if (!answered.delete(signal) || !(reason instanceof RequestSettled) || !reason.outcome) return;
        told.delete(tool_call_id);
        tell(words.didNotCount(whyGone(reason, words)));
      };
      const open: OpenRequest = {
        kind,
        request,
        form: formOf(view, request),
        top: 0,
        due: request.due,
        others: [],
        calls: 1,
        isSeen: issues.length > 0,
        done(result) {
          if (request.change?.isWanted(result) === true) return void change(request.change);
          stage.remove(open);
          signal.removeEventListener("abort", gone);
          forms.set(view, open.form);
          for (const line of request.summary(result)) transcript.line(line);
          // A call may ask more than once: the last outcome decides.
          if (request.tellsAll(result)) remember(tool_call_id);
          else told.delete(tool_call_id);
          answered.add(signal);
          signal.addEventListener("abort", late, { once: true });
          resolve(request.reply(result));
        },
        async byLines() {
          signal.removeEventListener("abort", gone);
          try {
            resolve(await request.byLines());
          } catch (error) {
            reject(error);
          }
        },
        giveUp() {
          signal.removeEventListener("abort", gone);
          reject(new Error("the panels are closed: nobody is asked any more"));
        },
      };
      /** Opens the text, and shows the request again with what became of it: saving answers nothing. */
      async function change({ text, name, changed: withText }: Change<Reply>): Promise<void> {
        try {
          await stage.away(async (end) => {
            // Its row of the form is no answer.
            open.form = request.form();
            const saved = (await edit?.(text, name, end)) ?? text;
            const kept = keptText(text, saved);
            if (kept !== saved) tell(words.endsKept);
            changed.set(view, kept);
            request = withText(kept);
            open.request = request;
            open.form = request.form();
          });
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          tell(words.notEdited(visibleLine(why)));
        }
      }
      signal.addEventListener("abort", gone, { once: true });
      stage.add(open);
    });
  }

  function formOf(view: object, { kind, id, questions, form, issues }: PanelRequest): FormState {
    if (issues.length === 0) {
      const empty = form();
      const found = kind === "question" ? work.find(id, questions) : undefined;
      return found === undefined ? empty : { ...found, options: empty.options };
    }
    return reduceForm(forms.get(view) ?? form(), { type: "refused", issues });
  }

  function tell(text: string): void {
    transcript.line(paint("dim", text));
  }

  function remember(toolCallId: string): void {
    told.add(toolCallId);
    for (const oldest of told) {
      if (told.size <= MOST_TOLD) break;
      told.delete(oldest);
    }
  }

  return {
    question(view, context) {
      tellDelivery(context, tell, words);
      return put(
        view,
        questionRequest(view, context, { paint, words, clock, leavesOut: leavesOut() }, () =>
          byLines.question(view, context),
        ),
      );
    },
    approval(view, context) {
      tellDelivery(context, tell, words);
      return put(
        view,
        approvalRequest(
          view,
          context,
          { paint, words: terminal.words, edits: edit !== undefined, edited: changed.get(view) },
          () => byLines.approval(view, context),
        ),
      );
    },
    interrupt() {
      if (stage.isInLines) return byLines.interrupt();
      const open = stage.front();
      open?.done("declined");
      return open !== undefined;
    },
    takeAhead: stage.takeAhead,
    updated({ request_id, deadline, answering, calls }) {
      for (const open of stage.open()) {
        if (open.request.id !== request_id) continue;
        open.due = dueFrom(deadline, clock);
        if (answering !== undefined) open.others = answering.map(({ name }) => name);
        if (calls !== undefined) open.calls = calls;
      }
      stage.redraw();
    },
    hasTold: (toolCallId) => told.delete(toolCallId),
    close() {
      stage.close();
      work.flush();
    },
  };
}
