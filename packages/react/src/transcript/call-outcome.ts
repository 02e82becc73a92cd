import type { TalkWords } from "@askwire/client/words";
import type { DisplayBlock, FileChange } from "@askwire/protocol";
import { differentLines } from "../cards/different-lines.js";
import { callKind } from "./call-kind.js";
import type { CallResult, EntryOf } from "./entries.js";

/** The outcome of a call, as its row says it. */
export interface CallOutcome {
  /** In a few words. Empty where there is nothing to say. */
  readonly text: string;
  /** The lines that it added to files and took out of them. Absent where it shows no difference in full. */
  readonly lines?: { readonly added: number; readonly removed: number };
  /** The blocks that the row does not say yet, in their order. */
  readonly rest: readonly DisplayBlock[];
}

/** The most characters of a tool's own short line that fit into a row. */
const BRIEF = 40;

/** The verbs of tools whose output is what they found: its lines are counted. */
const found: readonly (keyof TalkWords["did"])[] = ["read", "ran", "searched", "fetched"];

/**
 * The outcome of a call: its tool's own short line, the lines that changed, its sub-agents' calls, or lines of output.
 *
 * @param subject what it was done to, as the row says it.
 */
export function callOutcome(
  { name, inner }: Pick<EntryOf<"call">, "name" | "inner">,
  subject: string,
  result: CallResult,
  words: TalkWords,
): CallOutcome {
  const { isError } = result;
  const display = result.display.filter((block) => !repeats(block, name, subject));
  const brief = display.find((block) => isShort(briefOf(block)));
  const rest = display.filter((block) => block !== brief);
  if (brief !== undefined) return { text: words.told(briefOf(brief)), rest };
  if (isError) return { text: words.failed, rest };
  const changes = callChanges(display).filter(({ is_summary }) => !is_summary);
  if (changes.length > 0) return { text: "", lines: changedLines(changes), rest };
  const calls = inner.filter(({ kind }) => kind === "call").length;
  if (calls > 0) return { text: words.innerCalls(calls), rest };
  const { verb } = callKind(name);
  const lines = verb !== undefined && found.includes(verb) ? linesOfOutput(result).length : 0;
  return { text: lines === 0 ? "" : words.lines(lines), rest };
}

/** The changes of files among what a tool shows. */
export const callChanges = (display: readonly DisplayBlock[]): readonly FileChange[] =>
  display.flatMap((block) => (block.type === "diff" && "path" in block ? [block] : []));

/** The lines of a tool's output as text. Parts without text count for none. */
export function linesOfOutput({ output }: CallResult): readonly string[] {
  const text = output
    .filter((part) => typeof part === "string")
    .join("\n")
    .replace(/\r?\n$/, "");
  return text === "" ? [] : text.split("\n");
}

/** The short line of a tool. Empty for other blocks. */
const briefOf = (block: DisplayBlock): string =>
  block.type === "brief" && "text" in block ? block.text : "";

const isShort = (text: string): boolean => text !== "" && text.length <= BRIEF && !text.includes("\n");

/** True for a short line or a command that only names the call again. */
function repeats(block: DisplayBlock, name: string, subject: string): boolean {
  if (block.type === "shell" && "command" in block) return block.command.trim() === subject;
  const text = briefOf(block);
  return text !== "" && (text === name || (subject !== "" && text.includes(subject)));
}

function changedLines(changes: readonly FileChange[]) {
  const signs = changes.flatMap((change) => differentLines(change).map(({ sign }) => sign));
  const count = (meant: "+" | "-") => signs.filter((sign) => sign === meant).length;
  return { added: count("+"), removed: count("-") };
}
