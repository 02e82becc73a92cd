import { visibleLine, visibleText } from "@askwire/client/text";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import type { Words } from "../words/words.js";
import { type CallLine, callLine } from "./call-line.js";
import { commandOutput } from "./command-output.js";
import { eventLines, saidIn } from "./event-lines.js";
import { OUTPUT } from "./typed-line.js";

/** Writes an agent's actions as they come: its words, its tool calls, their results. */
export interface Transcript {
  event(event: WireEvent | Unrecognized): void;
  /** Notes if a prompt from here is under way. A turn without one belongs to another client, and is marked. */
  prompting(here: boolean): void;
  /** Reports if this plan was shown last: a question about it need not show it again. */
  showedPlan(text: string): boolean;
  /** Announces the card of a question, which replaces the row of its call (F-11). */
  cardFollows(): void;
  /** Begins a new line unless the last line has ended. */
  freshLine(): void;
  line(text: string): void;
  /** Writes a line, below the one that the agent has not ended. */
  below(text: string): void;
  /** The whole output of the last command, of which a part is shown. Undefined before the first. */
  lastOutput(): string[] | undefined;
  /** Notes that the person ended a line: the next output begins a new line. */
  entered(): void;
}

/**
 * Writes a transcript.
 *
 * @param columns of the output, if a line there can be drawn again. Default: lines cannot be drawn again.
 */
export function createTranscript(
  output: { write(text: string): void },
  paint: Paint,
  { chat: words }: Words,
  columns: () => number | undefined = () => undefined,
): Transcript {
  let atLineStart = true;
  let planMode = false;
  /** The kind of the agent's last words. Another kind begins a new line. */
  let speaking: "text" | "think" | undefined;
  /** The last words: an emoji may come in pieces. */
  let before = "";
  let promptedHere = false;
  let plan: string | undefined;
  /** The tool call with the unfinished line at the end of the output. */
  let call: CallLine | undefined;
  let callId: string | undefined;
  /** The results of other calls, which wait below the unfinished line. */
  let held: string[] = [];
  const outputs = commandOutput((lines) => words.moreOutput(lines, OUTPUT));

  function write(text: string): void {
    if (text === "") return;
    call = undefined;
    plan = undefined;
    output.write(text);
    atLineStart = text.endsWith("\n");
  }
  function say(kind: "text" | "think", text: string): void {
    if (text === "") return;
    if (call !== undefined || (speaking !== undefined && speaking !== kind)) freshLine();
    const shown = visibleText(text, speaking === kind ? before : "");
    speaking = kind;
    before = text;
    // A line feed stays outside of the colour, so that the line feed ends the line.
    write(kind === "think" ? shown.replace(/[^\n]+/g, (line) => paint("dim", line)) : shown);
  }
  function freshLine(): void {
    if (!atLineStart) write(call?.end(false) ?? "\n");
    tellHeld();
  }
  function tellHeld(): void {
    const lines = held;
    held = [];
    for (const text of lines) line(text);
  }
  function line(text: string): void {
    freshLine();
    speaking = undefined;
    write(`${text}\n`);
  }

  function below(text: string): void {
    if (atLineStart) line(text);
    else held.push(text);
  }

  function readArguments(text: string | null, open = call): void {
    write(open?.more(text) ?? "");
    if (atLineStart) tellHeld();
    else call = open;
  }

  return {
    freshLine,
    below,
    line,
    cardFollows() {
      if (call !== undefined) write(call.end(true));
      tellHeld();
    },
    lastOutput: outputs.last,
    showedPlan: (text) => plan?.trim() === text.trim(),
    entered() {
      atLineStart = true;
      call = undefined;
      tellHeld();
    },
    prompting(here) {
      promptedHere = here;
    },
    event(event) {
      switch (event.type) {
        case "TurnBegin": {
          const prompt = visibleLine(saidIn(event.payload.user_input, words));
          if (!promptedHere) line(paint("dim", words.promptedElsewhere(prompt)));
          break;
        }
        case "StepBegin":
          // The words of two messages are two texts.
          freshLine();
          speaking = undefined;
          break;
        case "ContentPart": {
          const { payload } = event;
          if (payload.type === "text") say("text", payload.text);
          else if (payload.type === "think") say("think", payload.think);
          else line(paint("dim", words.part(payload.type)));
          break;
        }
        case "ToolCall": {
          const { name, arguments: text } = event.payload.function;
          freshLine();
          speaking = undefined;
          const opened = callLine(name, paint, words, columns());
          callId = event.payload.id;
          outputs.called(callId, name);
          readArguments(text, opened);
          break;
        }
        case "ToolCallPart":
          readArguments(event.payload.arguments_part);
          break;
        case "PlanDisplay": {
          const { content, file_path } = event.payload;
          line(paint("bold", words.plan(visibleLine(file_path))));
          line(visibleText(content).trimEnd());
          plan = content;
          break;
        }
        case "StatusUpdate": {
          const { plan_mode } = event.payload;
          if (plan_mode === null || plan_mode === planMode) break;
          planMode = plan_mode;
          line(paint("dim", words.planMode(planMode)));
          break;
        }
        case "TurnEnd":
          outputs.forget();
          freshLine();
          break;
        case "ToolResult": {
          const { tool_call_id, return_value } = event.payload;
          const printed = outputs.folded(tool_call_id, return_value).map((text) => `  ${text}`);
          const lines = [...printed, ...eventLines(event, words)].map((text) => paint("dim", text));
          if (call !== undefined && tool_call_id !== callId) held.push(...lines);
          else lines.forEach(line);
          break;
        }
        default:
          for (const text of eventLines(event, words)) line(paint("dim", text));
      }
    },
  };
}
