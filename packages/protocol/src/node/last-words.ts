import type { Stream } from "node:stream";

/** The most characters of standard error that are kept. */
const MOST_KEPT = 1_024;

/** Keeps the end of what a program writes to its standard error. The function returns that. */
export function lastWords(stderr: Stream | null): () => string {
  let kept = "";
  stderr?.on("data", (chunk: Buffer) => {
    kept = (kept + chunk.toString("utf8").slice(-MOST_KEPT)).slice(-MOST_KEPT);
  });
  return () => kept.trim();
}
