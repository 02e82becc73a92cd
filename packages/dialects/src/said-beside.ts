import type { ContentPart } from "@askwire/protocol";
import type { Ended } from "@askwire/server";

/** The person's notes on the answers: of each question, then of all of them (P-DIA-9). */
export function notesOf({ answer: { items }, outcome: { note } }: Ended): string[] {
  const notes = [...items.map((item) => item.note), note];
  return notes.filter((text): text is string => text !== undefined && text.trim() !== "");
}

/** The images of an answer. */
export const imagesOf = ({ answer: { items } }: Pick<Ended, "answer">): ContentPart[] =>
  items.flatMap(({ attachments = [] }) => attachments);
