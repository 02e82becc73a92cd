import { spawn } from "@lydell/node-pty";

/** The time limit of a program for a frame, in milliseconds. */
const PATIENCE_MS = 10_000;
/** Codes that colour a text, which may stand within the awaited words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one.
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Runs a program in a terminal, and reads its output as text. @param {readonly string[]} args */
export function inTerminal(args) {
  const child = spawn(process.execPath, [...args], {
    cols: 80,
    rows: 24,
    name: "xterm-256color",
    env: { ...process.env, LC_ALL: "C.UTF-8", TERM: "xterm-256color" },
  });
  let text = "";
  let bytes = 0;
  let look = () => {};
  child.onData((data) => {
    text += data.replace(COLOURS, "");
    bytes += Buffer.byteLength(data);
    look();
  });
  return {
    child,
    bytes: () => bytes,
    /** Resolves once the program has written this since the last time. @param {string} mark */
    written: (mark) =>
      /** @type {Promise<void>} */ (
        new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`no "${mark}" in: ${text}`)), PATIENCE_MS);
          look = () => {
            if (!text.includes(mark)) return;
            text = "";
            clearTimeout(timer);
            resolve();
          };
          look();
        })
      ),
  };
}
