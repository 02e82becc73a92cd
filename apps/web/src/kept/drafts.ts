import type { FormState } from "@askwire/client/form";
import type { ApprovalDraft } from "@askwire/react";
import type { Box } from "./box.js";

/** The person's unsent work, by the id of its request. */
export interface Drafts {
  /** The work on a question. The card looks whether it was about the same one. */
  ofQuestion(id: string): FormState | undefined;
  ofApproval(id: string): ApprovalDraft | undefined;
  keep(id: string, draft: FormState | ApprovalDraft): void;
  /** Forgets the work on a settled request. */
  drop(id: string): void;
  /** Forgets all work, as where the person leaves. */
  forget(): void;
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
  function found<T>(id: string, is: (draft: unknown) => draft is T): T | undefined {
    return boxes.map((box) => read(box.get(PREFIX + id))?.draft).find(is);
  }

  return {
    ofQuestion: (id) => found(id, isForm),
    ofApproval: (id) => found(id, isApproval),
    keep(id, draft) {
      const box = place();
      const text = JSON.stringify({ at: now(), draft }, withoutPictures);
      drop(id);
      if (text.length > LONGEST) return;
      makeRoom(box, text.length);
      box.set(PREFIX + id, text);
    },
    drop,
    forget() {
      for (const box of boxes) {
        for (const name of box.names()) if (name.startsWith(PREFIX)) box.remove(name);
      }
    },
  };
}

/** Leaves pictures out, which are larger than what a browser keeps. */
const withoutPictures = (name: string, value: unknown) => (name === "attachments" ? undefined : value);

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

/** A kept draft with its time; undefined for any other text. */
function read(text: string | undefined): { at: number; draft: unknown } | undefined {
  try {
    const { at, draft } = JSON.parse(text ?? "");
    return typeof at === "number" ? { at, draft } : undefined;
  } catch {
    return undefined;
  }
}

const isForm = (draft: unknown): draft is FormState => {
  const { questions, drafts } = Object(draft);
  return Array.isArray(questions) && Array.isArray(drafts) && drafts.length === questions.length;
};

const isApproval = (draft: unknown): draft is ApprovalDraft => {
  const { why, edit } = Object(draft);
  return typeof why === "string" && (edit === undefined || typeof Object(edit).text === "string");
};
