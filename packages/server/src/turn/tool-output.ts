import type { ToolReturnValue } from "@askwire/protocol";
import { failedToolResult } from "../requests/external-tool-call.js";

/** Bytes of a tool's result, as JSON, that fit into a message besides all else (P-LIM-4). */
const MAX_RESULT = 12 * 1024 * 1024;

/** Characters that are measured at a time. */
const PIECE = 16 * 1024;

/**
 * Cuts an output that is too long to send, and says so in it. A result that is too long in other fields, or no JSON,
 * becomes an error.
 */
export function cutToFit(value: ToolReturnValue): ToolReturnValue {
  let written: number;
  try {
    written = bytesOf(value);
  } catch (error) {
    return failedToolResult(`The tool's result cannot be sent: ${(error as Error).message}`, "Tool failed");
  }
  if (written <= MAX_RESULT) return value;
  const { output } = value;
  const room = typeof output === "string" ? MAX_RESULT - (written - bytesOf(output)) : 0;
  if (typeof output !== "string" || room <= 0) {
    const message = `The tool's result is ${written} bytes long, and at most ${MAX_RESULT} can be sent.`;
    return failedToolResult(message, "Result too long");
  }
  const kept = beginning(output, room);
  return {
    ...value,
    output: `${kept}\n[cut: the first ${kept.length} of ${output.length} characters]`,
  };
}

/** The beginning of a text in at most that many bytes, to the nearest piece. */
function beginning(text: string, bytes: number): string {
  let end = 0;
  for (let left = bytes; end < text.length; end += PIECE) {
    left -= bytesOf(text.slice(end, end + PIECE));
    if (left < 0) break;
  }
  return text.slice(0, end);
}

/** Bytes as JSON. */
const bytesOf = (value: object | string) => Buffer.byteLength(JSON.stringify(value));
