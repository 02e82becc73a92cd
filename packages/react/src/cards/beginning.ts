/** The most characters of words on a button or a fold. */
const MOST_SAID = 60;

/** The beginning of words that stand whole elsewhere. */
export const beginning = (text: string): string =>
  text.length <= MOST_SAID ? text : `${text.slice(0, MOST_SAID - 1)}…`;
