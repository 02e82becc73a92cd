import type { Unrecognized, WireEvent } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { visibleLine, visibleText } from "../device/visible-text.js";
import type { Words } from "../words/words.js";
import { type CallLine, callLine } from "./call-line.js";
import { commandOutput } from "./command-output.js";
import { eventLines, saidIn } from "./event-lines.js";
import { OUTPUT } from "./typed-line.js";

/** Writes what an agent does to an output as it comes: its words, its tool calls, their results. */
export interface Transcript {
  event(event: WireEvent | Unrecognized): void;
  /** Told whether a prompt from here is under way. A turn that begins without one is somebody else's, and says so. */
  prompting(here: boolean): void;
  /** Whether this plan was the last thing to be shown: a question about it need not show it again. */
  showedPlan(text: string): boolean;
  /** Told that a question is about to be put: its card takes the place of what its call showed of it (F-11). */
  cardFollows(): void;
  /** Begins a new line if the last one is not at its end. */
  freshLine(): void;
  line(text: string): void;
  /** All that the last command printed, of which a part is shown; undefined before the first. */
  lastOutput(): string[] | undefined;
  /** Told that the person ended a line: what comes next begins one. */
  entered(): void;
}

/** @param columns of the output, where a line of it can be drawn again. Default: that cannot be. */
export function createTranscript(
  output: { write(text: string): void },
  paint: Paint,
  { chat: words }: Words,
  columns: () => number | undefined = () => undefined,
): Transcript {
  let atLineStart = true;
  let planMode = false;
  /** What the last words of the agent were; of the one to the other a new line begins. */
  let speaking: "text" | "think" | undefined;
  /** They: an emoji may come in pieces. */
  let before = "";
  let promptedHere = false;
  let plan: string | undefined;
  /** The tool call whose line is at the end of the output, and not ended. */
  let call: CallLine | undefined;
  let callId: string | undefined;
  /** What other calls came to while the arguments of this one came: it is below its line. */
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
    // A line feed stays outside of the colour: what ends a line is the last that is written.
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

  function readArguments(text: string | null, open = call): void {
    write(open?.more(text) ?? "");
    if (atLineStart) tellHeld();
    else call = open;
  }

  return {
    freshLine,
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
