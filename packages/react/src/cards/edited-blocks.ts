import type { ApprovalView } from "@askwire/client";
import { showsEdit, withEditShown } from "@askwire/client/text";
import type { DisplayBlock, FileChange } from "@askwire/protocol";
import { structuredPatch } from "diff";

/** The parts of what an approval shows: those around the text that may be changed, and those that show it. */
export interface ShownParts {
  readonly before: readonly DisplayBlock[];
  /** The blocks that show the text. Empty where the description says it. */
  readonly edit: readonly DisplayBlock[];
  readonly after: readonly DisplayBlock[];
}

/** What an approval shows, with the text as the person has changed it. A block that shows the agent's is no longer there. */
export function shownParts({ edit, ...request }: ApprovalView, text: string | undefined): ShownParts {
  const blocks = withEditShown({ ...request, edit });
  if (edit === undefined) return { before: blocks, edit: [], after: [] };
  const isOfIt = (block: DisplayBlock) => showsEdit(block, edit);
  const first = blocks.findIndex(isOfIt);
  const at = first === -1 ? blocks.length : first;
  const own = blocks.filter(isOfIt);
  return {
    before: blocks.slice(0, at),
    edit: text === undefined || text === edit.content ? own : withText(own, edit, text),
    after: blocks.slice(at).filter((block) => !isOfIt(block)),
  };
}

type Edit = NonNullable<ApprovalView["edit"]>;
type Change = FileChange & { readonly type: "diff" };

const isChange = (block: DisplayBlock): block is Change => block.type === "diff" && "old_text" in block;

/** The blocks of another text: what it runs, or how it differs from the file; else how it differs from the agent's. */
function withText(
  blocks: readonly DisplayBlock[],
  { content, path = "" }: Edit,
  text: string,
): DisplayBlock[] {
  const [only] = blocks;
  if (blocks.length === 1 && only?.type === "shell" && "command" in only) return [{ ...only, command: text }];
  const changes = blocks.filter(isChange);
  const old = changes.length === blocks.length ? textBefore(changes, content) : undefined;
  return differences(changes[0]?.path ?? path, old ?? content, text);
}

/** The text of a file before its changes. Undefined where they do not say it. */
function textBefore(changes: readonly Change[], content: string): string | undefined {
  const [only] = changes;
  if (only === undefined || changes.some(({ is_summary }) => is_summary)) return undefined;
  if (changes.length === 1 && only.new_text === content) return only.old_text;
  const lines = linesOf(content);
  for (const { old_text, new_text, new_start } of [...changes].sort((a, b) => b.new_start - a.new_start)) {
    const now = linesOf(new_text);
    const at = Math.max(0, new_start - 1);
    if (lines.slice(at, at + now.length).join("\n") !== now.join("\n")) return undefined;
    lines.splice(at, now.length, ...linesOf(old_text));
  }
  return lines.join("\n") + (content.endsWith("\n") ? "\n" : "");
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

/** Lines of context around a change, and the most changed lines for which a difference is searched. */
const LOOKED_AT = { context: 3, maxEditLength: 2_000 };

/** How two texts of a file differ, a block for each place. */
function differences(path: string, before: string, after: string): Change[] {
  const change = (old_text: string, new_text: string, old_start: number, new_start: number): Change => ({
    ...{ type: "diff", path, old_text, new_text, old_start, new_start, is_summary: false },
  });
  const patch = structuredPatch("", "", before, after, "", "", LOOKED_AT);
  if (patch === undefined) return [change(before, after, 1, 1)];
  return patch.hunks.map(({ lines, oldStart, newStart }) => {
    const side = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign) || line.startsWith(" "))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    return change(side("-"), side("+"), oldStart, newStart);
  });
}
