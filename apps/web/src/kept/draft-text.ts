import { isRef, type PictureRef } from "./picture-ref.js";
import type { KeptPicture } from "./pictures.js";

/** A kept draft as its text gives it: when it was kept, and where its pictures lie. */
export interface DraftText {
  readonly at: number;
  readonly refs: readonly PictureRef[];
  /** The draft with those of its pictures that were found, by their names. */
  draft(pictures: ReadonlyMap<string, KeptPicture>): unknown;
}

/** The field of a draft that has its pictures. */
const PICTURES = "attachments";

/** Writes a draft, with references in the place of its pictures, which are too large for a box. */
export function writeDraft(
  at: number,
  draft: object,
  refOf: (picture: KeptPicture) => PictureRef,
): { readonly text: string; readonly pictures: readonly KeptPicture[] } {
  const pictures = new Set<KeptPicture>();
  const text = JSON.stringify({ at, draft }, (name, value) => {
    if (name !== PICTURES || !Array.isArray(value)) return value;
    const shown = value.filter(isPicture);
    for (const picture of shown) pictures.add(picture);
    return shown.map(refOf);
  });
  return { text, pictures: [...pictures] };
}

/** A text that is no draft, as where the storage was damaged: the card says that there was one. */
const damaged: DraftText = { at: 0, refs: [], draft: () => null };

/** Reads a kept draft. Undefined where there is no text. */
export function readDraft(text: string | undefined): DraftText | undefined {
  if (text === undefined) return undefined;
  const refs = new Map<string, PictureRef>();
  const parse = (replaced: (refs: readonly PictureRef[]) => unknown) =>
    JSON.parse(text, (name, value) =>
      name === PICTURES && Array.isArray(value) ? replaced(value.filter(isRef)) : value,
    );
  try {
    const { at } = parse((some) => some.map((ref) => refs.set(ref.name, ref)));
    if (typeof at !== "number") return damaged;
    return {
      at,
      refs: [...refs.values()],
      draft: (pictures) =>
        parse((some) => some.flatMap(({ name }) => pictures.get(name) ?? [])).draft ?? null,
    };
  } catch {
    return damaged;
  }
}

const isPicture = (part: unknown): part is KeptPicture => Object(part).type === "image_url";
