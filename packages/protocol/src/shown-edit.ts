import type { ApprovalEdit } from "./messages/approval-options.js";
import type { DisplayBlock, DisplayBlockInput } from "./messages/display.js";

/** The parts of an approval that show a person what will be done. */
interface Shown<Block> {
  readonly description: string;
  readonly display: readonly Block[];
  readonly edit?: Pick<ApprovalEdit, "content" | "path" | "language"> | undefined;
}

/**
 * The display of an approval, with the text that may be changed as one block more where nothing else shows it: what
 * will be run, written or sent is in sight before anybody asks to change it (P-XAO-3).
 */
export function withEditShown<Block extends DisplayBlock | DisplayBlockInput>({
  description,
  display,
  edit,
}: Shown<Block>): readonly (Block | Extract<DisplayBlock, { command: string }>)[] {
  if (edit === undefined || edit.content.trim() === "") return display;
  const { content, language = "text" } = edit;
  const isShown = says(description, content) || display.some((block) => showsEdit(block, edit));
  return isShown ? display : [...display, { type: "shell", language, command: content }];
}

/** True if a sentence has a text of one line whole, and not as a part of other words. */
export function says(sentence: string, text: string): boolean {
  const at = text.includes("\n") ? -1 : sentence.indexOf(text);
  if (at === -1) return false;
  const around = [sentence[at - 1] ?? " ", sentence[at + text.length] ?? " "];
  return around.every((character) => !/[\p{L}\p{N}_./\\-]/u.test(character));
}

/** True for a block that shows the text which may be changed. */
export function showsEdit(
  block: DisplayBlock | DisplayBlockInput,
  { content, path }: Pick<ApprovalEdit, "content" | "path">,
): boolean {
  const { type, command, text, new_text, path: of } = block as Record<string, unknown>;
  if (type === "shell") return command === content;
  if (type === "brief") return String(text).includes(content);
  // A change of the file, which may leave out lines that stay, or give its size alone.
  return type === "diff" && (String(new_text).includes(content) || isSameFile(String(of), path));
}

/** True for one file by two paths, of which one may be relative. */
function isSameFile(one: string, other = ""): boolean {
  if (one === "" || other === "") return false;
  const [short, long] = [one, other].sort((a, b) => a.length - b.length) as [string, string];
  return long === short || long.endsWith(`/${short}`) || long.endsWith(`\\${short}`);
}
