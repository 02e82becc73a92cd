import { errorText } from "@askwire/client/text";
import { useRef, useState } from "react";

/** Words that were sent: on their way, or back with a problem. */
export interface Unsent {
  readonly key: number;
  readonly text: string;
  /** The reason why they did not arrive. Undefined while they are on their way. */
  readonly problem?: string;
}

/** The text of a prompt, and the words of it that have not arrived. */
export interface Sending {
  readonly text: string;
  /** The words that did not arrive, oldest first. */
  readonly failed: readonly Unsent[];
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
  onSend: (text: string) => unknown,
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

  async function attempt(one: Unsent): Promise<void> {
    try {
      await onSend(one.text);
      change({ unsent: without(one.key) });
    } catch (error) {
      const problem = error instanceof Error ? error.message : errorText(error);
      change({
        unsent: state.current.unsent.map((each) => (each.key === one.key ? { ...each, problem } : each)),
      });
    }
  }

  return {
    text: shown.text,
    failed: shown.unsent.filter(({ problem }) => problem !== undefined),
    become: (text) => change({ text }),
    send() {
      const { text, unsent } = state.current;
      keys.current += 1;
      const one = { key: keys.current, text };
      change({ text: "", unsent: [...unsent, one] });
      void attempt(one);
    },
    putBack({ key, text }) {
      const now = state.current.text;
      change({ text: now === "" ? text : `${text}\n${now}`, unsent: without(key) });
    },
    drop: ({ key }) => change({ unsent: without(key) }),
  };
}

interface State {
  readonly text: string;
  readonly unsent: readonly Unsent[];
}

const isText = (text: string) => text !== "";
