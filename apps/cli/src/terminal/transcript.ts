import type { DisplayBlock, Unrecognized, WireEvent } from "@askwire/protocol";
import { unifiedDiff } from "./diff.js";
import type { Paint } from "./paint.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** Writes what an agent does to an output as it comes: its words, its tool calls, their results. */
export interface Transcript {
  event(event: WireEvent | Unrecognized): void;
  /** Begins a new line if the last one is not at its end. */
  freshLine(): void;
  line(text: string): void;
}

export function createTranscript(output: { write(text: string): void }, paint: Paint): Transcript {
  let atLineStart = true;

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
    event(event) {
      switch (event.type) {
        case "ContentPart": {
          const { payload } = event;
          if (payload.type === "text") write(visibleText(payload.text));
          else if (payload.type === "think") write(paint("dim", visibleText(payload.think)));
          else line(paint("dim", `[${payload.type}]`));
          break;
        }
        case "ToolCall":
          line(paint("dim", `• ${visibleLine(event.payload.function.name)}`));
          break;
        case "ToolResult":
          for (const text of results(event.payload.return_value.display)) line(paint("dim", `  ↳ ${text}`));
          break;
        case "StepInterrupted":
          line(paint("dim", "(the step was interrupted)"));
          break;
        case "TurnEnd":
          freshLine();
          break;
        default:
          break;
      }
    },
  };
}

const results = (display: readonly DisplayBlock[]) =>
  display.flatMap((block) =>
    block.type === "brief" && "text" in block ? [visibleLine(String(block.text))] : [],
  );

/** A display block as lines of text; none for one that this terminal has no form for. */
export function displayLines(block: DisplayBlock, paint: Paint): string[] {
  if (block.type === "diff" && "old_text" in block) {
    return unifiedDiff(String(block.path), String(block.old_text), String(block.new_text)).map((text) => {
      const shown = visibleText(text);
      return text.startsWith("+")
        ? paint("green", shown)
        : text.startsWith("-")
          ? paint("red", shown)
          : paint("dim", shown);
    });
  }
  if (block.type === "shell" && "command" in block) return visibleText(`$ ${block.command}`).split("\n");
  if (block.type === "brief" && "text" in block) return visibleText(String(block.text)).split("\n");
  if (block.type === "todo" && "items" in block) {
    const items = block.items as { title: string; status: string }[];
    return items.map((item) => visibleLine(`[${item.status === "done" ? "x" : " "}] ${item.title}`));
  }
  return [];
}
