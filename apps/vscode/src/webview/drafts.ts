// The person's unsent work, which the editor keeps while the view is hidden and over a reload of the window.
import type { AnswerDraft, ApprovalDraft } from "@askwire/react";
import type { EditorApi } from "./host.js";

interface Kept {
  /** The time of the last change, in milliseconds since 1970. */
  readonly at: number;
  /** The words of the prompt, by session. */
  readonly prompts: Readonly<Record<string, string>>;
  /** The work on cards, by card, with the questions that the form itself has. */
  readonly cards: Readonly<Record<string, AnswerDraft | ApprovalDraft>>;
}

export interface Drafts {
  /** Goes on with the work that the host kept, where that is newer than what the editor kept. */
  adopt(json: string): void;
  prompt(chat: string): string;
  keepPrompt(chat: string, text: string): void;
  card<D extends AnswerDraft | ApprovalDraft>(id: string): D | undefined;
  keepCard(id: string, draft: AnswerDraft | ApprovalDraft): void;
  /** Forgets the work on a card that is gone. */
  drop(id: string): void;
}

/** The most drafts of each kind. */
const MOST = 50;

/** The time in which changes are gathered before the host is told, in milliseconds. */
const GATHER_MS = 200;

/** The most characters that the host is told. Work with large pictures is kept by the editor alone. */
const MOST_TOLD = 500_000;

/** @param tell gives the work to the host, which keeps it for a reload of the window. */
export function drafts(api: EditorApi, tell: (json: string) => void): Drafts {
  let kept = read(api.getState());
  let isWaiting = false;

  function told(): void {
    isWaiting = false;
    const json = JSON.stringify(kept);
    if (json.length <= MOST_TOLD) tell(json);
  }
  function keep(next: Omit<Kept, "at">): void {
    kept = { ...next, at: Date.now() };
    api.setState(kept);
    if (!isWaiting) setTimeout(told, GATHER_MS);
    isWaiting = true;
  }
  const without = <T>(all: Readonly<Record<string, T>>, id: string) =>
    Object.entries(all).filter(([name]) => name !== id);
  const put = <T>(all: Readonly<Record<string, T>>, id: string, value: T) =>
    Object.fromEntries([...without(all, id), [id, value] as const].slice(-MOST));

  return {
    adopt(json) {
      const other = readJson(json);
      if (other.at > kept.at) kept = other;
    },
    prompt: (chat) => (Object.hasOwn(kept.prompts, chat) ? (kept.prompts[chat] ?? "") : ""),
    keepPrompt: (chat, text) => keep({ ...kept, prompts: put(kept.prompts, chat, text) }),
    card: <D>(id: string) => (Object.hasOwn(kept.cards, id) ? (kept.cards[id] as D) : undefined),
    keepCard: (id, draft) => keep({ ...kept, cards: put(kept.cards, id, draft) }),
    drop(id) {
      if (Object.hasOwn(kept.cards, id))
        keep({ ...kept, cards: Object.fromEntries(without(kept.cards, id)) });
    },
  };
}

function readJson(json: string): Kept {
  try {
    return read(JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** Reads what was kept. A state of another shape is none. */
function read(state: unknown): Kept {
  const { at, prompts, cards } = isTable(state) ? state : {};
  return {
    at: typeof at === "number" ? at : 0,
    prompts: isTable(prompts) ? (prompts as Kept["prompts"]) : {},
    cards: isTable(cards) ? (cards as Kept["cards"]) : {},
  };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
