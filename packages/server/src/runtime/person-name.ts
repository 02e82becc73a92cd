/** The most characters of an id or a name of a person. */
export const MOST_OF_NAME = 200;
/**
 * Controls, breaks of lines, halves of characters, marks that turn the text around them, and what nobody sees. Joiners
 * are letters' own within a name, and so is the mark of a picture.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u2028-\u202e\u2800]|(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}|^(?:\u200c|\u200d|\ufe0f)|(?:\u200c|\u200d)$/u;

/** Describes what is wrong with the id or the name of a person; undefined for one that can be shown. */
export function personProblem(text: string): string | undefined {
  if (text.trim() === "") return "expected a name, not an empty one";
  if (text.length > MOST_OF_NAME) return `expected at most ${MOST_OF_NAME} characters, not ${text.length}`;
  return UNSEEN.test(text)
    ? "expected no control characters, marks of direction or invisible characters"
    : undefined;
}
