import type { FormKey } from "@askwire/client/form";
import { visibleLine } from "@askwire/client/text";
import type { TerminalWords } from "@askwire/client/words";
import type { Clock } from "../device/clock.js";
import { createKeyReader } from "../device/key-reader.js";
import type { Loan } from "../device/loan.js";
import type { Paint } from "../device/paint.js";
import type { KeyReader } from "../device/typed-keys.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { TerminalPerson } from "../panel/terminal-person.js";
import { answerRow, type RowAnswerer } from "./answer-row.js";
import { freshRows } from "./fresh-rows.js";
import { cursorIn, type ListCursor, moved, noCursor } from "./list-cursor.js";
import { listFrame } from "./list-frame.js";
import type { CallSequences } from "./signals.js";
import type { InboxRow, Waiting } from "./waiting.js";
import { listTitle, untilOther } from "./words-of-row.js";

/** The person for one request, with what Esc and Ctrl-C do there. */
export interface OpenedPerson {
  readonly person: TerminalPerson;
  readonly answerer: Pick<RowAnswerer, "shows" | "joined" | "settled">;
}

interface PaneOptions {
  readonly lines: Pick<LineFeed, "lend">;
  readonly waiting: Pick<Waiting, "rows" | "all" | "places" | "isWhole">;
  readonly words: TerminalWords["inbox"];
  readonly paint: Paint;
  readonly clock: Clock;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly signals: CallSequences;
  /** Writes a sequence that moves no cursor, whoever has the terminal. */
  readonly signal: (sequence: string) => void;
  /** Writes a line above the list. */
  readonly tell: (line: string) => void;
  /** Makes the person who answers a request. `left` is called for Esc and Ctrl-C, which decide nothing. */
  readonly person: (row: InboxRow, left: () => void) => OpenedPerson;
}

/** The longest time between two frames, in milliseconds: nothing is drawn that has not changed. */
const LONGEST_MS = 60_000;

/** The inbox in a terminal: the list, and in its place the panel of the request that was opened. */
export class Pane {
  readonly #options: PaneOptions;
  readonly #fresh: (rows: readonly InboxRow[]) => readonly InboxRow[];
  readonly #end: Promise<void>;
  #finish = () => {};
  #loan: Loan | undefined;
  #keys: KeyReader | undefined;
  #cursor: ListCursor = noCursor;
  #top = 0;
  /** The title that was marked; giving the terminal back takes it away. */
  #marked = "";
  #stopClock = () => {};
  /** The request that is open, and the way back to the list. */
  #opened: { readonly leave: AbortController; doing: string } | undefined;

  constructor(options: PaneOptions) {
    this.#options = options;
    this.#fresh = freshRows(options.waiting);
    this.#end = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Shows the list until the person leaves it, or the terminal is gone. */
  async run(): Promise<void> {
    this.#borrow();
    await this.#end;
    this.#opened?.leave.abort();
    this.#giveBack();
  }

  /** Ends the list. What is open stays open. */
  close(): void {
    this.#finish();
  }

  /** Something has come, changed or gone. */
  changed(): void {
    const { signal, signals, waiting, words } = this.#options;
    const fresh = this.#fresh(waiting.rows);
    const [first] = fresh;
    if (first !== undefined) {
      const text =
        fresh.length === 1 ? first.request.text : listTitle(waiting.rows.length, waiting.all, words);
      signal(signals.call(text));
    }
    this.#draw();
  }

  #borrow(): void {
    if (this.#loan !== undefined) return;
    this.#keys = createKeyReader((key) => this.#key(key));
    this.#loan = this.#options.lines.lend({
      input: (chunk) => this.#keys?.push(chunk),
      redraw: () => this.#draw(),
      gone: () => {
        this.#loan = undefined;
        this.#finish();
      },
    });
    if (this.#loan === undefined) return this.#finish();
    this.#draw();
  }

