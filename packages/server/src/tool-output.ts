import type { ToolReturnValue } from "@askwire/protocol";

/** Bytes of a tool's result, as JSON, that fit into a message beside all else (P-LIM-4). */
const MAX_RESULT = 12 * 1024 * 1024;

/** Cuts an output that is too long to send, and says so in it; a result that is too long otherwise is an error. */
export function cutToFit(value: ToolReturnValue): ToolReturnValue {
  const written = Buffer.byteLength(JSON.stringify(value));
  if (written <= MAX_RESULT) return value;
  const { output } = value;
  const outputBytes = typeof output === "string" ? Buffer.byteLength(JSON.stringify(output)) : 0;
  const room = MAX_RESULT - (written - outputBytes);
  if (typeof output !== "string" || room <= 0) {
    const message = `The tool's result is ${written} bytes long, and at most ${MAX_RESULT} can be sent.`;
    return { is_error: true, output: "", message, display: [], extras: null };
  }
  const kept = Math.floor((output.length * room) / outputBytes);
  return {
    ...value,
    output: `${output.slice(0, kept)}\n[cut: the first ${kept} of ${output.length} characters]`,
  };
}
