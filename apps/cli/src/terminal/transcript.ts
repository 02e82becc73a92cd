import type { Unrecognized, WireEvent } from "@askwire/protocol";
import { eventLines } from "./event-lines.js";
import type { Paint } from "./paint.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** Writes what an agent does to an output as it comes: its words, its tool calls, their results. */
export interface Transcript {
  event(event: WireEvent | Unrecognized): void;
  /** Begins a new line if the last one is not at its end. */
  freshLine(): void;
  line(text: string): void;
  /** Told that the person ended a line: what comes next begins one. */
  entered(): void;
}

export function createTranscript(output: { write(text: string): void }, paint: Paint): Transcript {
  let atLineStart = true;
  let planMode = false;

  function write(text: string): void {
    if (text === "") return;
    output.write(text);
    atLineStart = text.endsWith("\n");
  }
  function freshLine(): void {
    if (!atLineStart) write("\n");
  }
  function line(text: string): void {
    freshLine();
    write(`${text}\n`);
  }

  return {
    freshLine,
    line,
    entered() {
      atLineStart = true;
    },
    event(event) {
      switch (event.type) {
        case "ContentPart": {
          const { payload } = event;
          if (payload.type === "text") write(visibleText(payload.text));
          else if (payload.type === "think") write(paint("dim", visibleText(payload.think)));
          else line(paint("dim", `[${payload.type}]`));
          break;
        }
        case "PlanDisplay": {
          const { content, file_path } = event.payload;
          line(paint("bold", file_path === "" ? "Plan" : `Plan (${visibleLine(file_path)})`));
          line(visibleText(content).trimEnd());
          break;
        }
        case "StatusUpdate": {
          const { plan_mode } = event.payload;
          if (plan_mode === null || plan_mode === planMode) break;
          planMode = plan_mode;
          line(paint("dim", `(plan mode is ${planMode ? "on" : "off"})`));
          break;
        }
        case "TurnEnd":
          freshLine();
          break;
        default:
          for (const text of eventLines(event)) line(paint("dim", text));
      }
    },
  };
}
