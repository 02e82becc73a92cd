import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";
import type { Paint } from "../device/paint.js";
import { askingTitle } from "./asked-by-call.js";
import { CallHint, isNamedBy } from "./call-hint.js";

/** The name of a call and what it is about, as its arguments come. */
export class CallSubject {
  readonly #hint: CallHint;
  readonly #name: string;
  readonly #words: ChatWords;
  #about = "";
  #args = "";

  constructor(name: string, words: ChatWords) {
    this.#hint = new CallHint(name);
    this.#name = visibleLine(name);
    this.#words = words;
  }

  /** Set for a call that puts questions to a person. */
  get asks(): boolean {
    return this.#hint.asked !== undefined;
  }

  /** The arguments, if they came whole and are not too long to be read. */
  get args(): object | undefined {
    try {
      return Object(JSON.parse(this.#args));
    } catch {
      return undefined;
    }
  }

  /** Set for a call whose output is what it found. */
  get finds(): boolean {
    return FINDS.test(this.#name);
  }

  /** Set for a call whose arguments name its command. */
  get hasCommand(): boolean {
    return Object(this.args).command !== undefined;
  }

  more(text: string | null): void {
    if (this.#args.length <= LONGEST) this.#args += text ?? "";
    const about = this.#hint.more(text);
    if (about !== undefined) this.#about = about;
  }

  /**
   * The title of the call.
   *
   * @param full set where nothing else shows its questions.
   */
  title(paint: Paint, full: boolean): string {
    const { asked, question } = this.#hint;
    if (asked !== undefined) return askingTitle(asked, this.#words, full);
    const about = question ?? this.#about;
    return paint("bold", this.#name) + (isNamedBy(this.#name, about) ? "" : ` ${about}`);
  }
}

/** The names of tools whose output is what they found. */
const FINDS = /read|view|grep|glob|search|find|fetch|http|url/i;
/** The most characters of arguments that are kept. */
const LONGEST = 65_536;
