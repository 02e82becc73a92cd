/** The most characters of an agent's words that the log takes in a while, and that while in milliseconds. */
const MOST = 100_000;
const WHILE_MS = 10_000;

/** Hands on what an agent writes to its standard error. A flood is cut, and the log says so. */
export function boundedLog(
  log: (line: string) => void,
  now: () => number = Date.now,
): (text: string) => void {
  let since = now();
  let [taken, leftOut] = [0, 0];
  return (text) => {
    if (now() - since >= WHILE_MS) {
      if (leftOut > 0) log(`[${leftOut} characters of the agent were left out]`);
      since = now();
      [taken, leftOut] = [0, 0];
    }
    const fits = text.slice(0, MOST - taken);
    if (fits !== "") log(fits);
    taken += fits.length;
    if (leftOut === 0 && fits.length < text.length) log("[the agent floods the log: its words are left out]");
    leftOut += text.length - fits.length;
  };
}
