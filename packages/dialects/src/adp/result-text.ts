import type { ContentPart, ToolCall, ToolReturnValue } from "@askwire/protocol";
import { isObject } from "@askwire/server/internal";

const NOTHING = "No action was performed or no result was returned.";

/** The result of a call in the model's text: one `<result>`, then the parts that are no text (P-ADP-8). */
export function resultInText({ extras }: Pick<ToolCall, "extras">, value: ToolReturnValue): ContentPart[] {
  const { output, message } = value;
  const parts: ContentPart[] = typeof output === "string" ? [{ type: "text", text: output }] : output;
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const text = [message, ...texts].filter((part) => part.trim() !== "").join("\n");
  const whole = withNotExecuted(text === "" ? NOTHING : text, extras);
  return [
    { type: "text", text: `<result>\n${framed(whole)}\n</result>` },
    ...parts.filter(({ type }) => type !== "text"),
  ];
}

/** Says of calls next to a query that nothing was done: in its JSON, or after its text (P-17). */
function withNotExecuted(text: string, extras: ToolCall["extras"]): string {
  const calls = extras?.not_executed;
  if (!Array.isArray(calls) || calls.length === 0) return text;
  const note =
    extras?.unread === true
      ? "This call could not be read, so it was not executed. Write it anew in your next message, whole and by these parameters."
      : "These calls were not executed: a message that asks for parameters executes nothing. Make them in your next message.";
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return JSON.stringify({ ...value, not_executed: calls, note }, null, 2);
  } catch {}
  return `${text}\n\nNot executed: ${calls.join(", ")}\n${note}`;
}

/** A tool's output ends with its frame. */
const framed = (text: string) => text.replace(/<\/(?=result\s*>)/g, "<\\/");
