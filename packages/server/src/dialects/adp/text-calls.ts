import type { InText, ModelPart } from "../../agent/model.js";
import { uuid } from "../../runtime/uuid.js";
import type { Catalogue } from "./catalogue.js";
import type { TextEvent } from "./text-event.js";
import { textScanner } from "./text-scanner.js";
import { type HeldCall, type OpenQuery, type WrittenCalls, writtenCalls } from "./written-calls.js";

/** UTF-16 units of text after a call that wait with it. */
const MAX_HELD = 64 * 1024;
/** The text by which a model runs its calls. */
const EXECUTE = "\n<execute_tools />";

/**
 * Reads queries and calls that a model writes as elements in its text (P-ADP-3 to P-ADP-7).
 *
 * @param newId makes the id of a call. Default: a UUID.
 */
export function textCalls(
  catalogue: Pick<Catalogue, "service" | "find">,
  result: InText["result"],
  newId: () => string = uuid,
): InText {
  const inText: InText = {
    result,
    async *read(parts) {
      const message = messageReader(catalogue, writtenCalls(catalogue, inText, newId));
      for await (const part of parts) {
        if (part.type === "message_id" || part.type === "usage") yield part;
        else if (part.type === "content" && part.part.type === "text") yield* message.text(part.part.text);
        else yield* message.other(part);
        // Whoever stops reading stops the model (P-18).
        if (message.ended) return;
      }
      yield* message.end();
    },
  };
  return inText;
}

/** Decides which parts of a message are said, run and dropped. */
function messageReader(catalogue: Pick<Catalogue, "service" | "find">, calls: WrittenCalls) {
  const scanner = textScanner(catalogue);
  let query: OpenQuery | undefined;
  /** The held calls and all later parts, which run unless a query follows. */
  let held: (HeldCall | ModelPart)[] = [];
  let heldText = 0;
  /** A result was taken out, which the next call tells. */
  let stripped = false;
  let ended = false;

  /** Sends the open query, once the text after it is known. */
  function* tell(): Generator<ModelPart> {
    if (query !== undefined) yield* calls.query(query);
    query = undefined;
  }

  /** Ends the message with the open query, and drops the rest (P-17). */
  function* cut(open: OpenQuery, notExecuted?: string): Generator<ModelPart> {
    if (notExecuted !== undefined) open.notExecuted.push(notExecuted);
    open.space = "";
    ended = true;
    yield* tell();
  }

  /** Sends the held parts, and runs their calls. */
  function* release(execute?: string): Generator<ModelPart> {
    const items = held;
    held = [];
    heldText = 0;
    const last = items.at(-1);
    if (last === undefined) return;
    if (isCall(last)) last.after = execute === undefined ? "" : last.after + execute;
    for (const item of items) {
      if (isCall(item)) yield* calls.call(item);
      else yield item;
    }
    if (execute === undefined) {
      // The model reads the text even if it forgot to write it (P-19).
      if (items.some((item) => isCall(item) && calls.runs(item.written))) yield written(EXECUTE);
    } else if (!isCall(last)) yield written(execute);
  }

  function* finish(execute?: string): Generator<ModelPart> {
    ended = true;
    yield* release(execute);
  }

  function* say(text: string): Generator<ModelPart> {
    const last = held.at(-1);
    if (last === undefined) {
      yield said(text);
      return;
    }
    heldText += text.length;
    if (!isCall(last)) held.push(said(text));
    else {
      last.after += text;
      if (last.after.trim() !== "") {
        held.push(said(last.after));
        last.after = "";
      }
    }
    // Waiting ends here: all calls that end here run.
    if (heldText > MAX_HELD) yield* finish();
  }

  /** A query takes the place of the calls before it: they are not run. */
  function* open(event: Extract<TextEvent, { type: "query" }>): Generator<ModelPart> {
    yield* tell();
    query = { raw: event.raw, query: event.query, notExecuted: [], stripped, space: "" };
    stripped = false;
    for (const item of held) {
      if (isCall(item)) {
        query.notExecuted.push(calls.nameOf(item.written));
        query.stripped ||= item.stripped;
        yield written(item.written.raw + item.after);
      } else yield item;
    }
    held = [];
    heldText = 0;
  }

  function* on(event: TextEvent): Generator<ModelPart> {
    switch (event.type) {
      case "text":
        if (query === undefined) yield* say(event.text);
        else if (event.text.trim() === "") query.space += event.text;
        else yield* cut(query);
        return;
      case "call-begins":
        if (query !== undefined) yield* cut(query, calls.nameOf(event));
        return;
      case "call":
        held.push({ written: event, stripped, after: "" });
        stripped = false;
        if (event.body === undefined) yield* finish();
        return;
      case "execute":
        if (query !== undefined) query.space += event.raw;
        else if (held.length > 0) yield* finish(event.raw);
        else yield written(event.raw);
        return;
      case "result-begins": {
        const last = query ?? held.findLast(isCall);
        if (last !== undefined) last.stripped = true;
        if (query !== undefined) yield* cut(query);
        else if (held.length > 0) yield* finish();
        return;
      }
      case "result":
        stripped = true;
        return;
      case "query":
        yield* open(event);
    }
  }

  function* all(events: Iterable<TextEvent>): Generator<ModelPart> {
    for (const event of events) {
      yield* on(event);
      if (ended) return;
    }
  }

  return {
    /** True if the rest of the message is not read. */
    get ended() {
      return ended;
    },
    text: (text: string) => all(scanner.more(text)),
    *other(part: ModelPart): Generator<ModelPart> {
      yield* all(scanner.end());
      if (ended) return;
      if (query !== undefined) {
        yield* cut(query, part.type === "tool_call" ? part.call.function.name : undefined);
      } else if (held.length > 0) held.push(part);
      else yield part;
    },
    *end(): Generator<ModelPart> {
      yield* all(scanner.end());
      if (ended) return;
      if (query !== undefined) query.space = "";
      yield* tell();
      yield* release();
    },
  };
}

const said = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
const written = (text: string): ModelPart => ({ type: "written", text });

const isCall = (item: HeldCall | ModelPart): item is HeldCall => !("type" in item);
