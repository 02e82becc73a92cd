import type { ModelPart } from "@askwire/server";

/** A call that streams, or a part between calls, in its place of the answer. */
interface Place {
  readonly unsent: ModelPart[];
  /** The arguments so far. */
  text: string;
  ended: boolean;
}

/**
 * Puts a provider's stream into the order of our parts (P-MOD-1). A piece of arguments names no call, so nothing may
 * come between the pieces of a call. Other parts wait, such as a second call that streams at the same time. Every
 * function returns the parts that may pass.
 */
export function partSequence() {
  const calls = new Map<string, Place>();
  /** The first one speaks. */
  let places: Place[] = [];

  function add(place: Place): ModelPart[] {
    const [first] = places;
    // Many providers end all calls only with the answer.
    if (first !== undefined && isJsonObject(first.text)) first.ended = true;
    places.push(place);
    return take();
  }

  function take(): ModelPart[] {
    const speaking = places.findIndex(({ ended }) => !ended);
    const free = speaking === -1 ? places : places.slice(0, speaking + 1);
    places = speaking === -1 ? [] : places.slice(speaking);
    return free.flatMap(({ unsent }) => unsent.splice(0));
  }

  return {
    /** A part that is no call. */
    part: (part: ModelPart) => add({ unsent: [part], text: "", ended: true }),
    /** A call begins. */
    begin(id: string, name: string, extras: Record<string, unknown> | null): ModelPart[] {
      const call = { type: "function" as const, id, function: { name, arguments: null }, extras };
      const place: Place = { unsent: [{ type: "tool_call", call }], text: "", ended: false };
      calls.set(id, place);
      return add(place);
    },
    has: (id: string) => calls.has(id),
    /** Adds a piece of a call's arguments, unchanged (P-MOD-2). Text after complete arguments is left out. */
    more(id: string, arguments_part: string): ModelPart[] {
      const place = calls.get(id);
      if (place === undefined || place.ended || arguments_part === "") return [];
      place.text += arguments_part;
      place.unsent.push({ type: "tool_call_part", arguments_part });
      return take();
    },
    end(id: string): ModelPart[] {
      const place = calls.get(id);
      if (place !== undefined) place.ended = true;
      return take();
    },
  };
}

function isJsonObject(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
