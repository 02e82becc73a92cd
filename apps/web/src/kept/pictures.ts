import type { AnswerItem } from "@askwire/protocol";
import { newRef, type PictureBox, type PictureRef } from "./picture-ref.js";

/** A picture of an answer, with a data URL. */
export type KeptPicture = Extract<
  NonNullable<AnswerItem["attachments"]>[number],
  { readonly type: "image_url" }
>;

/** The pictures of unsent work, in a box that takes its time. */
export interface KeptPictures {
  /** The reference of a picture, the same one each time. */
  refOf(picture: KeptPicture): PictureRef;
  /** Keeps pictures. Resolves with false where the browser does not take all of them. */
  keep(pictures: readonly KeptPicture[]): Promise<boolean>;
  /** Those of the pictures that are there, by their names. */
  find(refs: readonly PictureRef[]): Promise<ReadonlyMap<string, KeptPicture>>;
  drop(refs: readonly PictureRef[]): void;
}

/** The time for one step, in milliseconds: some databases never answer. */
const PATIENCE_MS = 10_000;

/**
 * @param open gives the box. It is called when there is a picture, and may reject.
 */
export function keptPictures(open: () => Promise<PictureBox>, now: () => number): KeptPictures {
  const refs = new WeakMap<KeptPicture, PictureRef>();
  /** True for a picture that is kept, by its name. One that was not taken is tried again. */
  const kept = new Map<string, Promise<boolean>>();
  let last: Promise<unknown> = Promise.resolve();
  let isDead = false;

  /** Does one step after the other, so that a picture is dropped after it was put. */
  function next<T>(step: (box: PictureBox) => Promise<T>): Promise<T> {
    const done = last.then(() => {
      if (isDead) throw new Error("the database of the browser does not answer");
      return inTime(open().then(step), () => {
        isDead = true;
      });
    });
    last = done.catch(() => {});
    return done;
  }

  function refOf(picture: KeptPicture): PictureRef {
    const known = refs.get(picture);
    if (known !== undefined) return known;
    const ref = newRef(now(), picture.image_url.url.length);
    refs.set(picture, ref);
    return ref;
  }

  function keepOne(picture: KeptPicture): Promise<boolean> {
    const ref = refOf(picture);
    const known = kept.get(ref.name);
    if (known !== undefined) return known;
    const isKept = next((box) => box.put(ref, picture.image_url.url)).then(
      () => true,
      () => {
        kept.delete(ref.name);
        return false;
      },
    );
    kept.set(ref.name, isKept);
    return isKept;
  }

  return {
    refOf,
    keep: async (pictures) => (await Promise.all(pictures.map(keepOne))).every((isKept) => isKept),
    async find(wanted) {
      const found = new Map<string, KeptPicture>();
      for (const ref of wanted) {
        const url = await next((box) => box.get(ref)).catch(() => undefined);
        if (url === undefined) continue;
        const picture: KeptPicture = { type: "image_url", image_url: { url, id: null } };
        refs.set(picture, ref);
        kept.set(ref.name, Promise.resolve(true));
        found.set(ref.name, picture);
      }
      return found;
    },
    drop(gone) {
      if (gone.length === 0) return;
      const names = gone.map(({ name }) => name);
      for (const name of names) kept.delete(name);
      next((box) => box.drop(names)).catch(() => {});
    },
  };
}

/** A promise that rejects where it takes too long. */
async function inTime<T>(work: Promise<T>, onLate: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error("it took too long"));
    }, PATIENCE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
