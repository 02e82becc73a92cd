import {
  dropKey,
  type FormKey,
  type FormResult,
  type FormState,
  type KeyedForm,
  keyedForm,
  passTime,
  pressKey,
  reduceForm,
  UNSEEN_MS,
  wakeAt,
} from "@askwire/client/form";
import type { Clock } from "../device/clock.js";
import type { Loan } from "../device/loan.js";
import type { PanelContent, PanelView } from "./content.js";
import { type Due, msLeft } from "./deadline.js";
import { scrolled } from "./pager.js";

/** A panel on the screen. */
export interface Panel {
  readonly form: FormState;
  /** The first line shown of the full text. */
  readonly top: number;
  /**
   * Takes a key of the person.
   *
   * @param isAhead set for one that was typed ahead, and is meant for whatever question has its turn. Default: false.
   */
  key(key: FormKey, isAhead?: boolean): void;
  /** Draws again after a change around the panel: the terminal's size, the queue behind it, its deadline. */
  redraw(): void;
  /** Ends the panel, with all its timers. */
  close(): void;
}

/** The constant content of a panel. */
export interface PanelSubject
  extends Pick<PanelContent, "form" | "title" | "subject" | "subjectInFull" | "top"> {
  readonly bodyIsShown: boolean;
  /** The time for which only Ctrl-C counts, in milliseconds; longer while keys come without a pause. */
  readonly keysOff: number;
  /** Reports if a result lets the agent do something. What was not in sight whole is shown first. */
  allows(result: FormResult): boolean;
  due(): Due | undefined;
  /** The names of others who have begun to answer. */
  others(): readonly string[];
  /** The calls that wait for the answer. */
  calls(): number;
  waiting(): number;
}

/** The events of a panel. */
export interface PanelEvents {
  /** Called for a key that counts, before its effect. */
  pressed(): void;
  /** The form is another than before, and not done. */
  changed(form: FormState): void;
  /** Ctrl-C, at any time. */
  interrupted(): void;
  /** The form has a result. */
  done(form: FormState): void;
  failed(error: unknown): void;
}

interface Place {
  readonly loan: Loan;
  readonly view: PanelView;
  readonly clock: Clock;
}

/** The lines of a frame around the full text. */
const AROUND = 4;

/** The longest pause between keys that belong together, in milliseconds. */
const BURST_MS = 150;

/** A form whose next Enter is no second half of a double press. */
function withoutMove({ movedAt: _movedAt, ...rest }: KeyedForm): KeyedForm {
  return rest;
}

/** Shows a form and takes its keys until the form is done. */
export function openPanel({ loan, view, clock }: Place, about: PanelSubject, events: PanelEvents): Panel {
  let keyed = keyedForm(about.form);
  let { top } = about;
  let lastTop = 0;
  let isCut = false;
  let page = 1;
  let ready = true;
  let isOpen = true;
  let isStale = false;
  let tick = () => {};
  let stopWaiting = () => {};
  let droppedAt = Number.NEGATIVE_INFINITY;
  let wake = () => {};

  function waitForKeys(ms: number): void {
    ready = false;
    wake = clock.after(ms, takeKeys);
  }

  /** Keys held down since before, or words that go on, are still not meant for this panel. */
  function takeKeys(): void {
    const rest = droppedAt + BURST_MS - clock.now();
    ready = rest <= 0;
    if (ready) draw();
    else wake = clock.after(rest, takeKeys);
  }

  function draw(): void {
    isStale = false;
    if (!isOpen) return;
    try {
      const drawn = view.draw(content(), { columns: loan.columns, rows: loan.rows });
      ({ lastTop, isCut } = drawn);
      top = Math.min(top, lastTop);
      page = Math.max(1, drawn.lines.length - AROUND);
      loan.show(drawn);
    } catch (error) {
      close();
      events.failed(error);
    }
  }

  /** Keys that come together make one frame. */
  function drawOnce(): void {
    if (isStale) return;
    isStale = true;
    queueMicrotask(() => {
      if (isStale) draw();
    });
  }

  function content(): PanelContent {
    const { title, subject, subjectInFull = subject, bodyIsShown } = about;
    const deadline = countDown();
    return {
      form: keyed.form,
      title,
      subject,
      subjectInFull,
      bodyIsShown,
      waiting: about.waiting(),
      others: about.others(),
      calls: about.calls(),
      ready,
      top,
      ...(deadline !== undefined && { deadline }),
    };
  }

  /** The rest of the deadline. A new frame is drawn a second later. */
  function countDown(): PanelContent["deadline"] {
    tick();
    tick = () => {};
    const due = about.due();
    if (due === undefined) return undefined;
    const left = msLeft(due, clock.now());
    const seconds = Math.ceil(left / 1_000);
    if (seconds > 0) tick = clock.after(left - (seconds - 1) * 1_000, draw);
    return { seconds, on_expiry: due.deadline.on_expiry };
  }

  function change(wanted: KeyedForm): void {
    const { result } = wanted.form;
    const isUnread = isCut && wanted.form.wasRead !== true && result !== undefined && about.allows(result);
    const next = isUnread ? keyedForm(reduceForm(keyed.form, { type: "unread" })) : wanted;
    if (isUnread) waitForKeys(UNSEEN_MS);
    const { form } = next;
    const isDrawn = form === keyed.form;
    keyed = next;
    if (!form.reading) top = 0;
    if (form.result !== undefined) {
      close();
      return events.done(form);
    }
    stopWaiting();
    const at = wakeAt(keyed);
    stopWaiting = at === undefined ? () => {} : clock.after(Math.max(0, at - clock.now()), timePassed);
    if (isDrawn) return;
    events.changed(form);
    // The end of the full text is known once it is drawn.
    if (form.reading) draw();
    else drawOnce();
  }

  const timePassed = () => change(passTime(keyed, clock.now()));

  function key(key: FormKey, isAhead = false): void {
    if (!isOpen) return;
    if (isAhead) keyed = withoutMove(keyed);
    if ("key" in key && key.key === "interrupt") return events.interrupted();
    if (!ready) {
      droppedAt = clock.now();
      keyed = dropKey(keyed, key);
      return;
    }
    events.pressed();
    const to = keyed.form.reading ? scrolled(key, { top, lastTop, page }) : undefined;
    if (to !== undefined) {
      if ("key" in key) keyed = pressKey(keyed, key, clock.now());
      top = to;
      return draw();
    }
    change(pressKey(keyed, key, clock.now()));
  }

  function close(): void {
    isOpen = false;
    wake();
    tick();
    stopWaiting();
  }

  if (about.keysOff > 0) waitForKeys(about.keysOff);
  draw();
  return {
    get form() {
      return keyed.form;
    },
    get top() {
      return top;
    },
    key,
    redraw: draw,
    close,
  };
}
