import type { IncomingMessage } from "node:http";
import type { Clock } from "../runtime/clock.js";

/** An answer to a request with JSON: its status and an object to send as JSON. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: object;
}

/** The time for a request's body to arrive, in milliseconds. */
const BODY_MS = 5_000;

/** An answer that says in `error` why a request was refused. */
export const refusal = (status: number, error: string): JsonAnswer => ({ status, body: { error } });

/** True for a request that says it carries JSON, which no form of a foreign page can. */
export const isJson = ({ headers }: IncomingMessage): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "");

/**
 * Reads the JSON of a request's body; another text is undefined.
 *
 * @param most the most bytes that are taken.
 * @returns the value, or the refusal of a body that is too long or comes too slowly.
 */
export async function readJson(
  request: IncomingMessage,
  { clock, most }: { readonly clock: Clock; readonly most: number },
): Promise<{ readonly value: unknown } | JsonAnswer> {
  const text = await bodyOf(request, clock, most);
  if (text === 413) return refusal(413, `send at most ${most} bytes`);
  if (text === 408) return refusal(408, "the request came too slowly: try again");
  return { value: parsed(text) };
}

/** The text of a request's body, or the status to refuse it with. */
function bodyOf(request: IncomingMessage, clock: Clock, most: number): Promise<string | 408 | 413> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const inTime = clock.after(BODY_MS, () => end(408));
    function end(result: string | 408 | 413): void {
      inTime();
      request.off("data", take);
      resolve(result);
    }
    function take(piece: Buffer): void {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > most) end(413);
    }
    request.on("data", take);
    request.once("end", () => end(Buffer.concat(pieces).toString()));
    request.once("close", () => end(408));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
