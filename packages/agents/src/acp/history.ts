import type { ContentPart, WireEventInput } from "@askwire/protocol";
import { type Telling, telling } from "./telling.js";

/** The most events of a history, the newest ones, and their characters. */
const MOST_EVENTS = 10_000;
const MOST_CHARACTERS = 16 * 1_024 * 1_024;

/** A conversation that an agent says again, as the events of turns. */
export interface HistoryTelling extends Telling {
  /** Adds a person's words, which begin a turn. */
  said(parts: readonly ContentPart[]): void;
  /** The events, once it has ended. */
  readonly events: readonly WireEventInput[];
}

export function historyTelling(): HistoryTelling {
  const events: { readonly event: WireEventInput; readonly size: number }[] = [];
  const ended = new Set<string>();
  let size = 0;
  let words: ContentPart[] = [];
  let steps = 0;
  let isOpen = false;
  const scene = {
    emit(event: WireEventInput) {
      const added = JSON.stringify(event).length;
      events.push({ event, size: added });
      size += added;
      while (events.length > MOST_EVENTS || size > MOST_CHARACTERS) size -= events.shift()?.size ?? 0;
    },
    planMode: () => false,
    step() {
      begin();
      steps += 1;
      scene.emit({ type: "StepBegin", payload: { n: steps } });
    },
  };
  let inner = telling(scene, ended);

  function begin(): void {
    if (isOpen) return;
    isOpen = true;
    scene.emit({ type: "TurnBegin", payload: { user_input: words } });
    words = [];
  }

  function finish(): void {
    if (words.length > 0) begin();
    inner.end();
    if (isOpen) scene.emit({ type: "TurnEnd", payload: {} });
    isOpen = false;
    steps = 0;
    inner = telling(scene, ended);
  }

  return {
    said(parts) {
      if (isOpen) finish();
      words.push(...parts);
    },
    say: (part) => inner.say(part),
    call: (news) => inner.call(news),
    addContent: (id, content) => inner.addContent(id, content),
    plan: (entries) => inner.plan(entries),
    usage: (used, size) => inner.usage(used, size),
    askAbout: (news) => inner.askAbout(news),
    show: (id) => inner.show(id),
    onlyCall: () => inner.onlyCall(),
    end: finish,
    get events() {
      return events.map(({ event }) => event);
    },
  };
}
