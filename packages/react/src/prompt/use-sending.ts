import { errorText } from "@askwire/client/text";
import type { ContentPart } from "@askwire/protocol";
import { useEffect, useRef, useState } from "react";
import type { AttachedFiles } from "./attached.js";

/** Words that were sent: on their way, or back with a problem. */
export interface Unsent {
  readonly key: number;
  readonly text: string;
  /** The pictures and files with them. */
  readonly attached: readonly AttachedFiles[];
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
  /** The pictures and files that go with the text. */
  readonly attached: readonly AttachedFiles[];
  /** The words that did not arrive, oldest first. */
  readonly failed: readonly Unsent[];
  /** The words that have been on their way for a second, oldest first. */
  readonly slow: readonly Unsent[];
  /** Puts words that wait here in front of the text. Those that are on their way stay there. */
  takeBack(unsent: Unsent): void;
  become(text: string): void;
  attach(attached: readonly AttachedFiles[]): void;
  /** Sends the text with what is attached, and leaves room for the next: nothing comes back into what is typed by then. */
  send(): void;
  /** Puts words that did not arrive in front of the text. */
  putBack(unsent: Unsent): void;
  /** Forgets words that did not arrive. */
  drop(unsent: Unsent): void;
}

/** Those who are told of each change. */
interface Told {
  /** All text that has not arrived. */
  onDraft(text: string): void;
  /** All pictures and files that have not arrived. */
  onAttached(attached: readonly AttachedFiles[]): void;
  /** The words that have been on their way for a second. */
  onWaiting?: ((texts: readonly string[]) => void) | undefined;
}

export function useSending(
  first: Pick<State, "text" | "attached">,
  onSend: (text: string, signal: AbortSignal, attached: readonly ContentPart[]) => unknown,
  heard: Told,
): Sending {
  const [shown, setShown] = useState<State>({ ...first, unsent: [] });
  // What is typed and what comes back change one state, whichever was rendered last.
  const state = useRef(shown);
  const keys = useRef(0);
  const told = useRef(heard);
  told.current = heard;

  // Nothing stands at a prompt that is gone.
  useEffect(() => () => told.current.onWaiting?.([]), []);

  function change(next: Partial<State>): void {
    state.current = { ...state.current, ...next };
    setShown(state.current);
    if (next.unsent !== undefined)
      told.current.onWaiting?.(next.unsent.filter(isSlow).map(({ text }) => text));
    if (next.attached !== undefined || next.unsent !== undefined)
      told.current.onAttached([...state.current.unsent, state.current].flatMap(({ attached }) => attached));
    told.current.onDraft(
      [...state.current.unsent.map(({ text }) => text), state.current.text].filter(isText).join("\n"),
    );
  }
  const without = (key: number) => state.current.unsent.filter((one) => one.key !== key);
  const mark = (key: number, more: Partial<Unsent>) =>
    change({
      unsent: state.current.unsent.map((each) => (each.key === key ? { ...each, ...more } : each)),
    });

  function putBack({ key, text, attached }: Unsent): void {
    const now = state.current;
    change({
      text: [text, now.text].filter(isText).join("\n"),
      attached: [...attached, ...now.attached],
      unsent: without(key),
    });
  }

  async function attempt(one: Unsent): Promise<void> {
    const { signal } = one.recall;
    const timer = setTimeout(() => mark(one.key, { isSlow: true }), SOON_MS);
    try {
      const parts = one.attached.map(({ part }) => part);
      await onSend(one.text, signal, parts);
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
    attached: shown.attached,
    failed: shown.unsent.filter(({ problem }) => problem !== undefined),
    slow: shown.unsent.filter(isSlow),
    takeBack({ key, recall }) {
      recall.abort();
      mark(key, {});
    },
    become: (text) => change({ text }),
    attach: (attached) => change({ attached }),
    send() {
      const { text, attached, unsent } = state.current;
      keys.current += 1;
      const one = { key: keys.current, text, attached, recall: new AbortController() };
      change({ text: "", attached: [], unsent: [...unsent, one] });
      void attempt(one);
    },
    putBack,
    drop: ({ key }) => change({ unsent: without(key) }),
  };
}

interface State {
  readonly text: string;
  readonly attached: readonly AttachedFiles[];
  readonly unsent: readonly Unsent[];
}

const isSlow = ({ problem, isSlow }: Unsent): boolean => problem === undefined && isSlow === true;

const isText = (text: string) => text !== "";
