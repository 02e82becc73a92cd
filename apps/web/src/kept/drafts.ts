import { isKeyOf } from "@askwire/client";
import { type AnswerDraft, type ApprovalDraft, type Store, store } from "@askwire/react/cards";
import type { Box } from "./box.js";
import { type DraftText, readDraft, writeDraft } from "./draft-text.js";
import type { KeptPicture, KeptPictures } from "./pictures.js";

/** Work as it was kept. `isWhole` is false where some of its pictures are gone. */
export interface FoundDraft<Draft> {
  readonly draft: Draft;
  /** The time at which it was kept, in milliseconds since 1970. */
  readonly at: number;
  readonly isWhole: boolean;
}

/** The person's unsent work, by the name of its request: its id and what it asks. */
export interface PageDrafts {
  /** The work on a question, later where it has pictures. The card looks whether it was about the same one. */
  ofQuestion(id: string): FoundDraft<AnswerDraft> | Promise<FoundDraft<AnswerDraft> | undefined> | undefined;
  ofApproval(id: string): FoundDraft<ApprovalDraft> | undefined;
  keep(id: string, draft: AnswerDraft | ApprovalDraft): void;
  /** Forgets the work on a settled request, by its id: on all that was asked under it. */
  drop(requestId: string): void;
  /** Forgets all work, as where the person leaves. */
  forget(): void;
  /** Brings all work to the place where the next draft is kept. */
  gather(): void;
  /** The names of requests whose work, or its pictures, live as long as the page, since the browser does not take them. */
  readonly unkept: Store<ReadonlySet<string>>;
}

/** The parts of the browser that drafts need. */
export interface DraftsOptions {
  /** Drafts are found in all of them. */
  readonly boxes: readonly Box[];
  /** Gives the box to keep the next draft in. */
  place(): Box;
  readonly pictures: KeptPictures;
  now(): number;
}

const PREFIX = "draft.";
/** The most drafts that are kept; older ones go. */
const MOST = 30;
/** Characters of one draft without its pictures, and of all. A larger one lives as long as the page. */
const LONGEST = 500_000;
const ALL = 2_000_000;

/** Drafts that outlive the page. */
export function pageDrafts({ boxes, place, pictures, now }: DraftsOptions): PageDrafts {
  const { set: setUnkept, ...unkept } = store<ReadonlySet<string>>(new Set());
  const refsIn = (box: Box, name: string) => readDraft(box.get(name))?.refs ?? [];

  function remove(box: Box, name: string): void {
    pictures.drop(refsIn(box, name));
    box.remove(name);
  }

  /** Drops the oldest drafts until there is room for one more. */
  function makeRoom(box: Box, length: number): void {
    const kept = draftsIn(box)
      .map((name) => {
        const text = box.get(name) ?? "";
        return { name, length: text.length, at: readDraft(text)?.at ?? 0 };
      })
      .sort((one, other) => one.at - other.at);
    let all = kept.reduce((sum, draft) => sum + draft.length, length);
    for (let count = kept.length; count >= MOST || all > ALL; count -= 1) {
      const oldest = kept.shift();
      if (oldest === undefined) return;
      remove(box, oldest.name);
      all -= oldest.length;
    }
  }

  /** Keeps a text. False where the browser takes none, or not one of that length. */
  function put(box: Box, name: string, text: string): boolean {
    if (text.length > LONGEST) return false;
    makeRoom(box, text.length);
    return box.set(name, text);
  }

  function tell(id: string, isUnkept: boolean): void {
    if (unkept.current().has(id) === isUnkept) return;
    const others = [...unkept.current()].filter((other) => other !== id);
    setUnkept(new Set(isUnkept ? [...others, id] : others));
  }

  function drop(requestId: string): void {
    for (const box of boxes)
      for (const name of draftsIn(box)) if (isKeyOf(requestId, name.slice(PREFIX.length))) remove(box, name);
    for (const id of unkept.current()) if (isKeyOf(requestId, id)) tell(id, false);
  }

  /** The kept text of a draft. */
  const found = (id: string): DraftText | undefined =>
    boxes.map((box) => readDraft(box.get(PREFIX + id))).find((draft) => draft !== undefined);

  return {
    ofQuestion(id) {
      const text = found(id);
      if (text === undefined || text.refs.length === 0) return answerIn(text, new Map());
      return pictures.find(text.refs).then((there) => answerIn(text, there));
    },
    ofApproval(id) {
      const text = found(id);
      return text && { draft: text.draft(new Map()) as ApprovalDraft, at: text.at, isWhole: true };
    },
    keep(id, draft) {
      const name = PREFIX + id;
      const before = boxes.flatMap((box) => refsIn(box, name));
      for (const box of boxes) box.remove(name);
      const { text, pictures: shown } = writeDraft(now(), draft, pictures.refOf);
      const isKept = put(place(), name, text);
      const after = isKept ? shown.map((picture) => pictures.refOf(picture).name) : [];
      pictures.drop(before.filter((ref) => !after.includes(ref.name)));
      if (!isKept || shown.length === 0) return tell(id, !isKept);
      void pictures.keep(shown).then((areKept) => tell(id, !areKept));
    },
    drop,
    forget() {
      for (const box of boxes) for (const name of draftsIn(box)) remove(box, name);
    },
    gather() {
      const box = place();
      for (const other of boxes.filter((other) => other !== box)) {
        for (const name of draftsIn(other)) {
          // A draft that has no room stays where it lies, as long as the page does.
          const text = other.get(name) ?? "";
          other.remove(name);
          if (put(box, name, text)) continue;
          pictures.drop(readDraft(text)?.refs ?? []);
          tell(name.slice(PREFIX.length), true);
        }
      }
    },
    unkept,
  };
}

/** The names of the drafts in a box. */
const draftsIn = (box: Box) => box.names().filter((name) => name.startsWith(PREFIX));

/**
 * The work on a question, of which the card takes what it can show. An answer that was confirmed with a picture that is
 * gone has to be confirmed again.
 */
function answerIn(
  text: DraftText | undefined,
  pictures: ReadonlyMap<string, KeptPicture>,
): FoundDraft<AnswerDraft> | undefined {
  if (text === undefined) return undefined;
  const draft = text.draft(pictures) as AnswerDraft;
  const isWhole = text.refs.every(({ name }) => pictures.has(name));
  return { draft: isWhole ? draft : unconfirmed(draft), at: text.at, isWhole };
}

function unconfirmed(draft: AnswerDraft): AnswerDraft {
  const { form } = Object(draft);
  const { drafts } = Object(form);
  if (!Array.isArray(drafts)) return draft;
  return { ...draft, form: { ...form, drafts: drafts.map((one) => ({ ...one, confirmed: undefined })) } };
}
