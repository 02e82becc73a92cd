import { exactText, visibleLine, visibleText } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { DisplayBlock, FileChange } from "@askwire/protocol";
import type { Paint } from "../device/paint.js";
import { unifiedDiff } from "./diff.js";
import { numberedDiff } from "./numbered-diff.js";

/** The manner of differences: `numbered` where they are drawn, with a line number in front of each line. */
export type DiffManner = "unified" | "numbered";

/**
 * A display block as lines of text. Empty for a block without a form in this terminal.
 *
 * @param diffs default: unified, which reads well aloud.
 */
export function displayLines(
  block: DisplayBlock,
  paint: Paint,
  words: ChatWords,
  diffs: DiffManner = "unified",
): string[] {
  if (isDiff(block)) {
    if (block.is_summary)
      return [paint("dim", words.tooLong(visibleLine(block.old_text), visibleLine(block.new_text)))];
    const ends = words.lineEnds(block.old_text, block.new_text);
    const lines = diffs === "numbered" ? numberedDiff(block, paint) : unifiedLines(block, paint);
    return ends === "" ? lines : [ends, ...lines];
  }
  if (block.type === "shell" && "command" in block) return exactText(`$ ${block.command}`).split("\n");
  if (block.type === "brief" && "text" in block)
    return visibleText(words.told(String(block.text))).split("\n");
  if (block.type === "todo" && "items" in block) {
    const items = block.items as { title: string; status: string }[];
    return items.map(({ title, status }) => visibleLine(`[${marks.get(status) ?? " "}] ${title}`));
  }
  if (block.type === "background_task" && "description" in block)
    return [words.task(visibleLine(String(block.description)), visibleLine(String(block.status)))];
  return [];
}

const unifiedLines = (block: FileChange, paint: Paint): string[] =>
  unifiedDiff(block).map((text) => {
    const style = text.startsWith("+") ? "green" : text.startsWith("-") ? "red" : "dim";
    return paint(style, visibleText(text));
  });

/** A block without a form in this terminal as its data: whoever approves has to see it all the same. */
export const dataLines = (data: unknown): string[] =>
  visibleText(JSON.stringify(data, null, 2) ?? "").split("\n");

/** Recognizes a difference by its fields, since a block of another kind may have any fields. */
export function isDiff(block: DisplayBlock): block is DisplayBlock & FileChange {
  return block.type === "diff" && "old_text" in block;
}

const marks = new Map([
  ["done", "x"],
  ["in_progress", ">"],
]);
