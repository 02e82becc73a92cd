const PASTE_END = "\u001b[201~";
/** The most characters of a paste; the rest is dropped. */
const PASTE_LIMIT = 1024 * 1024;

/** A paste in brackets that has begun. */
export class Paste {
  #text = "";
  /** The last characters, which may begin the mark of the end. */
  #tail = "";

  /** Takes input. Returns the part behind the end of the paste, or undefined while it continues. */
  take(input: string): string | undefined {
    const all = this.#tail + input;
    const end = all.indexOf(PASTE_END);
    const cut = end === -1 ? Math.max(0, all.length - PASTE_END.length + 1) : end;
    this.#text += all.slice(0, Math.min(cut, PASTE_LIMIT - this.#text.length));
    this.#tail = end === -1 ? all.slice(cut) : "";
    return end === -1 ? undefined : all.slice(end + PASTE_END.length);
  }

  /** The text so far, with line feeds as line ends and no half of a character. */
  get text(): string {
    return (this.#text + this.#tail)
      .slice(0, PASTE_LIMIT)
      .replace(/[\ud800-\udbff]$/, "")
      .replace(/\r\n?/g, "\n");
  }
}
