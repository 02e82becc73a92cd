// The person's unsent work. The host is told of each change at once, since a reload of the window waits for nobody; the
// editor keeps the work as well while the view is hidden.
import type { AnswerDraft, ApprovalDraft } from "@askwire/react";
import type { EditorApi } from "./host.js";

/** The work in a session. */
interface Kept {
  /** The time of the last change, in milliseconds since 1970. */
  readonly at: number;
  /** The words of the prompt. */
  readonly prompt: string;
  /** The work on cards, by card, with the questions that the form itself has. */
  readonly cards: Readonly<Record<string, AnswerDraft | ApprovalDraft>>;
}

export interface ViewDrafts {
  /**
   * Resumes the work in a session that the host kept, where that is newer than what the editor kept. Work that only the
   * editor kept stays: the newer one may be of another page of this window, which never had it.
   */
  adopt(chat: string, json: string): void;
  prompt(chat: string): string;
  keepPrompt(chat: string, text: string): void;
  card<D extends AnswerDraft | ApprovalDraft>(chat: string, id: string): D | undefined;
  /** The work on all cards of a session, by their ids, the newest last. */
  cards(chat: string): readonly (readonly [id: string, draft: AnswerDraft | ApprovalDraft])[];
  keepCard(chat: string, id: string, draft: AnswerDraft | ApprovalDraft): void;
  /** Forgets the work on a card that is gone. */
  drop(chat: string, id: string): void;
}

/** The most cards of a session, and the most sessions; and the UTF-16 units of the cards of a session. */
const MOST = 50;
const MOST_UNITS = 16 * 1_048_576;

/** The most characters that the host is told. Work with large pictures is kept by the editor alone. */
const MOST_TOLD = 500_000;

/** @param tell gives the work in a session to the host, which keeps it for a reload of the window. */
export function viewDrafts(api: EditorApi, tell: (chat: string, json: string) => void): ViewDrafts {
  const first = api.getState();
  let kept: Readonly<Record<string, Kept>> = Object.fromEntries(
    Object.entries(isTable(first) ? first : {}).map(([chat, work]) => [chat, read(work)]),
  );

  const of = (chat: string): Kept => (Object.hasOwn(kept, chat) ? (kept[chat] as Kept) : read(undefined));
  function keep(chat: string, change: Partial<Kept>): void {
    let next = { ...of(chat), ...change, at: Date.now() };
    let json = JSON.stringify(next);
    for (let all = Object.entries(next.cards); json.length > MOST_UNITS && all.length > 1; ) {
      all = all.slice(1);
      next = { ...next, cards: Object.fromEntries(all) };
      json = JSON.stringify(next);
    }
    kept = put(kept, chat, next);
    api.setState(kept);
    if (json.length <= MOST_TOLD) tell(chat, json);
  }
  const keepPrompt = (chat: string, prompt: string) => keep(chat, { prompt });

  return {
    adopt(chat, json) {
      const other = readJson(json);
      const own = of(chat);
      if (other.at <= own.at) return;
      const cards = { ...own.cards, ...other.cards };
      kept = put(kept, chat, { at: other.at, prompt: other.prompt || own.prompt, cards });
    },
    prompt: (chat) => of(chat).prompt,
    keepPrompt,
    card: <D>(chat: string, id: string) => {
      const { cards } = of(chat);
      return Object.hasOwn(cards, id) ? (cards[id] as D) : undefined;
    },
    cards: (chat) => Object.entries(of(chat).cards),
    keepCard: (chat, id, draft) => keep(chat, { cards: put(of(chat).cards, id, draft) }),
    drop(chat, id) {
      const { cards } = of(chat);
      if (Object.hasOwn(cards, id)) keep(chat, { cards: Object.fromEntries(without(cards, id)) });
    },
  };
}

const without = <T>(all: Readonly<Record<string, T>>, id: string) =>
  Object.entries(all).filter(([name]) => name !== id);
const put = <T>(all: Readonly<Record<string, T>>, id: string, value: T) =>
  Object.fromEntries([...without(all, id), [id, value] as const].slice(-MOST));

function readJson(json: string): Kept {
  try {
    return read(JSON.parse(json));
  } catch {
    return read(undefined);
  }
}

/** Reads the work in a session. Each card looks what it takes of its own work. */
function read(work: unknown): Kept {
  const { at, prompt, cards } = isTable(work) ? work : {};
  return {
    at: typeof at === "number" ? at : 0,
    prompt: typeof prompt === "string" ? prompt : "",
    cards: (isTable(cards) ? cards : {}) as Kept["cards"],
  };
}

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
