import type { ApprovalView } from "@askwire/client";
import type { ChatWords } from "../words/chat-words.js";
import { displayLines, isDiff } from "./display-lines.js";
import type { Paint } from "./paint.js";
import { visibleLine } from "./visible-text.js";

/** What is asked about, but for a command that the description has whole, and the path of a file that is named there. */
export function approvalLines(
  { display, description }: ApprovalView,
  paint: Paint,
  words: ChatWords,
): string[] {
  const paths = new Set(display.filter(isDiff).map(({ path }) => path));
  const isNamed = paths.size === 1 && [...paths].every((path) => description.includes(path));
  let last: string | undefined;
  return display.flatMap((block) => {
    if (block.type === "shell" && "command" in block && isTold(String(block.command), description)) return [];
    const lines = displayLines(block, paint, words);
    if (isNamed || !isDiff(block) || block.path === last) return lines;
    last = block.path;
    return [paint("bold", visibleLine(block.path)), ...lines];
  });
}

const isTold = (command: string, description: string) =>
  !command.includes("\n") && description.includes(command);
