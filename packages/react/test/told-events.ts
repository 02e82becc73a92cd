import { type EventType, events, type Unrecognized, validate, type WireEvent } from "@askwire/protocol";
import { type Entry, type TranscriptOptions, transcript } from "../src/index.js";

/** An event as the client hands it over: with its defaults. */
export function event<T extends EventType>(type: T, payload: object = {}): WireEvent {
  const parsed = validate(events[type], payload);
  if (!parsed.ok) throw new Error(parsed.problem);
  return { type, payload: parsed.value } as WireEvent;
}

export const say = (text: string) => event("ContentPart", { type: "text", text });
export const think = (text: string) => event("ContentPart", { type: "think", think: text });
export const begin = (user_input: string, turn_id = "t1", by?: string) =>
  event("TurnBegin", { user_input, turn_id, ...(by && { by: { name: by, connection: "c" } }) });
export const end = (fields: object = {}) =>
  event("TurnEnd", { turn_id: "t1", status: "finished", ...fields });
export const call = (id: string, name: string, args: string) =>
  event("ToolCall", { id, function: { name, arguments: args } });
export const result = (id: string, output: string, fields: object = {}) =>
  event("ToolResult", {
    tool_call_id: id,
    return_value: { is_error: false, output, message: "", display: [], ...fields },
  });
export const outcome = { status: "answered", by: "human", at: "2026-11-24T00:00:00Z" } as const;
export const settled = (request_id: string, kind: string, response?: unknown, of: object = outcome) =>
  ({ type: "InteractionSettled", payload: { request_id, kind, outcome: of, response } }) as WireEvent;

/** A store whose listeners are told at once. */
export const atOnce = (options: TranscriptOptions = {}) =>
  transcript({ onFrame: (redraw) => redraw(), ...options });

/** The entries after these live events, without their keys. */
export function shown(...told: (WireEvent | Unrecognized)[]) {
  const store = atOnce();
  for (const one of told) store.handlers.event(one);
  return plain(store.current().entries);
}

export const plain = (entries: readonly Entry[]): object[] =>
  entries.map(({ key: _, isOpen: __, ...entry }) =>
    entry.kind === "call" ? { ...entry, inner: plain(entry.inner) } : entry,
  );

export const imagePart = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
