import { CheckSkipped } from "../../contract/check.js";
import { type Act, actInWords, mayBeMissing, type ShownTexts } from "./acts.js";

/** Whoever acts at a client in the place of the client itself. */
export interface CheckedPerson {
  /** Has the person act, after whatever they were to do before. */
  act(act: Act, shown?: ShownTexts): void;
  /** Rejects when the client has no way to do an act, or nobody does the act. */
  readonly refused: Promise<never>;
}

/** The way of acts to a client. */
export interface ActChannel {
  /**
   * Has one act done.
   *
   * @param line the act as a JSON line.
   * @param words the act as a sentence for a human.
   * @param cannot says that the client has no way to do the act.
   * @throws Error where nobody does the act.
   */
  deliver(line: string, words: string, cannot: () => void): Promise<void>;
}

/** @param note hears of each act, for the report. */
export function createPerson({ deliver }: ActChannel, note: (text: string) => void): CheckedPerson {
  let refuse: (reason: unknown) => void = () => {};
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  refused.catch(() => {});
  let before: Promise<unknown> = Promise.resolve();
  const one = async (act: Act, shown?: ShownTexts) => {
    const words = actInWords(act, shown);
    note(`the person: ${words}`);
    const isChoice = mayBeMissing.has(act.do);
    const cannot = () => refuse(new CheckSkipped(`its person has no way to ${act.do}`, { isChoice }));
    await deliver(`${JSON.stringify({ ...act, words })}\n`, words, cannot);
  };
  return {
    refused,
    act(act, shown) {
      before = before.then(() => one(act, shown)).catch(refuse);
    },
  };
}
