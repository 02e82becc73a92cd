import { visibleLine, visibleText } from "@askwire/client/text";
import type { ChatWords, TerminalWords } from "@askwire/client/words";
import type { CallOutput, Unrecognized, WireEvent } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { CallLine } from "./call-line.js";
import { commandOutput } from "./command-output.js";
import { eventLines, inputLine } from "./event-lines.js";
import { OUTPUT } from "./typed-line.js";

/** The parts of a transcript that others use. */
export type ShownTranscript = Pick<TerminalTranscript, keyof TerminalTranscript>;

type Payload<Type> = Extract<WireEvent, { type: Type }>["payload"];

/** Writes an agent's actions as they come: its words, its tool calls, their results. */
export class TerminalTranscript {
  readonly #output: { write(text: string): void };
  readonly #paint: Paint;
  readonly #words: ChatWords;
  readonly #columns: () => number | undefined;
  readonly #commands = commandOutput((lines, number) => this.#words.moreOutput(lines, `${OUTPUT} ${number}`));
  #answer: string | undefined;
  #isAtLineStart = true;
  #isPlanMode = false;
  #isPromptedHere = false;
  /** The agent's last words: another kind begins a new line, and an emoji may come in pieces. */
  #said: { readonly kind: "text" | "think"; readonly text: string } | undefined;
  /** The plan that was shown last. */
  #plan: string | undefined;
  /** The tool call with the unfinished line at the end of the output. */
  #call: { readonly id: string; readonly line: CallLine } | undefined;
  /** The results of other calls, which wait below the unfinished line. */
  #held: string[] = [];

  /** @param columns of the output, if a line there can be drawn again. Default: lines cannot be drawn again. */
  constructor(
    output: { write(text: string): void },
    paint: Paint,
    { chat }: TerminalWords,
    columns: () => number | undefined = () => undefined,
  ) {
    this.#output = output;
    this.#paint = paint;
    this.#words = chat;
    this.#columns = columns;
  }

  event(event: WireEvent | Unrecognized): void {
    switch (event.type) {
      case "TurnBegin":
        return this.#turnBegan(event.payload);
      case "StepBegin":
        // The words of two messages are two texts.
        return this.#endWords();
      case "ContentPart":
        return this.#contentCame(event.payload);
      case "ToolCall":
        return this.#called(event.payload);
      case "ToolCallPart":
        return this.#readArguments(event.payload.arguments_part);
      case "PlanDisplay":
        return this.#showPlan(event.payload);
      case "StatusUpdate":
        return this.#switchPlanMode(event.payload.plan_mode);
      case "TurnEnd":
        this.#commands.forget();
        return this.freshLine();
      case "ToolResult":
        return this.#resulted(event);
      default:
        for (const text of eventLines(event, this.#words)) this.#dimLine(text);
    }
  }

  /** Notes if a prompt from here is under way. A turn without one belongs to another client, and is marked. */
  prompting(here: boolean): void {
    this.#isPromptedHere = here;
  }

  /** Reports if this plan was shown last: a question about it need not show it again. */
  showedPlan(text: string): boolean {
    return this.#plan?.trim() === text.trim();
  }

  /** Announces the card of a question, which replaces the row of its call (F-11). */
  cardFollows(): void {
    if (this.#call !== undefined) this.#write(this.#call.line.end(true));
    this.#tellHeld();
  }

  /** Begins a new line unless the last line has ended. */
  freshLine(): void {
    if (!this.#isAtLineStart) this.#write(this.#call?.line.end(false) ?? "\n");
    this.#tellHeld();
  }

  line(text: string): void {
    this.#endWords();
    this.#write(`${text}\n`);
  }

  /** Writes a line, below the one that the agent has not ended. */
  below(text: string): void {
    if (this.#isAtLineStart) this.line(text);
    else this.#held.push(text);
  }

  /** Shows that the turn is being cancelled, where anything is shown in place. */
  cancelling(): void {}

  /** Shows what a running call has printed last, where that is shown. */
  printed(_output: CallOutput): void {}

  /** A request was answered: calls that waited for it run from now on. */
  answered(): void {}

  /** Shows what else has changed, where anything is shown in place. */
  changed(): void {}

  /** The whole output of a call, by its number. Default: of the last one. Undefined where there is none. */
  output(number?: number): string[] | undefined {
    return this.#commands.whole(number);
  }

  /** The last answer of the agent as it was written. Undefined before the first. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** Notes that the person ended a line: the next output begins a new line. */
  entered(): void {
    this.#isAtLineStart = true;
    this.#call = undefined;
    this.#tellHeld();
  }

  #write(text: string): void {
    if (text === "") return;
    this.#call = undefined;
    this.#plan = undefined;
    this.#output.write(text);
    this.#isAtLineStart = text.endsWith("\n");
  }

  #dimLine(text: string): void {
    this.line(this.#paint("dim", text));
  }

  #tellHeld(): void {
    const lines = this.#held;
    this.#held = [];
    for (const text of lines) this.line(text);
  }

  #endWords(): void {
    this.freshLine();
    this.#said = undefined;
  }

  #say(kind: "text" | "think", text: string): void {
    if (text === "") return;
    const isOther = this.#said !== undefined && this.#said.kind !== kind;
    if (this.#call !== undefined || isOther) this.freshLine();
    const isGoingOn = this.#said?.kind === kind;
    const shown = visibleText(text, isGoingOn ? this.#said?.text : "");
    this.#said = { kind, text };
    if (kind === "text") this.#answer = (isGoingOn ? (this.#answer ?? "") : "") + text;
    // A line feed stays outside of the colour, so that the line feed ends the line.
    this.#write(kind === "think" ? shown.replace(/[^\n]+/g, (line) => this.#paint("dim", line)) : shown);
  }

  #turnBegan({ user_input }: Payload<"TurnBegin">): void {
    if (this.#isPromptedHere) return;
    this.#dimLine(this.#words.promptedElsewhere(visibleLine(inputLine(user_input, this.#words))));
  }

  #contentCame(part: Payload<"ContentPart">): void {
    if (part.type === "text") this.#say("text", part.text);
    else if (part.type === "think") this.#say("think", part.think);
    else this.#dimLine(this.#words.part(part.type));
  }

  #called({ id, function: { name, arguments: text } }: Payload<"ToolCall">): void {
    this.#endWords();
    const line = new CallLine(name, this.#paint, this.#words, this.#columns());
    this.#commands.called(id, name);
    this.#readArguments(text, { id, line });
  }

  #readArguments(text: string | null, call = this.#call): void {
    this.#write(call?.line.more(text) ?? "");
    if (this.#isAtLineStart) this.#tellHeld();
    else this.#call = call;
  }

  #showPlan({ content, file_path }: Payload<"PlanDisplay">): void {
    this.line(this.#paint("bold", this.#words.plan(visibleLine(file_path))));
    this.line(visibleText(content).trimEnd());
    this.#plan = content;
  }

  #switchPlanMode(isOn: boolean | null): void {
    if (isOn === null || isOn === this.#isPlanMode) return;
    this.#isPlanMode = isOn;
    this.#dimLine(this.#words.planMode(isOn));
  }

  #resulted(event: Extract<WireEvent, { type: "ToolResult" }>): void {
    const { tool_call_id, return_value } = event.payload;
    const printed = this.#commands.folded(tool_call_id, return_value).map((text) => `  ${text}`);
    const lines = [...printed, ...eventLines(event, this.#words)].map((text) => this.#paint("dim", text));
    if (this.#call !== undefined && tool_call_id !== this.#call.id) this.#held.push(...lines);
    else for (const text of lines) this.line(text);
  }
}
