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
import type { Drawn, PanelContent, PanelView } from "./content.js";
import { type Due, msLeft } from "./deadline.js";
import { KeysOff } from "./keys-off.js";
import { type PagerReading, scrolled } from "./pager.js";

/** The constant content of a panel. */
export interface PanelSubject
  extends Pick<PanelContent, "form" | "title" | "subject" | "subjectInFull" | "top"> {
  readonly bodyIsShown: boolean;
  /** The time for which only Ctrl-C counts, in milliseconds; longer while keys come without a pause. */
  readonly keysOff: number;
  /** Calls back once the person's terminal has shown the panel. Default: it is shown as soon as it is drawn. */
  readonly whenShown?: ((told: () => void) => void) | undefined;
  /** Reports if a result lets the agent do something. What was not in sight whole is shown first. */
  allows(result: FormResult): boolean;
  due(): Due | undefined;
  /** The names of other people who have begun to answer. */
  others(): readonly string[];
  approvals(): string;
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
  /** Esc, save in the full text, which it leaves. Default: it wipes own words, or declines. */
  readonly left?: (() => void) | undefined;
  /** The form has a result. */
  done(form: FormState): void;
  failed(error: unknown): void;
}

interface Place {
  readonly loan: Loan;
  readonly view: PanelView;
  readonly clock: Clock;
}

/** The longest time for a terminal to say that it has shown a panel, in milliseconds. */
const ANSWER_MS = 2_000;
/** The lines of a frame around the full text. */
const AROUND = 4;

/** A form on the screen, which takes keys until the form is done. */
export class Panel {
  readonly #place: Place;
  readonly #about: PanelSubject;
  readonly #events: PanelEvents;
  readonly #keysOff: KeysOff;
  #keyed: KeyedForm;
  #top: number;
  #drawn: Drawn = { lines: [], lastTop: 0, isCut: false };
  #isOpen = true;
  /** Set while another frame is due. */
  #isStale = false;
  #stopCountDown = () => {};
  #stopForm = () => {};

