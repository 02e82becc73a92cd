import { ActionElement } from "./action-element.js";
import type { Catalogue } from "./catalogue.js";
import { isQuery, type Tag, tagAt } from "./tags.js";
import {
  type ElementReader,
  type ElementStep,
  MAX_ELEMENT,
  noElement,
  type TextEvent,
  type WrittenCall,
} from "./text-event.js";

/** White space between tags. */
const MAX_SPACE = 1024;

/** Reads the calls within a service's tags: `<service><action>…</action></service>`. */
export class ServiceElement implements ElementReader {
  readonly #open: Tag;
  readonly #catalogue: Pick<Catalogue, "service" | "find">;
  /** The action that is being read. */
  #action: ActionElement | undefined;
  /** A whole call: the service's close tag belongs to it, if it comes next. */
  #before: WrittenCall | undefined;
  /** The place of the next tag, but for space in front of it. */
  #at: number;

  constructor(open: Tag, catalogue: Pick<Catalogue, "service" | "find">) {
    this.#open = open;
    this.#catalogue = catalogue;
    this.#at = open.length;
  }

  get quietBelow(): number {
    return this.#action === undefined ? 0 : MAX_ELEMENT;
  }

  read(text: string, final: boolean): ElementStep | undefined {
    return this.#action === undefined ? this.#between(text, final) : this.#within(this.#action, text, final);
  }

  /** Reads the next tag outside of actions. */
  #between(text: string, final: boolean): ElementStep | undefined {
    const space = text.slice(this.#at).search(/\S/);
    const next = space === -1 ? text.length : this.#at + space;
    if (next - this.#at > MAX_SPACE) return this.#leave();
    const tag = next === text.length ? "more" : tagAt(text, next);
    if (tag === "more" && !final) return undefined;
    if (tag === undefined || tag === "more") return this.#leave();
    const end = next + tag.length;
    if (tag.close) return this.#isOwn(tag) ? this.#leave(text.slice(0, end)) : this.#leave();
    return this.#isOther(tag.name) ? this.#leave() : this.#begin(tag, text.slice(0, end));
  }

  /** Begins an action, whose open tag is the end of the text so far. */
  #begin(tag: Tag, raw: string): ElementStep {
    const begins: TextEvent = { type: "call-begins", service: this.#open.name, action: tag.name };
    const events = this.#before === undefined ? [begins] : [this.#before, begins];
    this.#before = undefined;
    if (tag.empty) return { events, used: this.#end(this.#call(tag.name, raw, "")), over: false };
    this.#action = new ActionElement(tag, raw.length);
    return { events, used: 0, over: false };
  }

  /** Reads on in an action, which is there from its tag to its close tag. */
  #within(action: ActionElement, text: string, final: boolean): ElementStep | undefined {
    const read = action.read(text, final);
    if (read === undefined) return undefined;
    const call = this.#call(action.name, read.raw, read.body);
    if (read.body === undefined) return { events: [call], used: read.raw.length, over: true };
    return { events: [], used: this.#end(call), over: false };
  }

  /** Ends an action. Returns the length of its call. */
  #end(call: WrittenCall): number {
    this.#before = call;
    this.#action = undefined;
    this.#at = 0;
    return call.raw.length;
  }

  /** Ends the service, with the text of its close tag where it has one. */
  #leave(closing = ""): ElementStep {
    const call = this.#before;
    if (call === undefined) return noElement(this.#open.length);
    return { events: [{ ...call, raw: call.raw + closing }], used: closing.length, over: true };
  }

  #call(action: string, raw: string, body: string | undefined): WrittenCall {
    return { type: "call", raw, service: this.#open.name, action, body };
  }

  #isOwn({ name }: Tag): boolean {
    return this.#catalogue.service(name) === this.#catalogue.service(this.#open.name);
  }

  /** True for the beginning of something else than an action of this service. */
  #isOther(name: string): boolean {
    if (isQuery(name) || name === "result" || name === "execute_tools") return true;
    const isAction = "action" in this.#catalogue.find(this.#open.name, name);
    return !isAction && this.#catalogue.service(name) !== undefined;
  }
}
