// The parts of a card that a pick has no room for, as a text. No editor here.
import type { ApprovalView } from "@askwire/client";
import { withEditShown } from "@askwire/client/text";
import type { CoreQuestion, DisplayBlock } from "@askwire/protocol";

/** The most characters of a text that a title or a row shows whole. */
const ROOM = 80;

const isLong = (text: string) => text.length > ROOM || text.includes("\n");

const paragraphs = (...parts: readonly string[]) => parts.filter((part) => part !== "").join("\n\n");

/** The body of a question, the previews of its options, and what is too long for the pick. Empty without any. */
export function restOfQuestion({ question, body, options }: CoreQuestion): string {
  const rows = options.map(({ label, description, preview = "" }) => {
    const rest = paragraphs(isLong(description) ? description : "", preview);
    return rest === "" && !isLong(label) ? "" : paragraphs(`${label}:`, rest);
  });
  return paragraphs(isLong(question) ? question : "", body, ...rows);
}

/** The parts of an approval that the diff editor does not show. Empty without any. */
export function restOfApproval(approval: ApprovalView): string {
  const { description } = approval;
  return paragraphs(isLong(description) ? description : "", ...withEditShown(approval).map(textOf));
}

function textOf(block: DisplayBlock): string {
  if ("data" in block) return JSON.stringify(block.data, null, 2) ?? "";
  switch (block.type) {
    case "diff":
      return block.is_summary ? [block.path, block.old_text, block.new_text].join("\n") : "";
    case "shell":
      return block.command;
    case "brief":
      return block.text;
    case "background_task":
      return `${block.description} (${block.status})`;
    case "todo":
      return block.items.map(({ title, status }) => `- ${title} (${status})`).join("\n");
  }
}
