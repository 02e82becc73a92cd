const url = JSON.stringify(new URL("../dist/node/index.js", import.meta.url).href);

/**
 * The beginning of a program that is only text, for `node -e`: `hearLines(hear)` calls `hear` with each line of its
 * input. `readline` would end lines at U+2028 too.
 */
export const HEARS_LINES = `
  const hearLines = (hear) => import(${url}).then(({ onLines }) => onLines(process.stdin, hear));
`;

/** The same for a module, which takes the lines by `for await (const line of textLines(process.stdin))`. */
export const TAKES_LINES = `
  import { textLines } from ${url};
`;
