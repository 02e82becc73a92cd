/** Texts sent from the prompt, to be shown there again. */
export interface PromptHistory {
  /** The text before or after the shown text, which is kept with its changes. Undefined at either end. */
  turn(by: -1 | 1, shown: string): string | undefined;
  /** Takes the shown text, which leaves the prompt. Returns the text typed there before browsing, or "". */
  add(shown: string): string;
}

/** Texts that outlive the process. */
export interface KeptTexts {
  /** The texts of earlier, the oldest first. */
  load(): readonly string[];
  add(text: string): void;
}

/** The most texts kept, and their UTF-16 units in all. */
const MOST_TEXTS = 100;
const MOST_UNITS = 1024 * 1024;

/** @param kept the texts of earlier. Default: none, and none are kept. */
export function promptHistory(kept?: KeptTexts): PromptHistory {
  const sent = [...(kept?.load() ?? [])];
  /** The texts with their changes while shown; the last was never sent. */
  let pages = [...sent, ""];
  let at = sent.length;

  function keep(text: string): void {
    if (text.trim() === "" || text === sent.at(-1)) return;
    sent.push(text);
    kept?.add(text);
    let units = sent.reduce((sum, { length }) => sum + length, 0);
    while (sent.length > MOST_TEXTS || (units > MOST_UNITS && sent.length > 1))
      units -= sent.shift()?.length ?? 0;
  }

  return {
    turn(by, shown) {
      const text = pages[at + by];
      if (text === undefined) return undefined;
      pages[at] = shown;
      at += by;
      return text;
    },
    add(shown) {
      const begun = at === pages.length - 1 ? "" : (pages.at(-1) ?? "");
      keep(shown);
      pages = [...sent, ""];
      at = sent.length;
      return begun;
    },
  };
}
