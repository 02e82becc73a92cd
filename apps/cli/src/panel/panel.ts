import { type FormAction, type FormKey, type FormState, formAction, reduceForm } from "@askwire/client/form";
import type { Loan } from "../terminal/loan.js";
import type { Clock } from "./clock.js";
import type { PanelContent, PanelView } from "./content.js";
import { type Due, msLeft } from "./deadline.js";
import { scrolled } from "./pager.js";

/** One panel on the screen. */
export interface Panel {
  readonly form: FormState;
  /** A key of the person's. */
  key(key: FormKey): void;
  /** What is around it has changed: the size of the terminal, how many wait behind it, its deadline. */
  redraw(): void;
  /** It is shown no more, and nothing that was to come of it comes. */
  close(): void;
}

/** What a panel shows from its beginning to its end. */
export interface PanelSubject extends Pick<PanelContent, "form" | "title" | "subject"> {
  readonly bodyIsShown: boolean;
  /** For how long no key but Ctrl-C counts, in milliseconds. */
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

/** Shows a form and takes keys for it until it is done. */
export function openPanel({ loan, view, clock }: Place, about: PanelSubject, events: PanelEvents): Panel {
  let { form } = about;
  let top = 0;
  let lastTop = 0;
  let page = 1;
  let ready = about.keysOff <= 0;
  let isOpen = true;
  let tick = () => {};
  let forget = () => {};
  const wake = ready
    ? () => {}
    : clock.after(about.keysOff, () => {
        ready = true;
        draw();
      });

  function draw(): void {
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

  function content(): PanelContent {
    const { title, subject, bodyIsShown } = about;
    const deadline = countDown();
    return {
      form,
      title,
      subject,
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

  function act(action: FormAction): void {
    form = reduceForm(form, action);
    if (!form.reading) top = 0;
    if (form.result !== undefined) {
      close();
      return events.done(form);
    }
    forget();
    forget = form.declineUntil === undefined ? () => {} : forgetAt(form.declineUntil);
    draw();
  }

  /** The hint that waits for a second Escape goes away by itself. */
  const forgetAt = (until: number) =>
    clock.after(Math.max(0, until - clock.now()) + 1, () => act({ type: "tick", at: clock.now() }));

  function key(key: FormKey): void {
    if (!isOpen) return;
    if ("key" in key && key.key === "interrupt") return events.interrupted();
    if (!ready) return;
    events.pressed();
    const to = form.reading ? scrolled(key, { top, lastTop, page }) : undefined;
    if (to !== undefined) {
      top = to;
      return draw();
    }
    const action = formAction(form, key, clock.now());
    if (action !== undefined) act(action);
  }

  function close(): void {
    isOpen = false;
    wake();
    tick();
    forget();
  }

  draw();
  return {
    get form() {
      return form;
    },
    key,
    redraw: draw,
    close,
  };
}
