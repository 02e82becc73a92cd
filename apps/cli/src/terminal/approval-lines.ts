import type { ApprovalView } from "@askwire/client";
import { says, visibleLine, withEditShown } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import { type DiffManner, dataLines, displayLines, isDiff } from "./display-lines.js";

/**
 * The lines about an approval's subject, without a command that the description has whole.
 *
 * @param options.diffs the manner of differences. Default: unified.
 * @param options.paths "unnamed" leaves out the path of a single file whose name the description has. Default:
 * "unnamed".
 */
export function approvalLines(
  view: ApprovalView,
  paint: Paint,
  words: ChatWords,
  { paths: shown = "unnamed", diffs }: { paths?: "all" | "unnamed"; diffs?: DiffManner } = {},
): string[] {
  const { description } = view;
  const display = withEditShown(view);
  const paths = new Set(display.filter(isDiff).map(({ path }) => path));
  const names = [...paths].map((path) => path.replace(/.*[\\/]/s, ""));
  const isNamed = shown === "unnamed" && names.length === 1 && description.includes(names[0] ?? "");
  let last: string | undefined;
  return display.flatMap((block) => {
    if (block.type === "shell" && "command" in block && says(description, String(block.command))) return [];
    const lines = "data" in block ? dataLines(block.data) : displayLines(block, paint, words, diffs);
    if (isNamed || !isDiff(block) || block.path === last) return lines;
    last = block.path;
    return [paint("bold", visibleLine(block.path)), ...lines];
  });
}
