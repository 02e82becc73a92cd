import type { TerminalWords } from "@askwire/client/words";
import { columnsOf, hasColours, type Paint } from "../device/paint.js";
import type { LineFeed } from "../lines/line-readers.js";
import type { GrowingText } from "../markdown/growing-lines.js";
import type { Look } from "../markdown/spans.js";
import type { ShownTranscript } from "../terminal/agent-transcript.js";
import { DrawnTranscript } from "../terminal/drawn-transcript.js";
import type { StatusFacts } from "../terminal/status-row.js";
import { TerminalTranscript } from "../terminal/transcript.js";

/** Makes the texts of a terminal that is drawn on. */
export type GrowsText = (kind: "text" | "think", look: Look) => GrowingText;

/** The texts of an agent as they are drawn: Markdown, or as it was written; thoughts are set in. */
export async function growingTexts(isRaw: boolean): Promise<GrowsText> {
  const { growingLines } = await import("../markdown/growing-lines.js");
  const answer = isRaw ? growingLines : (await import("../markdown/growing-markdown.js")).growingMarkdown;
  return (kind, look) =>
    kind === "text" ? answer(look) : growingLines(look, "  ", look.isStyled ? ["dim", "italic"] : []);
}

interface Place {
  readonly lines: LineFeed;
  readonly paint: Paint;
  readonly words: TerminalWords;
  /** The facts for the row below the prompt. */
  told(): StatusFacts;
}

/** The transcript of a conversation: drawn, or in lines where there are no texts to draw. */
export function conversationTranscript(
  { lines, paint, words, told }: Place,
  text: GrowsText | undefined,
): ShownTranscript {
  const { stdout, env } = process;
  const columns = () => columnsOf(stdout, env);
  if (text === undefined)
    return new TerminalTranscript(lines, paint, words, () => (lines.asking ? undefined : columns()));
  const look = { paint, isStyled: hasColours(stdout, env) };
  return new DrawnTranscript({
    ...{ lines, paint, words, told },
    grows: (kind) => text(kind, look),
    columns: () => columns() ?? 80,
  });
}
