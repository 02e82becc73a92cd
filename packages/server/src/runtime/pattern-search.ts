import { boundedTime } from "./bounded-time.js";

/** The time for one search, in milliseconds. */
const SEARCH_MS = 50;

/**
 * Makes a search for a pattern that others wrote. A search that takes longer than 50 ms finds nothing.
 *
 * @throws SyntaxError for a text that is no pattern.
 */
export function patternSearch(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern, "u");
  const within = boundedTime(SEARCH_MS);
  return (text) => {
    let found = false;
    const isFinished = within(() => {
      found = expression.test(text);
    });
    return isFinished && found;
  };
}
