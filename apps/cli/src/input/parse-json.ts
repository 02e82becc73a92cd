import { usageFailure } from "./failure.js";

/**
 * Parses JSON.
 *
 * @param source the name for messages.
 * @throws Failure of one line that names the source.
 */
export function parseJson(json: string, source: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    // The message quotes the text with its line feeds.
    throw usageFailure(`${source}: expected JSON (${(error as Error).message.replace(/\s+/g, " ")})`);
  }
}
