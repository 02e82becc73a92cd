// The person's unsent work, which the editor keeps while the view is hidden and over a reload of the window.
import type { AnswerDraft, ApprovalDraft } from "@askwire/react";
import type { EditorApi } from "./host.js";

interface Kept {
  /** The words of the prompt, by session. */
  readonly prompts: Readonly<Record<string, string>>;
  /** The work on cards, by card, with the questions that the form itself has. */
  readonly cards: Readonly<Record<string, AnswerDraft | ApprovalDraft>>;
}

export interface Drafts {
  prompt(chat: string): string;
  keepPrompt(chat: string, text: string): void;
  card<D extends AnswerDraft | ApprovalDraft>(id: string): D | undefined;
  keepCard(id: string, draft: AnswerDraft | ApprovalDraft): void;
  /** Forgets the work on a card that is answered or gone. */
  drop(id: string): void;
}

/** The most drafts of each kind. */
const MOST = 50;

export function drafts(api: EditorApi): Drafts {
  let kept = read(api.getState());
  const keep = (next: Kept) => {
    kept = next;
    api.setState(next);
  };
  const without = <T>(all: Readonly<Record<string, T>>, id: string) =>
    Object.entries(all).filter(([name]) => name !== id);
  const put = <T>(all: Readonly<Record<string, T>>, id: string, value: T) =>
    Object.fromEntries([...without(all, id), [id, value] as const].slice(-MOST));

  return {
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

/** Reads what the editor kept. A state of another shape is none. */
function read(state: unknown): Kept {
  const isTable = (value: unknown): value is Record<string, never> =>
    typeof value === "object" && value !== null;
  if (!isTable(state)) return { prompts: {}, cards: {} };
  const { prompts, cards } = state as Record<string, unknown>;
  return { prompts: isTable(prompts) ? prompts : {}, cards: isTable(cards) ? cards : {} };
}
