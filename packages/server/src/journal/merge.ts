import type { RequestPayloadInput, WireEventInput } from "@askwire/protocol";

/** A message on the wire of a turn, as broadcast. */
export type WireMessage =
  | WireEventInput
  | { type: "QuestionRequest"; payload: RequestPayloadInput<"QuestionRequest"> }
  | { type: "ToolCallRequest"; payload: RequestPayloadInput<"ToolCallRequest"> };

/** Puts the pieces of a stream together again. */
export interface Merger {
  push(message: WireMessage): void;
  /** Hands on the message that might still have grown. */
  flush(): void;
}

/** The growth at which a merged message is handed on, in characters. Further pieces begin another message. */
const MOST_ADDED = 1024 * 1024;

/**
 * Hands messages on in order, and merges adjacent pieces (P-JRN-3). Merged are texts, thoughts up to an encrypted
 * piece, and the arguments of a call. Pure but for `write`. The given messages stay unchanged.
 */
export function merger(write: (message: WireMessage) => void): Merger {
  let growing: WireMessage | undefined;
  let added = 0;

  function flush(): void {
    if (growing === undefined) return;
    const whole = growing;
    growing = undefined;
    added = 0;
    write(whole);
  }

  return {
    flush,
    push(message) {
      const more = growing === undefined ? undefined : grow(growing, message);
      if (more !== undefined) {
        added += more;
        if (added >= MOST_ADDED) flush();
        return;
      }
      flush();
      growing = copyIfItGrows(message);
      if (growing === undefined) write(message);
    },
  };
}

function copyIfItGrows(message: WireMessage): WireMessage | undefined {
  const { type, payload } = message;
  switch (type) {
    case "ContentPart":
      return payload.type === "text" || payload.type === "think"
        ? { type, payload: { ...payload } }
        : undefined;
    case "ToolCall":
      return { type, payload: { ...payload, function: { ...payload.function } } };
    case "ToolCallPart":
      return { type, payload: { ...payload } };
    default:
      return undefined;
  }
}

/** Adds a piece to its message. Returns the number of characters, or undefined if the piece does not belong there. */
function grow(whole: WireMessage, piece: WireMessage): number | undefined {
  if (whole.type === "ContentPart" && piece.type === "ContentPart") {
    return growContent(whole.payload, piece.payload);
  }
  if (piece.type !== "ToolCallPart" || !hasOnly(piece.payload, 1)) return undefined;
  const part = piece.payload.arguments_part ?? null;
  if (whole.type === "ToolCall") {
    const call = whole.payload.function;
    call.arguments = joined(call.arguments ?? null, part);
  } else if (whole.type === "ToolCallPart") {
    whole.payload.arguments_part = joined(whole.payload.arguments_part ?? null, part);
  } else return undefined;
  return part?.length ?? 0;
}

type Content = Extract<WireMessage, { type: "ContentPart" }>["payload"];

function growContent(whole: Content, piece: Content): number | undefined {
  if (whole.type === "text" && piece.type === "text" && hasOnly(piece, 2)) {
    whole.text += piece.text;
    return piece.text.length;
  }
  if (whole.type === "think" && piece.type === "think" && !whole.encrypted && hasOnly(piece, 3)) {
    whole.think += piece.think;
    if (piece.encrypted) whole.encrypted = piece.encrypted;
    return piece.think.length;
  }
  return undefined;
}

const joined = (text: string | null, part: string | null) =>
  text === null || part === null ? (text ?? part) : text + part;

/** True if a piece has no further fields. Merging would lose unknown fields. */
const hasOnly = (piece: object, fields: number) => Object.keys(piece).length <= fields;
