import {
  dropKey,
  type FormKey,
  type FormState,
  type KeyedForm,
  keyedForm,
  passTime,
  pressKey,
  wakeAt,
} from "@askwire/client/form";
import type { Clock } from "../device/clock.js";
import type { Loan } from "../device/loan.js";
import type { PanelContent, PanelView } from "./content.js";
import { type Due, msLeft } from "./deadline.js";
import { scrolled } from "./pager.js";

/** One panel on the screen. */
export interface Panel {
  readonly form: FormState;
  /** The first line that is shown of what is read. */
  readonly top: number;
  /** A key of the person's. */
  key(key: FormKey): void;
  /** What is around it has changed: the size of the terminal, how many wait behind it, its deadline. */
  redraw(): void;
  /** It is shown no more, and nothing that was to come of it comes. */
  close(): void;
}

/** What a panel shows from its beginning to its end. */
export interface PanelSubject
  extends Pick<PanelContent, "form" | "title" | "subject" | "subjectInFull" | "top"> {
  readonly bodyIsShown: boolean;
  /** For how long no key but Ctrl-C counts, in milliseconds; longer where keys are pressed without a pause. */
  readonly keysOff: number;
  due(): Due | undefined;
  waiting(): number;
}

/** What a panel tells. */
export interface PanelEvents {
  /** A key that counts, before what it does. */
  pressed(): void;
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

/** Lines of a frame around what is read. */
const AROUND = 4;

/** Keys that are no further apart belong together, in milliseconds. */
const BURST_MS = 150;

/** Shows a form and takes keys for it until it is done. */
export function openPanel({ loan, view, clock }: Place, about: PanelSubject, events: PanelEvents): Panel {
  let keyed = keyedForm(about.form);
  let { top } = about;
  let lastTop = 0;
  let page = 1;
  let ready = about.keysOff <= 0;
  let isOpen = true;
  let isStale = false;
  let tick = () => {};
  let stopWaiting = () => {};
  let droppedAt = Number.NEGATIVE_INFINITY;
  let wake = ready ? () => {} : clock.after(about.keysOff, takeKeys);

  /** A key that is held down since before, or words that go on, are still not meant for this panel. */
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
      lastTop = drawn.lastTop;
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
      ready,
      top,
      ...(deadline !== undefined && { deadline }),
    };
  }

  /** What is left of the deadline, and a new frame when that is a second less. */
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

  function change(next: KeyedForm): void {
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
    // Where what is read ends is known once it is drawn.
    if (form.reading) draw();
    else drawOnce();
  }

  const timePassed = () => change(passTime(keyed, clock.now()));

  function key(key: FormKey): void {
    if (!isOpen) return;
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
