// The words that a person had entered into a card whose request has ended, such as by a reload: kept to be copied.
import { visibleText } from "@askwire/client/text";
import type { ViewWords } from "@askwire/client/words";
import { type AnswerDraft, type ApprovalDraft, draftAsText, type Entry } from "@askwire/react";
import { type ReactNode, useState } from "react";
import type { ShownCard } from "../view-state.js";
import type { ViewDrafts } from "./drafts.js";
import type { Host } from "./host.js";
import { PutAway } from "./line.js";

export function LostWords({
  chat,
  cards,
  entries,
  drafts,
  host,
  words,
}: {
  readonly chat: string;
  readonly cards: readonly ShownCard[];
  readonly entries: readonly Entry[];
  readonly drafts: ViewDrafts;
  readonly host: Pick<Host, "post">;
  readonly words: ViewWords;
}): ReactNode {
  const [copied, setCopied] = useState("");
  const [, setDropped] = useState("");
  const lost = drafts
    .cards(chat)
    .findLast(([id, draft]) => hasEnded(id, cards, entries) && textOf(draft) !== "");
  if (lost === undefined) return null;
  const [id, draft] = lost;
  const text = textOf(draft);
  return (
    <div className="notice lost">
      <div>
        <p role="status">{words.lostWords}</p>
        <p className="askwire-text" dir="auto">
          {visibleText(text)}
        </p>
        <button
          type="button"
          onClick={() => {
            host.post({ type: "copy", text });
            setCopied(id);
          }}
        >
          {copied === id ? words.copied : words.copy}
        </button>
      </div>
      <PutAway
        words={words}
        onPress={() => {
          drafts.drop(chat, id);
          setDropped(id);
        }}
      />
    </div>
  );
}

/** True for a card that is gone since its request ended without an answer. */
function hasEnded(id: string, cards: readonly ShownCard[], entries: readonly Entry[]): boolean {
  if (cards.some((card) => card.id === id)) return false;
  const asked = entries.find((entry) => entry.kind === "asked" && entry.id === requestOf(id));
  if (asked?.kind !== "asked") return false;
  const outcome = asked.settled?.outcome;
  return outcome !== undefined && outcome.status !== "answered";
}

/** The id of a card's request: the name of a card, as `requestKey` makes it, has a digest behind it. */
const requestOf = (card: string): string => card.slice(0, card.lastIndexOf("."));

/** The text of kept work. Empty for work of another shape, as another version kept it. */
function textOf(draft: AnswerDraft | ApprovalDraft): string {
  try {
    return draftAsText(draft).trim();
  } catch {
    return "";
  }
}
