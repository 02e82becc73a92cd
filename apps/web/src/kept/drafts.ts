import type { FormState } from "@askwire/client/form";
import type { CoreQuestion } from "@askwire/protocol";
import type { Box } from "./box.js";

/** The person's unsent work, by the id of its request. */
export interface Drafts {
  /** The work on these questions, if it was about the same ones. */
  of(id: string, questions: readonly CoreQuestion[]): FormState | undefined;
  keep(id: string, draft: FormState): void;
  /** Forgets the work on a settled request. */
  drop(id: string): void;
}

const PREFIX = "draft.";
/** The most drafts that are kept; older ones go. */
const MOST = 30;
/** Characters of one draft, and of all. A larger one lives as long as the page. */
const LONGEST = 500_000;
const ALL = 2_000_000;

/**
 * Drafts that outlive the page.
 *
 * @param place gives the box to keep the next draft in. Drafts are found in all of them.
 */
export function drafts(boxes: readonly Box[], place: () => Box, now: () => number): Drafts {
  const drop = (id: string) => {
    for (const box of boxes) box.remove(PREFIX + id);
  };
  return {
    of(id, questions) {
      for (const box of boxes) {
        const draft = read(box.get(PREFIX + id))?.draft;
        if (draft !== undefined && JSON.stringify(draft.questions) === JSON.stringify(questions))
          return draft;
      }
      return undefined;
    },
    keep(id, draft) {
      const box = place();
      const text = JSON.stringify({ at: now(), draft });
      drop(id);
      if (text.length > LONGEST) return;
      makeRoom(box, text.length);
      box.set(PREFIX + id, text);
    },
    drop,
  };
}

/** Drops the oldest drafts until there is room for one more. */
function makeRoom(box: Box, length: number): void {
  const kept = box
    .names()
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => {
      const text = box.get(name) ?? "";
      return { name, length: text.length, at: read(text)?.at ?? 0 };
    })
    .sort((one, other) => one.at - other.at);
  let all = kept.reduce((sum, draft) => sum + draft.length, length);
  for (let count = kept.length; count >= MOST || all > ALL; count -= 1) {
    const oldest = kept.shift();
    if (oldest === undefined) return;
    box.remove(oldest.name);
    all -= oldest.length;
  }
}

/** A kept draft; undefined for a text that is none. */
function read(text: string | undefined): { at: number; draft: FormState } | undefined {
  try {
    const { at, draft } = JSON.parse(text ?? "");
    const isDraft = typeof at === "number" && Array.isArray(draft.questions) && Array.isArray(draft.drafts);
    return isDraft && draft.drafts.length === draft.questions.length ? { at, draft } : undefined;
  } catch {
    return undefined;
  }
}
