import { visibleLine, visibleText } from "@askwire/client/text";
import type { TerminalWords } from "@askwire/client/words";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import { HANGS } from "../device/hanging-rows.js";
import type { Paint } from "../device/paint.js";
import { AgentTranscript, type EventPayload } from "./agent-transcript.js";
import { CallLine } from "./call-line.js";
import { eventLines } from "./event-lines.js";

/** The most lines of calls that are kept. */
const MOST_CALLS = 200;

/** Writes an agent's actions as lines. */
export class TerminalTranscript extends AgentTranscript {
  readonly #output: { write(text: string): void };
  readonly #columns: () => number | undefined;
  #isAtLineStart = true;
  /** The agent's last words: another kind begins a new line, and an emoji may come in pieces. */
  #last: { readonly kind: "text" | "think"; readonly text: string } | undefined;
  /** The tool call with the unfinished line at the end of the output. */
  #call: { readonly id: string; readonly line: CallLine } | undefined;
  /** The lines of calls without a result. */
  readonly #lines = new BoundedMap<string, CallLine>(MOST_CALLS);
  /** The results of other calls, which wait below the unfinished line. */
  #held: string[] = [];

  /** @param columns of the output, if a line there can be drawn again. Default: lines cannot be drawn again. */
  constructor(
    output: { write(text: string): void },
    paint: Paint,
    words: TerminalWords,
    columns: () => number | undefined = () => undefined,
  ) {
    super(paint, words);
    this.#output = output;
    this.#columns = columns;
  }

  cardFollows(): void {
    if (this.#call !== undefined) this.#write(this.#call.line.end(true));
    this.#tellHeld();
  }

  freshLine(): void {
    if (!this.#isAtLineStart) this.#write(this.#call?.line.end(false) ?? "\n");
    this.#tellHeld();
  }

  line(text: string): void {
    this.endWords();
    this.#write(`${text}\n`);
  }

  below(text: string): void {
    if (this.#isAtLineStart) this.line(text);
    else this.#held.push(text);
  }

  override entered(): void {
    this.#isAtLineStart = true;
    this.#call = undefined;
    this.#tellHeld();
  }

  protected endWords(): void {
    this.freshLine();
    this.#last = undefined;
  }

  protected say(kind: "text" | "think", text: string): void {
    if (text === "") return;
    const isOther = this.#last !== undefined && this.#last.kind !== kind;
    if (this.#call !== undefined || isOther) this.freshLine();
    const isGoingOn = this.#last?.kind === kind;
    const shown = visibleText(text, isGoingOn ? this.#last?.text : "");
    this.#last = { kind, text };
    if (kind === "text") this.said = (isGoingOn ? (this.said ?? "") : "") + text;
    // A line feed stays outside of the colour, so that the line feed ends the line.
    this.#write(kind === "think" ? shown.replace(/[^\n]+/g, (line) => this.paint("dim", line)) : shown);
  }

  protected called(call: EventPayload<"ToolCall">): void {
    const { name, arguments: text } = call.function;
    this.endWords();
    const line = new CallLine(name, this.paint, this.words, this.#columns());
    this.noteCall(call);
    this.#lines.set(call.id, line);
    this.argumentsCame(text, { id: call.id, line });
  }

  protected argumentsCame(text: string | null, call = this.#call): void {
    this.#write(call?.line.more(text) ?? "");
    if (this.#isAtLineStart) this.#tellHeld();
    else this.#call = call;
  }

  protected showPlan(content: string): void {
    this.line(visibleText(content).trimEnd());
  }

  protected resulted(result: EventPayload<"ToolResult">): void {
    const { tool_call_id, return_value } = result;
    const printed = this.commands.folded(tool_call_id, return_value).map((text) => `  ${text}`);
    const line = this.#lines.get(tool_call_id);
    this.#lines.delete(tool_call_id);
    const display = return_value.display.filter(
      (block) =>
        block.type !== "shell" || !("command" in block) || !line?.tells(visibleLine(String(block.command))),
    );
    const value = { ...return_value, display };
    const event = { type: "ToolResult", payload: { ...result, return_value: value } } as const;
    const lines = [...printed, ...eventLines(event, this.words)].map((text) => this.paint("dim", text));
    if (this.#call !== undefined && tool_call_id !== this.#call.id) this.#held.push(...lines);
    else for (const text of lines) this.line(text);
  }

  protected otherCame(event: WireEvent | Unrecognized): void {
    for (const text of eventLines(event, this.words)) this.dimLine(text);
  }

  protected turnEnded(): void {
    this.endWords();
    this.#lines.clear();
  }

  #write(text: string): void {
    if (text === "") return;
    this.#call = undefined;
    this.plan = undefined;
    this.#output.write(text.replaceAll(HANGS, ""));
    this.#isAtLineStart = text.endsWith("\n");
  }

  #tellHeld(): void {
    const lines = this.#held;
    this.#held = [];
    for (const text of lines) this.line(text);
  }
}
