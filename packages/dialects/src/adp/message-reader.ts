import type { ModelPart } from "@askwire/server";
import type { Catalogue } from "./catalogue.js";
import { HeldParts, isCall, textPart } from "./held-parts.js";
import type { TextEvent, WrittenCall } from "./text-event.js";
import { TextScanner } from "./text-scanner.js";
import type { OpenQuery, WrittenCalls } from "./written-calls.js";

/** The text by which a model runs its calls. */
const EXECUTE = "\n<execute_tools />";

/** Decides which parts of a message are said, run and dropped. */
export class MessageReader {
  readonly #scanner: TextScanner;
  readonly #calls: WrittenCalls;
  #query: OpenQuery | undefined;
  readonly #held = new HeldParts();
  /** True after a result was taken out, which the next call reports. */
  #isStripped = false;
  #hasEnded = false;

  constructor(catalogue: Pick<Catalogue, "service" | "find">, calls: WrittenCalls) {
    this.#scanner = new TextScanner(catalogue);
    this.#calls = calls;
  }

  /** True if the rest of the message is not read. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  text(text: string): Generator<ModelPart> {
    return this.#all(this.#scanner.more(text));
  }

  *other(part: ModelPart): Generator<ModelPart> {
    yield* this.#all(this.#scanner.end());
    if (this.#hasEnded) return;
    if (this.#query !== undefined) {
      yield* this.#cut(this.#query, part.type === "tool_call" ? part.call.function.name : undefined);
    } else if (this.#held.isEmpty) yield part;
    else this.#held.add(part);
  }

  *end(): Generator<ModelPart> {
    yield* this.#all(this.#scanner.end());
    if (this.#hasEnded) return;
    if (this.#query !== undefined) this.#query.space = "";
    yield* this.#tell();
    yield* this.#release();
  }

  *#all(events: Iterable<TextEvent>): Generator<ModelPart> {
    for (const event of events) {
      yield* this.#on(event);
      if (this.#hasEnded) return;
    }
  }

  *#on(event: TextEvent): Generator<ModelPart> {
    switch (event.type) {
      case "text":
        return yield* this.#say(event.text);
      case "call-begins":
        if (this.#query !== undefined) yield* this.#cut(this.#query, this.#calls.nameOf(event));
        return;
      case "call":
        return yield* this.#hold(event);
      case "execute":
        return yield* this.#execute(event.raw);
      case "result-begins":
        return yield* this.#strip();
      case "result":
        this.#isStripped = true;
        return;
      case "query":
        yield* this.#open(event);
    }
  }

  *#say(text: string): Generator<ModelPart> {
    const query = this.#query;
    if (query !== undefined && text.trim() === "") query.space += text;
    else if (query !== undefined) yield* this.#cut(query);
    else if (this.#held.isEmpty) yield textPart(text);
    else {
      this.#held.addText(text);
      // Waiting ends here: all calls that end here run.
      if (this.#held.isFull) yield* this.#finish();
    }
  }

  *#hold(call: WrittenCall): Generator<ModelPart> {
    this.#held.add({ written: call, stripped: this.#isStripped, after: "" });
    this.#isStripped = false;
    if (call.body === undefined) yield* this.#finish();
  }

  *#execute(raw: string): Generator<ModelPart> {
    if (this.#query !== undefined) this.#query.space += raw;
    else if (this.#held.isEmpty) yield written(raw);
    else yield* this.#finish(raw);
  }

  /** A result that the model wrote itself ends what came before it. */
  *#strip(): Generator<ModelPart> {
    const last = this.#query ?? this.#held.lastCall;
    if (last !== undefined) last.stripped = true;
    if (this.#query !== undefined) yield* this.#cut(this.#query);
    else if (!this.#held.isEmpty) yield* this.#finish();
  }

  /** A query takes the place of the calls before it: they are not run. */
  *#open({ raw, query }: Extract<TextEvent, { type: "query" }>): Generator<ModelPart> {
    yield* this.#tell();
    const open: OpenQuery = { raw, query, notExecuted: [], stripped: this.#isStripped, space: "" };
    this.#query = open;
    this.#isStripped = false;
    for (const item of this.#held.take()) {
      if (isCall(item)) {
        open.notExecuted.push(this.#calls.nameOf(item.written));
        open.stripped ||= item.stripped;
        yield written(item.written.raw + item.after);
      } else yield item;
    }
  }

  /** Sends the open query, once the text after it is known. */
  *#tell(): Generator<ModelPart> {
    if (this.#query !== undefined) yield* this.#calls.query(this.#query);
    this.#query = undefined;
  }

  /** Ends the message with the open query, and drops the rest (P-17). */
  *#cut(open: OpenQuery, notExecuted?: string): Generator<ModelPart> {
    if (notExecuted !== undefined) open.notExecuted.push(notExecuted);
    open.space = "";
    this.#hasEnded = true;
    yield* this.#tell();
  }

  /** Ends the message with the held calls, which run. */
  *#finish(execute?: string): Generator<ModelPart> {
    this.#hasEnded = true;
    yield* this.#release(execute);
  }

  /** Sends the held parts, and runs their calls. */
  *#release(execute?: string): Generator<ModelPart> {
    const items = this.#held.take();
    const last = items.at(-1);
    if (last === undefined) return;
    if (isCall(last)) last.after = execute === undefined ? "" : last.after + execute;
    for (const item of items) {
      if (isCall(item)) yield* this.#calls.call(item);
      else yield item;
    }
    // The model reads the text even if it forgot to write it (P-19).
    const runs = items.some((item) => isCall(item) && this.#calls.runs(item.written));
    if (execute === undefined && runs) yield written(EXECUTE);
    else if (execute !== undefined && !isCall(last)) yield written(execute);
  }
}

const written = (text: string): ModelPart => ({ type: "written", text });
