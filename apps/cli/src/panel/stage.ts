import type { FormKey, FormState } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { AskedWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import type { Loan } from "../device/loan.js";
import type { Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { AsideLine } from "./aside-line.js";
import { BegunWords } from "./begun-words.js";
import type { PanelView } from "./content.js";
import type { Due } from "./deadline.js";
import { EarlyKeys } from "./early-keys.js";
import { DOUBLE_MS, type Guard } from "./guard.js";
import type { Attention } from "./notify.js";
import type { PanelEntry } from "./open-request.js";
import { Panel, type PanelEvents, type PanelSubject } from "./panel.js";
import { createQueue } from "./queue.js";
import type { PanelRequest } from "./request.js";
import { type TakenTerminal, takenTerminal } from "./taken-terminal.js";

interface Place {
  readonly lines: Pick<LineFeed, "lend" | "typing" | "untilSent">;
  readonly transcript: Pick<ShownTranscript, "freshLine" | "line" | "showedPlan">;
  readonly paint: Paint;
  readonly words: AskedWords;
  readonly view: PanelView;
  readonly guard: Guard;
  /** Set if unsent words at the prompt hold a panel back. */
  readonly waitsForPrompt: boolean;
  readonly attention: Attention;
  readonly clock: Clock;
  /** Called with each state of the form of a shown request. */
  changed(open: PanelEntry, form: FormState): void;
  /** Takes Ctrl-C in the panel of a request, or before there is one. */
  interrupted(open: PanelEntry | undefined): void;
  /** Takes Esc in a panel, which then decides nothing. Default: Esc wipes own words, or declines. */
  readonly left?: (() => void) | undefined;
}

/** Shows open requests, one panel at a time. The stage holds the terminal while there is any. */
export class Stage {
  readonly #place: Place;
  readonly #terminal: TakenTerminal;
  readonly #queue = createQueue<PanelEntry>();
  readonly #begunWords: BegunWords;
  readonly #touched = new WeakSet<PanelEntry | Due>();
  readonly #early = new EarlyKeys();
  #shown: { readonly open: PanelEntry; panel?: Panel } | undefined;
  /** The way in which the person is asked at this moment. */
  #asks: "nothing" | "in panels" | "in lines" = "nothing";
  /** Shown while the person has put the panels aside. */
  readonly #aside: AsideLine;
  /** The least time for which the next panel takes no keys, in milliseconds: after a key that brought it. */
  #leastKeysOff = 0;
  /** Set while another program has the terminal. */
  #isAway = false;
  #isClosed = false;
  /** Moves on to the next request. */
  #goOn = () => {};
  #stopWaiting = () => {};

  constructor(place: Place) {
    this.#place = place;
    this.#terminal = takenTerminal(place.lines, place.attention, {
      key: (key) => this.#key(key),
      redraw: () => this.redraw(),
      // Nobody has answered: what is open stays so until its signal ends it.
      gone: () => this.#leave(),
    });
    this.#begunWords = new BegunWords(place);
    this.#aside = new AsideLine({ ...place, terminal: this.#terminal }, () => this.open);
  }

  /** The open requests. */
  get open(): readonly PanelEntry[] {
    return this.#queue.all();
  }

  /** The request that is shown, or waits to be shown. */
  get front(): PanelEntry | undefined {
    return this.#queue.front();
  }

  /** Set while the person is asked in lines. */
  get isInLines(): boolean {
    return this.#asks === "in lines";
  }

  /** Takes the terminal before there is a panel. Keys from now on are for the first panel. */
  takeAhead(): void {
    if (this.#terminal.take(undefined, undefined) !== undefined) this.#early.keep();
  }

  add(open: PanelEntry): void {
    if (this.#isClosed) return open.giveUp();
    this.#queue.add(open);
    if (this.#aside.isShown) this.#terminal.call(open.request.told);
    this.#changed();
  }

  /** Removes a request that the person has settled; the next panel comes a moment later. */
  remove(open: PanelEntry): void {
    this.#remove(open, false);
  }

  /** Removes a request settled elsewhere, perhaps while the person types in its panel. */
  withdraw(open: PanelEntry): void {
    this.#remove(open, this.#shown?.open === open);
  }

  redraw(): void {
    if (this.#aside.isShown) this.#aside.draw();
    else this.#shown?.panel?.redraw();
  }

  /**
   * Lets another program have the terminal, then shows the panels again. Keys count anew after the guard's time.
   *
   * @throws Error if there is no terminal, or whatever the program throws.
   */
  async away(run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#leave();
    this.#isAway = true;
    // Output for the terminal waits until the terminal is back.
    this.#goOn();
    try {
      await this.#terminal.away(run);
    } finally {
      this.#isAway = false;
      if (this.#queue.size === 0) this.#giveBack(true);
      this.#changed();
    }
  }

  /** Stops showing anything, gives the terminal back, and gives up the open requests. */
  close(): void {
    this.#isClosed = true;
    this.#leave();
    this.#terminal.giveBack();
    for (const open of this.open) {
      this.#queue.remove(open);
      open.giveUp();
    }
    this.#goOn();
  }

  #remove(open: PanelEntry, isTakenAway: boolean): void {
    this.#queue.remove(open);
    if (this.#shown?.open === open) this.#leave();
    if (this.#isAway) return;
    if (this.#queue.size === 0) this.#giveBack(isTakenAway);
    this.#changed();
  }

  /** Updates the stage after a change of the open requests. */
  #changed(): void {
    this.redraw();
    if (this.#isAway) return;
    if (this.#asks === "nothing" && this.#queue.size > 0 && !this.#isClosed) void this.#serve();
    else if (this.#shown === undefined) this.#goOn();
    else this.#giveWay();
  }

  async #serve(): Promise<void> {
    this.#asks = "in panels";
    for (let open = this.front; open !== undefined && !this.#isClosed; open = this.front) {
      if (this.#isAway) break;
      try {
        await (this.#aside.isShown ? this.#untilBack(open) : this.#show(open));
      } catch (error) {
        await this.#askInLines(open, error);
      }
    }
    this.#asks = "nothing";
  }

  async #show(open: PanelEntry): Promise<void> {
    const { lines, transcript, waitsForPrompt } = this.#place;
    if (!this.#terminal.isTaken && waitsForPrompt && lines.typing) return this.#untilSent(open);
    const bodyIsShown = this.#showedBody(open.request);
    transcript.freshLine();
    const loan = this.#take(open.request);
    open.isSeen = true;
    await new Promise<void>((resolve, reject) => {
      this.#goOn = resolve;
      this.#openPanel(open, loan, bodyIsShown, reject);
    });
  }

  /** Reports if the transcript has just shown all that the request's questions are about. */
  #showedBody({ questions }: PanelRequest): boolean {
    const bodies = questions.map(({ body }) => body).filter((body) => body.trim() !== "");
    return bodies.length > 0 && bodies.every((body) => this.#place.transcript.showedPlan(body));
  }

  #take({ title, told }: PanelRequest): Loan {
    const isCalled = this.open.some((each) => this.#begunWords.heldBack(each));
    const loan = this.#terminal.take(title, isCalled ? undefined : told);
    if (loan === undefined) throw noTerminal;
    return loan;
  }

  #openPanel(open: PanelEntry, loan: Loan, bodyIsShown: boolean, failed: (error: unknown) => void): void {
    const { view, clock, guard } = this.#place;
    const keysOff = Math.max(guard.keysOff(), this.#leastKeysOff);
    this.#leastKeysOff = 0;
    this.#shown = { open };
    const subject = this.#subjectOf(open, bodyIsShown, keysOff);
    const panel = new Panel({ loan, view, clock }, subject, this.#eventsOf(open, failed));
    if (this.#shown?.open === open) this.#shown.panel = panel;
    this.#early.giveTo(panel, keysOff);
  }

  #subjectOf(open: PanelEntry, bodyIsShown: boolean, keysOff: number): PanelSubject {
    const { heading: title, subject, subjectInFull } = open.request;
    return {
      ...{ title, subject, subjectInFull, bodyIsShown, form: open.form, top: open.top, keysOff },
      whenShown: this.#terminal.whenShown,
      allows: (result) => open.request.allows(result),
      due: () => open.due,
      others: () => open.others,
      approvals: () => open.approvals,
      calls: () => open.calls,
      waiting: () => this.#queue.size - 1,
    };
  }

  #eventsOf(open: PanelEntry, failed: (error: unknown) => void): PanelEvents {
    return {
      pressed: () => this.#pressed(open),
      changed: (form) => this.#place.changed(open, form),
      interrupted: () => this.#place.interrupted(open),
      left: this.#place.left,
      done(form) {
        open.form = form;
        open.done(form.result ?? "declined");
      },
      failed,
    };
  }

  /** Waits until begun words are sent, since they are no answer. */
  async #untilSent(open: PanelEntry): Promise<void> {
    const waiting = new AbortController();
    this.#goOn = () => waiting.abort();
    await this.#begunWords.untilSent(open, waiting.signal);
  }

  /** Keeps the terminal with a line in the place of panels, until the person or the requests change. */
  async #untilBack(open: PanelEntry): Promise<void> {
    this.#take(open.request);
    this.#aside.draw();
    await new Promise<void>((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** Takes a key that shows another request or none. It decides nothing, so it counts before a panel takes keys too. */
  #goes(key: FormKey): boolean {
    const name = "key" in key ? key.key : undefined;
    const open = this.#shown?.open;
    if (this.#aside.isShown) {
      this.#place.guard.pressed();
      if (name === "put_aside" || name === "enter" || name === "interrupt") this.#comeBack();
      return true;
    }
    if (open === undefined) return false;
    if (name === "put_aside") this.#aside.begin();
    else if (name === "next_request" || name === "previous_request") {
      const other = this.#queue.beside(open, name === "next_request" ? 1 : -1);
      if (other === undefined || other === open) return true;
      this.#queue.goTo(other);
    } else return false;
    this.#place.guard.pressed();
    this.#comeUnexpected();
    return true;
  }

  #comeBack(): void {
    this.#aside.end();
    this.#comeUnexpected();
  }

  /** Shows what is next, which takes no keys until no press that was meant for something else can reach it. */
  #comeUnexpected(): void {
    this.#leastKeysOff = DOUBLE_MS;
    this.#leave();
    this.#goOn();
  }

  #key(key: FormKey): void {
    if (this.#goes(key)) return;
    if (this.#shown?.panel !== undefined) return this.#shown.panel.key(key);
    if ("key" in key && key.key === "interrupt") this.#place.interrupted(undefined);
    else if (!this.#early.take(key)) this.#place.guard.pressed();
  }

  #pressed(open: PanelEntry): void {
    this.#place.guard.pressed();
    const began = open.due ?? open;
    if (this.#touched.has(began)) return;
    this.#touched.add(began);
    open.request.touch();
  }

  #leave(): void {
    this.#stopWaiting();
    if (this.#shown === undefined) return;
    const { open, panel } = this.#shown;
    this.#shown = undefined;
    if (panel !== undefined && open.form.result === undefined) {
      open.form = panel.form;
      open.top = panel.top;
    }
    panel?.close();
  }

  /** Lets an approval replace a question after a quiet time. The question's form is kept. */
  #giveWay(): void {
    this.#stopWaiting();
    if (this.#shown === undefined || this.front === this.#shown.open) return;
    const { guard, clock } = this.#place;
    const wait = guard.untilQuiet();
    if (wait > 0) {
      this.#stopWaiting = clock.after(wait, () => this.#giveWay());
    } else {
      this.#leave();
      this.#goOn();
    }
  }

  /** Asks in lines if no panel can be shown, so that nothing hangs (L-39). */
  async #askInLines(open: PanelEntry, error: unknown): Promise<void> {
    this.#leave();
    this.#terminal.giveBack();
    if (!this.#queue.has(open)) return;
    if (error !== noTerminal) this.#tellWhy(error);
    this.#asks = "in lines";
    await open.byLines();
    this.#asks = "in panels";
    this.#queue.remove(open);
  }

  #tellWhy(error: unknown): void {
    const { transcript, paint, words } = this.#place;
    const why = error instanceof Error ? error.message : String(error);
    transcript.line(paint("dim", words.cannotDraw(visibleLine(why))));
  }

  /**
   * Gives the terminal back. Further typing into a removed panel is meant for no prompt: keys are dropped until a
   * pause.
   */
  #giveBack(isTakenAway: boolean): void {
    const { guard, clock } = this.#place;
    this.#aside.end();
    const wait = isTakenAway ? guard.untilQuiet() : 0;
    if (wait === 0) {
      this.#early.forget();
      return this.#terminal.giveBack();
    }
    this.#terminal.clear();
    this.#stopWaiting = clock.after(wait, () => {
      if (this.#queue.size === 0) this.#giveBack(true);
    });
  }
}

/** A terminal that cannot be drawn on is no failure. */
const noTerminal = new Error("there is no terminal to draw on");
