import { errorText } from "@askwire/client/text";
import { useRef, useState } from "react";

/** Words that were sent: on their way, or back with a problem. */
export interface Unsent {
  readonly key: number;
  readonly text: string;
  /** The reason why they did not arrive. Undefined while they are on their way. */
  readonly problem?: string;
  /** True once they have been on their way for a second. */
  readonly isSlow?: true;
  /** Takes them back, where they still wait here. */
  readonly recall: AbortController;
}

/** The time in which words are taken as a rule, in milliseconds. */
const SOON_MS = 1_000;

/** The text of a prompt, and the words of it that have not arrived. */
export interface Sending {
  readonly text: string;
  /** The words that did not arrive, oldest first. */
  readonly failed: readonly Unsent[];
  /** The words that have been on their way for a second, oldest first. */
  readonly slow: readonly Unsent[];
  /** Puts words that wait here in front of the text. Those that are on their way stay there. */
  takeBack(unsent: Unsent): void;
  become(text: string): void;
  /** Sends the text, and leaves room for the next: nothing comes back into what is typed by then. */
  send(): void;
  /** Puts words that did not arrive in front of the text. */
  putBack(unsent: Unsent): void;
  /** Forgets words that did not arrive. */
  drop(unsent: Unsent): void;
}

/** @param onDraft is told of all that has not arrived, after each change. */
export function useSending(
  first: string,
  onSend: (text: string, signal: AbortSignal) => unknown,
  onDraft: ((text: string) => void) | undefined,
): Sending {
  const [shown, setShown] = useState<State>({ text: first, unsent: [] });
  // What is typed and what comes back change one state, whichever was rendered last.
  const state = useRef(shown);
  const keys = useRef(0);
  const draft = useRef(onDraft);
  draft.current = onDraft;

  function change(next: Partial<State>): void {
    state.current = { ...state.current, ...next };
    setShown(state.current);
    draft.current?.(
      [...state.current.unsent.map(({ text }) => text), state.current.text].filter(isText).join("\n"),
    );
  }
  const without = (key: number) => state.current.unsent.filter((one) => one.key !== key);
  const mark = (key: number, more: Partial<Unsent>) =>
    change({
      unsent: state.current.unsent.map((each) => (each.key === key ? { ...each, ...more } : each)),
    });

  function putBack({ key, text }: Unsent): void {
    const now = state.current.text;
    change({ text: now === "" ? text : `${text}\n${now}`, unsent: without(key) });
  }

  async function attempt(one: Unsent): Promise<void> {
    const { signal } = one.recall;
    const timer = setTimeout(() => mark(one.key, { isSlow: true }), SOON_MS);
    try {
      await onSend(one.text, signal);
      change({ unsent: without(one.key) });
    } catch (error) {
      if (signal.aborted && error === signal.reason) putBack(one);
      else mark(one.key, { problem: error instanceof Error ? error.message : errorText(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    text: shown.text,
    failed: shown.unsent.filter(({ problem }) => problem !== undefined),
    slow: shown.unsent.filter(({ problem, isSlow }) => problem === undefined && isSlow === true),
    takeBack({ key, recall }) {
      recall.abort();
      mark(key, {});
    },
    become: (text) => change({ text }),
    send() {
      const { text, unsent } = state.current;
      keys.current += 1;
      const one = { key: keys.current, text, recall: new AbortController() };
      change({ text: "", unsent: [...unsent, one] });
      void attempt(one);
    },
    putBack,
    drop: ({ key }) => change({ unsent: without(key) }),
  };
}

interface State {
  readonly text: string;
  readonly unsent: readonly Unsent[];
}

const isText = (text: string) => text !== "";