  constructor(place: Place, about: PanelSubject, events: PanelEvents) {
    this.#place = place;
    this.#about = about;
    this.#events = events;
    this.#keyed = keyedForm(about.form);
    this.#top = about.top;
    this.#keysOff = new KeysOff(place.clock, () => this.redraw());
    const { keysOff, whenShown } = about;
    const isAsked = keysOff > 0 && whenShown !== undefined;
    if (keysOff > 0) this.#keysOff.begin(keysOff + (isAsked ? ANSWER_MS : 0));
    this.redraw();
    if (isAsked) whenShown(() => this.#keysOff.beginAgain(keysOff));
  }

  get form(): FormState {
    return this.#keyed.form;
  }

  /** The first line shown of the full text. */
  get top(): number {
    return this.#top;
  }

  /**
   * Takes a key of the person.
   *
   * @param isAhead set for one that was typed ahead, and is meant for whatever question has its turn. Default: false.
   */
  key(key: FormKey, isAhead = false): void {
    if (!this.#isOpen) return;
    if (isAhead) this.#keyed = withoutMove(this.#keyed);
    if ("key" in key && key.key === "interrupt") return this.#events.interrupted();
    const { left } = this.#events;
    const isOnRows = !this.form.reading && this.form.side === undefined;
    if ("key" in key && key.key === "escape" && isOnRows && left !== undefined) return left();
    if (this.#keysOff.isOn) return this.#drop(key);
    this.#events.pressed();
    const to = this.form.reading ? scrolled(key, this.#reading) : undefined;
    const caret = this.#caretBeside(key);
    if (caret !== undefined) return this.#change(keyedForm(reduceForm(this.form, caretTo(caret))));
    const pressed = pressKey(this.#keyed, key, this.#place.clock.now());
    if (to === undefined) return this.#change(pressed);
    if ("key" in key) this.#keyed = pressed;
    this.#top = to;
    this.redraw();
  }

  /** Draws again, also after a change around the panel: the terminal's size, the queue behind it, its deadline. */
  redraw(): void {
    this.#isStale = false;
    if (!this.#isOpen) return;
    const { loan, view } = this.#place;
    try {
      this.#drawn = view.draw(this.#content(), { columns: loan.columns, rows: loan.rows });
      this.#top = Math.min(this.#top, this.#drawn.lastTop);
      loan.show(this.#drawn);
    } catch (error) {
      this.close();
      this.#events.failed(error);
    }
  }

  /** Ends the panel, with all its timers. */
  close(): void {
    this.#isOpen = false;
    this.#keysOff.stop();
    this.#stopCountDown();
    this.#stopForm();
  }

  /** The caret's position a row above or below in own text, where that has more rows. */
  #caretBeside(key: FormKey): number | undefined {
    const by = "key" in key && (key.key === "up" || key.key === "down") ? key.key : undefined;
    if (by === undefined || this.form.side !== undefined) return undefined;
    // Keys that come together are drawn together: the frame may be older than the caret.
    if (this.#isStale) this.redraw();
    const { above, below } = this.#drawn.caret ?? {};
    return by === "up" ? above : below;
  }

  get #reading(): PagerReading {
    const { lastTop, lines } = this.#drawn;
    return { top: this.#top, lastTop, page: Math.max(1, lines.length - AROUND) };
  }

  #drop(key: FormKey): void {
    this.#keysOff.dropped();
    this.#keyed = dropKey(this.#keyed, key);
  }

  #change(wanted: KeyedForm): void {
    const before = this.form;
    this.#keyed = this.#isUnread(wanted.form) ? this.#unread() : wanted;
    const { form } = this;
    if (!form.reading) this.#top = 0;
    if (form.result !== undefined) {
      this.close();
      return this.#events.done(form);
    }
    this.#wakeForm();
    if (form === before) return;
    this.#events.changed(form);
    // The end of the full text is known once it is drawn.
    if (form.reading) this.redraw();
    else this.#redrawSoon();
  }

  /** Reports if a form allows what the person has not seen whole. */
  #isUnread({ result, wasRead }: FormState): boolean {
    return this.#drawn.isCut && wasRead !== true && result !== undefined && this.#about.allows(result);
  }

  /** The form with its full text open instead of a result. */
  #unread(): KeyedForm {
    this.#keysOff.begin(UNSEEN_MS);
    return keyedForm(reduceForm(this.form, { type: "unread" }));
  }

  /** Lets the form continue by itself at its time. */
  #wakeForm(): void {
    const { clock } = this.#place;
    this.#stopForm();
    const at = wakeAt(this.#keyed);
    const passed = () => this.#change(passTime(this.#keyed, clock.now()));
    this.#stopForm = at === undefined ? () => {} : clock.after(Math.max(0, at - clock.now()), passed);
  }

  /** Makes one frame of keys that come together. */
  #redrawSoon(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => {
      if (this.#isStale) this.redraw();
    });
  }

  #content(): PanelContent {
    const {
      title,
      subject,
      subjectInFull = subject,
      bodyIsShown,
      waiting,
      others,
      approvals,
      calls,
    } = this.#about;
    const deadline = this.#countDown();
    return {
      ...{ form: this.form, title, subject, subjectInFull, bodyIsShown },
      ...{ waiting: waiting(), others: others(), approvals: approvals(), calls: calls() },
      ready: !this.#keysOff.isOn,
      top: this.#top,
      ...(deadline !== undefined && { deadline }),
    };
  }

  /** The rest of the deadline. A new frame is drawn a second later. */
  #countDown(): PanelContent["deadline"] {
    this.#stopCountDown();
    this.#stopCountDown = () => {};
    const due = this.#about.due();
    if (due === undefined) return undefined;
    const { clock } = this.#place;
    const left = msLeft(due, clock.now());
    const seconds = Math.ceil(left / 1_000);
    if (seconds > 0) this.#stopCountDown = clock.after(left - (seconds - 1) * 1_000, () => this.redraw());
    return { seconds, on_expiry: due.deadline.on_expiry };
  }
}

const caretTo = (to: number) => ({ type: "edit", edit: { type: "caret", to } }) as const;

/** A form whose next Enter is no second half of a double press. */
function withoutMove({ movedAt: _movedAt, ...rest }: KeyedForm): KeyedForm {
  return rest;
}
