import { terminalWords } from "@askwire/client/words";
import type { WireEvent } from "@askwire/protocol";
import { growingMarkdown } from "../../src/markdown/growing-markdown.js";
import { DrawnTranscript } from "../../src/terminal/drawn-transcript.js";
import { linesOnScreen } from "../lent-terminal.js";
import { handClock } from "../panel/in-process/room.js";

const paint = (_style: string, text: string) => text;

/** A conversation on a screen in this process. */
export function conversing(columns: number) {
  const terminal = linesOnScreen({ columns, rows: 24 });
  const { output } = terminal;
  const transcript = new DrawnTranscript({
    ...{ lines: terminal.lines, paint, words: terminalWords.en, clock: handClock() },
    grows: () => growingMarkdown({ paint, isStyled: false }),
    columns: () => output.columns,
    told: () => ({}),
  });
  const says = (text: string) =>
    transcript.event({ type: "ContentPart", payload: { type: "text", text } } as WireEvent);
  return Object.assign(terminal, { transcript, says });
}