  #giveBack(): void {
    this.#stopClock();
    const loan = this.#loan;
    this.#loan = undefined;
    this.#keys?.close();
    this.#keys = undefined;
    this.#marked = "";
    loan?.end();
  }

  #key(key: FormKey): void {
    if (this.#opened !== undefined) {
      if ("key" in key && (key.key === "escape" || key.key === "interrupt")) this.#opened.leave.abort();
      return;
    }
    if ("key" in key) this.#named(key.key);
    else if ("text" in key) this.#letter(key.text);
    this.#draw();
  }

  #named(key: Extract<FormKey, { key: unknown }>["key"]): void {
    const page = Math.max(1, (this.#loan?.rows ?? 0) - 5);
    const far = Number.MAX_SAFE_INTEGER;
    const steps = { up: -1, down: 1, page_up: -page, page_down: page, home: -far, end: far } as const;
    if (key === "enter") return this.#open();
    if (key === "interrupt" || key === "end_of_input") return this.#finish();
    if (key in steps) this.#move(steps[key as keyof typeof steps]);
  }

  #letter(text: string): void {
    if (text === "q") this.#finish();
    else if (text === "j") this.#move(1);
    else if (text === "k") this.#move(-1);
    else if (text === "t") this.#claim(true);
    else if (text === "g") this.#claim(false);
  }

  /** Takes the request at the cursor for the person, or gives it back. The list says what became of that. */
  #claim(takes: boolean): void {
    const { waiting, words, tell } = this.#options;
    const row = waiting.rows[cursorIn(waiting.rows, this.#cursor).index];
    row?.place.claim(row.request, takes).catch((error: Error) => {
      tell((takes ? words.notTaken : words.notGivenBack)(visibleLine(error.message)));
    });
  }

  #move(by: number): void {
    this.#cursor = moved(this.#options.waiting.rows, this.#cursor, by);
  }

  #open(): void {
    const { rows } = this.#options.waiting;
    this.#cursor = cursorIn(rows, this.#cursor);
    const row = rows[this.#cursor.index];
    if (row !== undefined) void this.#answer(row);
  }

  async #answer(row: InboxRow): Promise<void> {
    const { words, tell, clock } = this.#options;
    const opened = { leave: new AbortController(), doing: `${words.opening} ${words.keys.back}` };
    this.#opened = opened;
    const { person, answerer } = this.#options.person(row, () => {
      // Before the session is left: the request is as open as it was.
      person.close();
      opened.leave.abort();
    });
    const put = <Reply>(ask: () => PromiseLike<Reply> | Reply) => {
      this.#giveBack();
      return ask();
    };
    try {
      const end = await answerRow(
        row,
        {
          ...answerer,
          question: (view, context) => put(() => person.question(view, context)),
          approval: (view, context) => put(() => person.approval(view, context)),
          updated: (update) => person.updated(update),
          answered: () => {
            opened.doing = `${words.sending} ${words.keys.back}`;
            this.#borrow();
          },
        },
        { signal: opened.leave.signal, clock },
      );
      if (end === "not there") tell(words.notThere(visibleLine(row.request.text)));
    } catch (error) {
      tell(words.notOpened(visibleLine((error as Error).message)));
    } finally {
      person.close();
      this.#opened = undefined;
      this.#borrow();
      this.#draw();
    }
  }

  #draw(): void {
    const loan = this.#loan;
    if (loan === undefined) return;
    const { waiting, words, paint, clock, now, signals } = this.#options;
    const { rows, all, places, isWhole } = waiting;
    this.#cursor = cursorIn(rows, this.#cursor);
    const content = { rows, all, places, isWhole, now: now(), current: this.#cursor.index, top: this.#top };
    const { columns, rows: height } = loan;
    const { lines, top } = listFrame(
      { ...content, doing: this.#opened?.doing },
      { columns, rows: height, words, paint },
    );
    this.#top = top;
    loan.show({ lines });
    const title = signals.title(listTitle(rows.length, all, words));
    if (title !== "") this.#mark(title);
    this.#stopClock();
    const shown = rows.slice(top, top + height);
    const wait = Math.min(LONGEST_MS, ...shown.map((row) => untilOther(row, content.now)));
    this.#stopClock = rows.length === 0 ? () => {} : clock.after(Math.max(100, wait), () => this.#draw());
  }

  /** Marks the title, once for each text. */
  #mark(title: string): void {
    if (this.#marked === title) return;
    this.#marked = title;
    this.#loan?.signal(title);
  }
}
