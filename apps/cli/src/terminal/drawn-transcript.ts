import { visibleText } from "@askwire/client/text";
import type { TerminalWords } from "@askwire/client/words";
import type { CallOutput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";
import { processClock } from "../device/clock.js";
import { noticeRows } from "../device/notice-rows.js";
import type { Paint } from "../device/paint.js";
import type { Live } from "../lines/live-rows.js";
import type { GrowingText } from "../markdown/growing-lines.js";
import { AgentTranscript, type EventPayload } from "./agent-transcript.js";
import { type AnswerTold, toldLines } from "./answer-told.js";
import { endedCall } from "./call-result.js";
import { eventLines } from "./event-lines.js";
import { type RunningCall, RunningCallRows } from "./running-calls.js";
import { type StatusFacts, StatusRow } from "./status-row.js";
import { type ListedTodo, todoRows, todosOf } from "./todo-list.js";

/** The place that a conversation is drawn on. */
interface Drawn {
  readonly lines: {
    write(text: string): void;
    readonly asking: boolean;
    shows(live: Live): void;
    changed(isText?: boolean): void;
    endText(): void;
  };
  readonly paint: Paint;
  readonly words: TerminalWords;
  /** Makes the text of an answer, or of thoughts. */
  readonly grows: (kind: "text" | "think") => GrowingText;
  readonly columns: () => number;
  /** The facts for the row below the prompt. */
  readonly told: () => StatusFacts;
  readonly clock?: Clock;
}

/** A text of the agent, and whether its first row has been drawn. */
interface Said {
  readonly kind: "text" | "think";
  readonly text: GrowingText;
}

/**
 * Draws an agent's actions: what still changes stands above the prompt, and moves above it for good once it is whole.
 * A call has one line, which is written when it has ended.
 */
export class DrawnTranscript extends AgentTranscript {
  readonly #at: Drawn;
  readonly #clock: Clock;
  readonly #calls: RunningCallRows;
  readonly #status: StatusRow;
  #running: Said | undefined;
  #todos: readonly ListedTodo[] | undefined;
  /** Lines that wait below the running text. */
  #held: string[] = [];

  constructor(at: Drawn) {
    const { clock = processClock, paint, words, lines } = at;
    super(paint, words);
    this.#at = at;
    this.#clock = clock;
    this.#calls = new RunningCallRows(clock, paint, words.chat);
    this.#status = new StatusRow({ clock, paint, words: words.chat }, at.told, () => lines.changed());
    const text = () => this.#running?.text;
    lines.shows({
      get text() {
        return text();
      },
      work: (columns, room) => this.#work(columns, room),
      status: (columns) => this.#status.row(columns),
    });
  }

  override prompting(here: boolean): void {
    super.prompting(here);
    if (here) this.#status.began(true);
    else this.turnEnded();
  }

  override cancelling(): void {
    this.#status.cancelled();
  }

  override printed(output: CallOutput): void {
    this.#calls.printed(output);
    this.changed();
  }

  override changed(): void {
    this.#at.lines.changed();
  }

  override tellAnswer(callId: string, told: AnswerTold, goesOn: boolean): void {
    const call = this.#calls.find(callId);
    if (call?.answer !== undefined) this.#tellTitle(call);
    if (goesOn && call?.isTitled === false) {
      call.answer = told;
      return this.changed();
    }
    if (call !== undefined) call.isTitled = true;
    super.tellAnswer(callId, told, goesOn);
  }

  override answered(callId: string): void {
    this.#calls.letRun(callId);
    this.changed();
  }

  /** The titles of the calls that run stand above the panel, since one of them asks. */
  cardFollows(): void {
    this.endWords();
    for (const call of this.#calls.untitled()) this.#tellTitle(call);
  }

  freshLine(): void {
    this.endWords();
  }

  line(text: string): void {
    this.asTheyCame(this.#rowsOf(text));
  }

  override asTheyCame(lines: readonly string[]): void {
    this.endWords();
    this.#write(lines);
  }

  below(text: string): void {
    if (this.#running === undefined) this.line(text);
    else this.#held.push(text);
  }

  /** Ends the running text: all of it stays, and what waited comes below. */
  protected endWords(): void {
    const running = this.#running;
    if (running !== undefined) {
      running.text.end();
      this.#at.lines.endText();
      if (running.kind === "text" && running.text.source.trim() !== "") this.said = running.text.source;
      this.#running = undefined;
      this.plan = undefined;
    }
    const held = this.#held;
    this.#held = [];
    this.#write(held.flatMap((text) => this.#rowsOf(text)));
  }

  protected say(kind: "text" | "think", text: string): void {
    if (text === "") return;
    if (this.#running?.kind !== kind) {
      this.endWords();
      this.#running = { kind, text: this.#at.grows(kind) };
    }
    this.#running.text.add(text);
    this.#at.lines.changed(true);
  }

  protected override begunElsewhere(): void {
    this.#status.began(false);
  }

  protected turnEnded(): void {
    this.endWords();
    this.#tellTodos();
    for (const call of this.#calls.endAll()) if (!call.isTitled) this.#tellTitle(call, "dim");
    if (!this.isPromptedHere) this.#status.ended();
    else this.changed();
  }

  /** Writes the work of a sub-agent below the title of the call that it works for. */
  protected otherCame(event: WireEvent | Unrecognized): void {
    const lines = eventLines(event, this.words);
    if (lines.length === 0) return;
    this.endWords();
    if (event.type === "SubagentEvent") {
      const { parent_tool_call_id } = event.payload;
      const call = this.#calls.untitled().find(({ id }) => id === parent_tool_call_id);
      if (call !== undefined) this.#tellTitle(call);
    }
    for (const text of lines) this.dimLine(text);
  }

  protected called(call: EventPayload<"ToolCall">): void {
    const { name, arguments: text } = call.function;
    this.endWords();
    this.#calls.began(call.id, name).subject.more(text);
    this.noteCall(call);
    this.changed();
  }

  protected argumentsCame(text: string | null): void {
    this.#calls.last()?.subject.more(text);
    this.changed();
  }

  protected showPlan(content: string): void {
    const text = this.#at.grows("text");
    text.add(content);
    text.end();
    const { rows } = text.rows(this.#at.columns());
    this.#write(rows.length > 0 ? rows : [visibleText(content)]);
  }

  protected resulted({ tool_call_id, return_value }: EventPayload<"ToolResult">): void {
    const call = this.#calls.ended(tool_call_id);
    const printed = this.commands.folded(tool_call_id, return_value);
    const todos = todosOf(return_value.display, call?.subject.args);
    if (todos !== undefined) return this.#setTodos(todos);
    // The card has told all about a call that asks.
    if (call?.isTitled && call.subject.asks && return_value.display.length === 0) return this.changed();
    const ended = {
      title: call?.subject.title(this.paint, true) ?? "",
      ...{ value: return_value, printed },
      tookMs: call === undefined ? 0 : this.#clock.now() - call.beganAt,
      answer: call?.answer,
      isTitled: call === undefined || call.isTitled,
      hasCommand: call?.subject.hasCommand === true,
      finds: call?.subject.finds === true,
      columns: this.#at.columns(),
    };
    // A running text keeps its paragraph.
    for (const text of endedCall(ended, this.paint, this.words)) this.below(text);
    this.changed();
  }

  #rowsOf(text: string): string[] {
    return text.split("\n").flatMap((line) => noticeRows(line, this.#at.columns()));
  }

  #write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.plan = undefined;
    this.#at.lines.write(lines.map((line) => `${line}\n`).join(""));
  }

  #tellTitle(call: RunningCall, colour: "yellow" | "dim" = "yellow"): void {
    const { answer, subject } = call;
    const title = `${this.paint(colour, "•")} ${subject.title(this.paint, true)}`;
    call.isTitled = true;
    call.answer = undefined;
    for (const text of answer === undefined ? [title] : toldLines(answer)) this.#write(this.#rowsOf(text));
  }

  /** The list as it ended up: until now it was shown in place. */
  #tellTodos(): void {
    const todos = this.#todos;
    this.#todos = undefined;
    this.#write(todoRows(todos ?? [], this.paint));
  }

  /** A list is shown in place. Beside a panel there is no such place. */
  #setTodos(todos: readonly ListedTodo[]): void {
    this.#todos = todos;
    if (this.#at.lines.asking) {
      this.endWords();
      this.#tellTodos();
    }
    this.changed();
  }

  #work(columns: number, room: number): readonly string[] {
    const calls = this.#calls.rows(columns, room);
    const todos = todoRows(this.#todos ?? [], this.paint);
    return [...calls, ...todos.slice(0, Math.max(0, room - calls.length))];
  }
}
