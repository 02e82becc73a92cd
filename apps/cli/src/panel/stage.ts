import type { FormKey, FormResult, FormState } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { Clock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import type { Lines } from "../lines/line-readers.js";
import type { Transcript } from "../terminal/transcript.js";
import type { AskedWords } from "../words/asked-words.js";
import type { PanelView } from "./content.js";
import type { Due } from "./deadline.js";
import type { Guard } from "./guard.js";
import type { Attention } from "./notify.js";
import { openPanel, type Panel } from "./panel.js";
import { createQueue } from "./queue.js";
import type { PanelRequest } from "./request.js";
import { takenTerminal } from "./taken-terminal.js";

/** A request that is open before the person. */
export interface OpenRequest {
  readonly kind: PanelRequest["kind"];
  /** Another one once the person has changed its text. */
  request: PanelRequest;
  /** The form as the person left it while another is shown, with the position in the full text. */
  form: FormState;
  top: number;
  due: Due | undefined;
  /** The names of others who have begun to answer. */
  others: readonly string[];
  /** The calls of the asking program that wait for the answer. */
  calls: number;
  /** Set once the person has seen any of the request. */
  isSeen: boolean;
  /** Settles the request, and takes it off the stage. */
  done(result: FormResult): void;
  /** Settles the request by a question in lines. Never throws. */
  byLines(): Promise<void>;
  /** Gives the request up: nobody is asked any more. */
  giveUp(): void;
}

/** Shows open requests, one panel at a time. The stage holds the terminal while there is any. */
export interface Stage {
  /** Takes the terminal before there is a panel. Keys from now on are for the first panel. */
  takeAhead(): void;
  add(open: OpenRequest): void;
  /**
   * Lets another program have the terminal, then shows the panels again. Keys count anew after the guard's time.
   *
   * @throws Error if there is no terminal, or whatever the program throws.
   */
  away(run: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Removes a request that the person has settled; the next panel comes a moment later. */
  remove(open: OpenRequest): void;
  /** Removes a request settled elsewhere, perhaps while the person types in its panel. */
  withdraw(open: OpenRequest): void;
  open(): readonly OpenRequest[];
  /** The request that is shown, or waits to be shown. */
  front(): OpenRequest | undefined;
  /** Set while the person is asked in lines. */
  readonly isInLines: boolean;
  redraw(): void;
  /** Shows nothing any more, gives the terminal back, and gives up the open requests. */
  close(): void;
}

interface Place {
  readonly lines: Pick<Lines, "lend" | "typing" | "untilSent">;
  readonly transcript: Pick<Transcript, "line" | "cardFollows" | "showedPlan">;
  readonly paint: Paint;
  readonly words: AskedWords;
  readonly view: PanelView;
  readonly guard: Guard;
  /** Set if unsent words at the prompt hold a panel back. */
  readonly waitsForPrompt: boolean;
  readonly attention: Attention;
  readonly clock: Clock;
  /** Called with each state of the form of a shown request. */
  changed(open: OpenRequest, form: FormState): void;
  /** Takes Ctrl-C in the panel of a request, or before there is one. */
  interrupted(open: OpenRequest | undefined): void;
}

/** The most keys kept for the first panel. */
const MOST_AHEAD = 1_000;

export function createStage(place: Place): Stage {
  const { lines, transcript, paint, words, guard, attention, clock } = place;
  const queue = createQueue<OpenRequest>();
  /** Requests that a line has announced, since they wait for the prompt. */
  const announced = new WeakSet<OpenRequest>();
  const touched = new WeakSet<OpenRequest | Due>();
  const terminal = takenTerminal(lines, attention, {
    key: pressedKey,
    redraw,
    // Nobody has answered: what is open stays so until its signal ends it.
    gone: leave,
  });
  let shown: { readonly open: OpenRequest; panel?: Panel } | undefined;
  /** Keys pressed before the first panel, if those count. */
  let ahead: FormKey[] | undefined;
  /** The last key that reached no panel. */
  let missed: FormKey | undefined;
  /** Goes on with the next request. */
  let goOn = () => {};
  let stopWaiting = () => {};
  let isServing = false;
  /** Set while another program has the terminal. */
  let isAway = false;
  let isInLines = false;
  let isClosed = false;

  async function serve(): Promise<void> {
    isServing = true;
    for (let open = queue.front(); open !== undefined && !isClosed; open = queue.front()) {
      if (isAway) break;
      try {
        await show(open);
      } catch (error) {
        await askInLines(open, error);
      }
    }
    isServing = false;
  }

  async function show(open: OpenRequest): Promise<void> {
    if (!terminal.isTaken && place.waitsForPrompt && lines.typing) return untilSent(open);
    const bodies = open.request.questions.map(({ body }) => body).filter((body) => body.trim() !== "");
    const bodyIsShown = bodies.length > 0 && bodies.every((body) => transcript.showedPlan(body));
    transcript.cardFollows();
    const { title, heading, subject, subjectInFull, told } = open.request;
    const isCalled = queue.all().some((each) => announced.has(each));
    const loan = terminal.take(title, isCalled ? undefined : told);
    if (loan === undefined) throw noTerminal;
    open.isSeen = true;
    await new Promise<void>((resolve, reject) => {
      goOn = resolve;
      shown = { open };
      const { form, top } = open;
      const keysOff = guard.keysOff();
      const about = {
        title: heading,
        subject,
        subjectInFull,
        bodyIsShown,
        form,
        top,
        keysOff,
      };
      const panel = openPanel(
        { loan, view: place.view, clock },
        {
          ...about,
          allows: (result) => open.request.allows(result),
          due: () => open.due,
          others: () => open.others,
          calls: () => open.calls,
          waiting: () => queue.size - 1,
        },
        {
          pressed: () => pressed(open),
          changed: (form) => place.changed(open, form),
          interrupted: () => place.interrupted(open),
          done(form) {
            open.form = form;
            open.done(form.result ?? "declined");
          },
          failed: reject,
        },
      );
      if (shown?.open === open) shown.panel = panel;
      // The panel takes no keys yet, but learns that words had begun.
      if (missed !== undefined && keysOff > 0) panel.key(missed);
      missed = undefined;
      const pressedAhead = ahead ?? [];
      ahead = undefined;
      for (const key of pressedAhead) panel.key(key, true);
    });
  }

  /** Waits until begun words are sent, since they are no answer. */
  async function untilSent(open: OpenRequest): Promise<void> {
    const waiting = new AbortController();
    goOn = () => waiting.abort();
    const sent = lines.untilSent(waiting.signal);
    if (!announced.has(open)) {
      announced.add(open);
      open.isSeen = true;
      const { title, told } = open.request;
      transcript.line(`${attention.ring(told)}${paint("dim", words.waitsForPrompt(title))}`);
    }
    try {
      await sent;
    } catch (error) {
      if (!waiting.signal.aborted) throw error;
    }
  }

  function pressedKey(key: FormKey): void {
    if (shown?.panel !== undefined) return shown.panel.key(key);
    if ("key" in key && key.key === "interrupt") place.interrupted(undefined);
    else if (ahead === undefined) {
      missed = key;
      guard.pressed();
    } else if (ahead.length < MOST_AHEAD) ahead.push(key);
  }

  function pressed(open: OpenRequest): void {
    guard.pressed();
    const began = open.due ?? open;
    if (touched.has(began)) return;
    touched.add(began);
    open.request.touch();
  }

  function leave(): void {
    stopWaiting();
    if (shown === undefined) return;
    const { open, panel } = shown;
    shown = undefined;
    if (panel !== undefined && open.form.result === undefined) {
      open.form = panel.form;
      open.top = panel.top;
    }
    panel?.close();
  }

  /** Lets an approval replace a question after a quiet time. The question's form is kept. */
  function giveWay(): void {
    stopWaiting();
    if (shown === undefined || queue.front() === shown.open) return;
    const wait = guard.untilQuiet();
    if (wait > 0) {
      stopWaiting = clock.after(wait, giveWay);
    } else {
      leave();
      goOn();
    }
  }

  /** Asks in lines if no panel can be shown, so that nothing hangs (L-39). */
  async function askInLines(open: OpenRequest, error: unknown): Promise<void> {
    leave();
    terminal.giveBack();
    if (!queue.has(open)) return;
    if (error !== noTerminal) {
      const why = error instanceof Error ? error.message : String(error);
      transcript.line(paint("dim", words.cannotDraw(visibleLine(why))));
    }
    isInLines = true;
    await open.byLines();
    isInLines = false;
    queue.remove(open);
  }

  /**
   * Gives the terminal back. Further typing into a removed panel is meant for no prompt: keys are dropped until a
   * pause.
   */
  function giveBack(isTakenAway: boolean): void {
    const wait = isTakenAway ? guard.untilQuiet() : 0;
    if (wait === 0) {
      missed = undefined;
      return terminal.giveBack();
    }
    terminal.clear();
    stopWaiting = clock.after(wait, () => {
      if (queue.size === 0) giveBack(true);
    });
  }

  function redraw(): void {
    shown?.panel?.redraw();
  }

  async function away(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    leave();
    isAway = true;
    // Output for the terminal waits until the terminal is back.
    goOn();
    try {
      await terminal.away(run);
    } finally {
      isAway = false;
      if (queue.size === 0) giveBack(true);
      changed();
    }
  }

  function remove(open: OpenRequest, isTakenAway: boolean): void {
    queue.remove(open);
    if (shown?.open === open) leave();
    if (isAway) return;
    if (queue.size === 0) giveBack(isTakenAway);
    changed();
  }

  /** Updates the stage after a change of the open requests. */
  function changed(): void {
    redraw();
    if (isAway) return;
    if (!isServing && queue.size > 0 && !isClosed) void serve();
    else if (shown === undefined) goOn();
    else giveWay();
  }

  return {
    takeAhead() {
      if (terminal.take(undefined, undefined) !== undefined) ahead = [];
    },
    add(open) {
      if (isClosed) return open.giveUp();
      queue.add(open);
      changed();
    },
    away,
    remove: (open) => remove(open, false),
    withdraw: (open) => remove(open, shown?.open === open),
    open: queue.all,
    front: queue.front,
    get isInLines() {
      return isInLines;
    },
    redraw,
    close() {
      isClosed = true;
      leave();
      terminal.giveBack();
      for (const open of queue.all()) {
        queue.remove(open);
        open.giveUp();
      }
      goOn();
    },
  };
}

/** A terminal that cannot be drawn on is no failure. */
const noTerminal = new Error("there is no terminal to draw on");
