import { visibleLine, visibleText } from "@askwire/client/text";
import type { ChatWords, TerminalWords } from "@askwire/client/words";
import type { CallOutput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { Clock } from "../device/clock.js";
import { processClock } from "../device/clock.js";
import { wrapped } from "../device/fitted-text.js";
import type { Paint } from "../device/paint.js";
import type { Live } from "../lines/live-rows.js";
import type { GrowingText } from "../markdown/growing-lines.js";
import { endedCall } from "./call-result.js";
import { commandOutput } from "./command-output.js";
import { eventLines, inputLine } from "./event-lines.js";
import { type RunningCall, RunningCallRows } from "./running-calls.js";
import { type StatusFacts, StatusRow } from "./status-row.js";
import { type ListedTodo, todoRows, todosOf } from "./todo-list.js";
import type { ShownTranscript } from "./transcript.js";
import { OUTPUT } from "./typed-line.js";

type Payload<Type> = Extract<WireEvent, { type: Type }>["payload"];

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
  /** What the row below the prompt tells. */
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
export class DrawnTranscript implements ShownTranscript {
  readonly #at: Drawn;
  readonly #words: ChatWords;
  readonly #clock: Clock;
  readonly #calls: RunningCallRows;
  readonly #status: StatusRow;
  readonly #commands = commandOutput((left, number) => this.#words.moreOutput(left, `${OUTPUT} ${number}`));
  #said: Said | undefined;
  #answer: string | undefined;
  #todos: readonly ListedTodo[] | undefined;
  #isPlanMode = false;
  #isPromptedHere = false;
  /** The plan that was shown last. */
  #plan: string | undefined;
  /** Lines that wait below the running text. */
  #held: string[] = [];

  constructor(at: Drawn) {
    const { clock = processClock, paint, words, lines } = at;
    this.#at = at;
    this.#words = words.chat;
    this.#clock = clock;
    this.#calls = new RunningCallRows(clock, paint, words.chat);
    this.#status = new StatusRow({ clock, paint, words: words.chat }, at.told, () => lines.changed());
    const text = () => this.#said?.text;
    lines.shows({
      get text() {
        return text();
      },
      work: (columns, room) => this.#work(columns, room),
      status: (columns) => this.#status.row(columns),
    });
  }

  event(event: WireEvent | Unrecognized): void {
    switch (event.type) {
      case "TurnBegin":
        return this.#turnBegan(event.payload);
      case "StepBegin":
        return this.#endWords();
      case "ContentPart":
        return this.#contentCame(event.payload);
      case "ToolCall":
        return this.#called(event);
      case "ToolCallPart":
        this.#calls.last()?.subject.more(event.payload.arguments_part);
        return this.#at.lines.changed();
      case "PlanDisplay":
        return this.#showPlan(event.payload);
      case "StatusUpdate":
        return this.#updated(event.payload);
      case "TurnEnd":
        return this.#turnEnded();
      case "ToolResult":
        return this.#resulted(event.payload);
      default:
        return this.#otherCame(event);
    }
  }

  prompting(here: boolean): void {
    this.#isPromptedHere = here;
    if (here) this.#status.began();
    else this.#turnEnded();
  }

  cancelling(): void {
    this.#status.cancelled();
  }

  printed(output: CallOutput): void {
    this.#calls.printed(output);
    this.#at.lines.changed();
  }

  changed(): void {
    this.#at.lines.changed();
  }

  answered(): void {
    this.#calls.letRun();
    this.#at.lines.changed();
  }

  showedPlan(text: string): boolean {
    return this.#plan?.trim() === text.trim();
  }

  /** The titles of the calls that run stand above the panel, since one of them asks. */
  cardFollows(): void {
    this.#endWords();
    for (const call of this.#calls.untitled()) this.#tellTitle(call, false);
  }

  freshLine(): void {
    this.#endWords();
  }

  line(text: string): void {
    this.#endWords();
    this.#write(`${text}\n`);
  }

  below(text: string): void {
    if (this.#said === undefined) this.line(text);
    else this.#held.push(text);
  }

  output(number?: number): string[] | undefined {
    return this.#commands.whole(number);
  }

  get answer(): string | undefined {
    return this.#answer;
  }

  entered(): void {}

  #write(text: string): void {
    this.#plan = undefined;
    this.#at.lines.write(text);
  }

  #dimLine(text: string): void {
    for (const row of wrapped(text, this.#at.columns())) this.line(this.#at.paint("dim", row));
  }

  /** Ends the running text: all of it stays, and what waited comes below. */
  #endWords(): void {
    const said = this.#said;
    if (said !== undefined) {
      said.text.end();
      this.#at.lines.endText();
      if (said.kind === "text" && said.text.source.trim() !== "") this.#answer = said.text.source;
      this.#said = undefined;
      this.#plan = undefined;
    }
    const held = this.#held;
    this.#held = [];
    for (const text of held) this.#write(`${text}\n`);
  }

  #say(kind: "text" | "think", text: string): void {
    if (text === "") return;
    if (this.#said?.kind !== kind) {
      this.#endWords();
      this.#said = { kind, text: this.#at.grows(kind) };
    }
    this.#said.text.add(text);
    this.#at.lines.changed(true);
  }

  #turnBegan({ user_input }: Payload<"TurnBegin">): void {
    if (this.#isPromptedHere) return;
    this.#status.began();
    this.#dimLine(this.#words.promptedElsewhere(visibleLine(inputLine(user_input, this.#words))));
  }

  #turnEnded(): void {
    this.#endWords();
    this.#tellTodos();
    for (const call of this.#calls.endAll()) if (!call.isTitled) this.#tellUnended(call);
    this.#commands.forget();
    if (!this.#isPromptedHere) this.#status.ended();
    else this.#at.lines.changed();
  }

  /** What a sub-agent does stands below the title of the call that it works for. */
  #otherCame(event: WireEvent | Unrecognized): void {
    const lines = eventLines(event, this.#words);
    if (lines.length === 0) return;
    this.#endWords();
    if (event.type === "SubagentEvent") {
      const { parent_tool_call_id } = event.payload;
      const call = this.#calls.untitled().find(({ id }) => id === parent_tool_call_id);
      if (call !== undefined) this.#tellTitle(call, true);
    }
    for (const text of lines) this.#dimLine(text);
  }

  #tellTitle(call: RunningCall, full: boolean): void {
    call.isTitled = true;
    this.#write(`${this.#at.paint("yellow", "•")} ${call.subject.title(this.#at.paint, full)}\n`);
  }

  #tellUnended({ subject }: RunningCall): void {
    this.#write(`${this.#at.paint("dim", "•")} ${subject.title(this.#at.paint, true)}\n`);
  }

  /** The list as it ended up: until now it was shown in place. */
  #tellTodos(): void {
    const todos = this.#todos;
    this.#todos = undefined;
    for (const row of todoRows(todos ?? [], this.#at.paint)) this.#write(`${row}\n`);
  }

  #contentCame(part: Payload<"ContentPart">): void {
    if (part.type === "text") this.#say("text", part.text);
    else if (part.type === "think") this.#say("think", part.think);
    else this.#dimLine(this.#words.part(part.type));
  }

  #called({ payload }: Extract<WireEvent, { type: "ToolCall" }>): void {
    const { id, extras } = payload;
    const { name, arguments: text } = payload.function;
    this.#endWords();
    this.#calls.began(id, name).subject.more(text);
    this.#commands.called(id, name, kindOf(extras) === "execute" ? true : undefined);
    this.#at.lines.changed();
  }

  #showPlan({ content, file_path }: Payload<"PlanDisplay">): void {
    this.line(this.#at.paint("bold", this.#words.plan(visibleLine(file_path))));
    const text = this.#at.grows("text");
    text.add(content);
    text.end();
    const { rows } = text.rows(this.#at.columns());
    this.#write(rows.map((row) => `${row}\n`).join("") || `${visibleText(content)}\n`);
    this.#plan = content;
  }

  #updated({ plan_mode: isOn }: Payload<"StatusUpdate">): void {
    this.#at.lines.changed();
    if (isOn === null || isOn === this.#isPlanMode) return;
    this.#isPlanMode = isOn;
    this.#dimLine(this.#words.planMode(isOn));
  }

  #resulted({ tool_call_id, return_value }: Payload<"ToolResult">): void {
    const call = this.#calls.ended(tool_call_id);
    const printed = this.#commands.folded(tool_call_id, return_value);
    const todos = todosOf(return_value.display, call?.subject.args);
    if (todos !== undefined) return this.#setTodos(todos);
    // The card has told all about a call that asks.
    if (call?.isTitled && call.subject.asks && return_value.display.length === 0)
      return this.#at.lines.changed();
    const { paint } = this.#at;
    const ended = {
      title: call?.subject.title(paint, true) ?? "",
      ...{ value: return_value, printed },
      tookMs: call === undefined ? 0 : this.#clock.now() - call.beganAt,
      isTitled: call === undefined || call.isTitled,
      hasCommand: call?.subject.hasCommand === true,
      columns: this.#at.columns(),
    };
    // A running text keeps its paragraph.
    for (const text of endedCall(ended, paint, this.#words)) this.below(text);
    this.#at.lines.changed();
  }

  /** A list is shown in place. Beside a panel there is no such place. */
  #setTodos(todos: readonly ListedTodo[]): void {
    this.#todos = todos;
    if (this.#at.lines.asking) {
      this.#endWords();
      this.#tellTodos();
    }
    this.#at.lines.changed();
  }

  #work(columns: number, room: number): readonly string[] {
    const calls = this.#calls.rows(columns, room);
    const todos = todoRows(this.#todos ?? [], this.#at.paint);
    return [...calls, ...todos.slice(0, Math.max(0, room - calls.length))];
  }
}

/** The kind of a call of an ACP agent, as a relay tells it. */
const kindOf = (extras: unknown): unknown => Object(Object(extras).acp).kind;
