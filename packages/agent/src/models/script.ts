import { ContentPart, describeIssues, ToolCall } from "@askwire/protocol";
import * as z from "@askwire/protocol/internal";
import { ModelError, type ModelPart } from "@askwire/server";

/** The mistake of a script, and its line, from 1. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** A line of a script as read: a part of the model's answer, or the provider's error. */
export type ScriptStep = ModelPart | { type: "error"; error: ModelError };

const media = (kind: "image_url" | "audio_url" | "video_url") => (payload: string) => {
  const value =
    payload.startsWith("{") || /^(url|id)=/.test(payload) ? readObject(payload) : { url: payload };
  return content({ type: kind, [kind]: value });
};

const CallLine = z.object({
  id: z.string(),
  name: z.optional(z.string()),
  arguments: z.optional(z.nullable(z.string())),
  function: z.optional(z.object({ name: z.string(), arguments: z.optional(z.nullable(z.string())) })),
  extras: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
});
const tokenCount = z.coerce.number().check(z.refine(Number.isInteger, "a whole number"));
const Usage = z.object({
  input_other: z._default(tokenCount, 0),
  output: z._default(tokenCount, 0),
  input_cache_read: z._default(tokenCount, 0),
  input_cache_creation: z._default(tokenCount, 0),
});

/** Every kind of line, with how its payload is read. The key is the word before the colon. */
const kinds = {
  text: (payload) => content({ type: "text", text: unquote(payload) }),
  think: (payload) => content({ type: "think", think: unquote(payload) }),
  image_url: media("image_url"),
  audio_url: media("audio_url"),
  video_url: media("video_url"),
  tool_call: (payload) => {
    const line = check(CallLine, readObject(payload));
    const call = line.function ?? { name: line.name, arguments: line.arguments };
    return {
      type: "tool_call",
      call: check(ToolCall, { id: line.id, function: call, extras: line.extras ?? null }),
    };
  },
  tool_call_part: (payload) => {
    const value = readValue(payload);
    const isPart = typeof value === "object" && value !== null && "arguments_part" in value;
    const part = isPart ? (value as { arguments_part: unknown }).arguments_part : value;
    return {
      type: "tool_call_part",
      arguments_part:
        part === null || part === "" ? null : typeof part === "string" ? part : JSON.stringify(part),
    };
  },
  id: (payload) => ({ type: "message_id", id: unquote(payload) }),
  usage: (payload) => ({ type: "usage", usage: check(Usage, readObject(payload)) }),
  error: (payload) => ({ type: "error", error: readError(payload) }),
} satisfies Record<string, (payload: string) => ScriptStep>;

/**
 * Reads a script: lines `kind: payload`, one model call in all. Blank lines, `#` lines, fences and a line `echo` are
 * skipped (kinds: the table above).
 *
 * @throws ScriptError with the wrong line and the expected text.
 */
export function readScript(script: string): ScriptStep[] {
  const steps: ScriptStep[] = [];
  for (const [index, raw] of script.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith("```") || line === "echo") continue;
    const colon = line.indexOf(":");
    if (colon === -1)
      throw new ScriptError(index + 1, `expected "kind: payload", found ${JSON.stringify(line)}`);
    const kind = line.slice(0, colon).trim();
    if (!Object.hasOwn(kinds, kind)) {
      const known = Object.keys(kinds).join(", ");
      throw new ScriptError(index + 1, `unknown kind ${JSON.stringify(kind)}: expected one of ${known}`);
    }
    try {
      steps.push(kinds[kind as keyof typeof kinds](line.slice(colon + 1).trim()));
    } catch (error) {
      throw new ScriptError(index + 1, `${kind}: ${(error as Error).message}`);
    }
  }
  return steps;
}

const content = (part: unknown): ModelPart => ({ type: "content", part: check(ContentPart, part) });

function check<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(describeIssues(parsed.error.issues));
  return parsed.data;
}

function unquote(payload: string): string {
  const quote = payload[0];
  const quoted = payload.length >= 2 && (quote === '"' || quote === "'") && payload.endsWith(quote);
  return quoted ? payload.slice(1, -1) : payload;
}

/** An object as JSON, or as `key=value` tokens with optional quotes. */
function readObject(payload: string): Record<string, unknown> {
  const value = payload.startsWith("{") ? readJson(payload) : readTokens(payload);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("expected an object");
  return value as Record<string, unknown>;
}

function readValue(payload: string): unknown {
  if (/^[{["]|^(null|true|false|-?\d+(\.\d+)?)$/.test(payload)) {
    try {
      return JSON.parse(payload);
    } catch {
      return payload;
    }
  }
  return payload.startsWith("arguments_part=") ? readTokens(payload) : payload;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`expected JSON (${(error as Error).message.replace(/\s+/g, " ")})`);
  }
}

function readTokens(payload: string): Record<string, unknown> {
  const token = /[^\s=]+=(?:"(?:[^"\\]|\\.)*"|'[^']*'|\S*)/g;
  const tokens = payload.match(token) ?? [];
  if (tokens.length === 0) throw new Error("expected a JSON object or key=value tokens");
  const rest = payload.replace(token, "").trim();
  if (rest !== "") throw new Error(`expected key=value tokens, found ${JSON.stringify(rest)}`);
  return Object.fromEntries(
    tokens.map((token) => {
      const equals = token.indexOf("=");
      const value = token.slice(equals + 1);
      return [
        token.slice(0, equals),
        value.startsWith('"') ? readJson(value) : value === "null" ? null : unquote(value),
      ];
    }),
  );
}

function readError(payload: string): ModelError {
  const [kind = "", ...rest] = payload.split(/\s+/);
  const message = rest.join(" ");
  if (kind === "connection" || kind === "timeout") return new ModelError(kind, message || `${kind} error`);
  const status = Number(kind);
  if (kind === "" || !Number.isInteger(status))
    throw new Error('expected "<status> [message]", "connection [message]" or "timeout [message]"');
  return new ModelError("status", message || `HTTP status ${status}`, status);
}
