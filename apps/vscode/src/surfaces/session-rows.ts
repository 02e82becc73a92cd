// The rows of the pick of sessions.
import type { PastChat } from "../chats/chats.js";
import { plainLabel } from "./plain-text.js";

/** The words of the rows. */
interface RowWords {
  readonly untitled: string;
  open(count: number): string;
  time(at: number): string;
}

/** The characters of an id that tell it from others. */
const ID_LENGTH = 8;

/**
 * The rows of sessions by their titles. A conversation that is not open says when it was shown last, and so does each of
 * several with the same title; where that is the same minute, each says its id as well.
 */
export function sessionRows(sessions: readonly PastChat[], words: RowWords) {
  const rows = sessions.map(({ id, title, at, chat }) => {
    const open = chat?.open().length ?? 0;
    const label = plainLabel(title || words.untitled);
    return { id, label, at, time: words.time(at), isHere: chat !== undefined, open };
  });
  return rows.map((row) => {
    const alike = rows.filter(({ label }) => label === row.label);
    const facts = [
      ...(row.open > 0 ? [words.open(row.open)] : []),
      ...(!row.isHere || alike.length > 1 ? [row.time] : []),
      ...(alike.filter(({ time }) => time === row.time).length > 1 ? [row.id.slice(0, ID_LENGTH)] : []),
    ];
    return { label: row.label, description: facts.join(" · "), value: row.id };
  });
}
