import type { ModelPart } from "@askwire/server";
import type { HeldCall } from "./written-calls.js";

/** UTF-16 units of text after a call that wait with it. */
const MAX_HELD = 64 * 1024;

/** The first call of a message and all later parts, which wait: the call runs unless a query follows. */
export class HeldParts {
  #items: (HeldCall | ModelPart)[] = [];
  #textLength = 0;

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  /** True once the text is so long that the calls wait no more. */
  get isFull(): boolean {
    return this.#textLength > MAX_HELD;
  }

  get lastCall(): HeldCall | undefined {
    return this.#items.findLast(isCall);
  }

  add(item: HeldCall | ModelPart): void {
    this.#items.push(item);
  }

  /** Adds text. White space after a call belongs to it, until other text follows. */
  addText(text: string): void {
    this.#textLength += text.length;
    const last = this.#items.at(-1);
    if (last === undefined || !isCall(last)) {
      this.#items.push(textPart(text));
      return;
    }
    last.after += text;
    if (last.after.trim() === "") return;
    this.#items.push(textPart(last.after));
    last.after = "";
  }

  /** Takes all out. */
  take(): readonly (HeldCall | ModelPart)[] {
    const items = this.#items;
    this.#items = [];
    this.#textLength = 0;
    return items;
  }
}

export const isCall = (item: HeldCall | ModelPart): item is HeldCall => !("type" in item);

/** Text of the model as a part. */
export const textPart = (text: string): ModelPart => ({ type: "content", part: { type: "text", text } });
