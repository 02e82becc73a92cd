/** The place of a kept picture, with the key that alone makes it readable. The reference lies with the draft. */
export interface PictureRef {
  readonly name: string;
  /** 32 bytes in base64. */
  readonly key: string;
}

/** Texts of pictures, as data URLs, in a place for large ones. Each method rejects where the browser takes none. */
export interface PictureBox {
  put(ref: PictureRef, text: string): Promise<void>;
  /** Undefined for a picture that lies there no more. */
  get(ref: PictureRef): Promise<string | undefined>;
  drop(names: readonly string[]): Promise<void>;
}

/** A reference to a new picture. Its name says when it came and how large it is. */
export function newRef(at: number, bytes: number): PictureRef {
  const chance = crypto.getRandomValues(new Uint8Array(40));
  const name = `${at}-${bytes}-${[...chance.subarray(32)].join(".")}`;
  return { name, key: btoa(String.fromCharCode(...chance.subarray(0, 32))) };
}

/** The time at which a picture came, in milliseconds, and its bytes, both out of its name. */
export function writtenIn(name: string): { readonly at: number; readonly bytes: number } {
  const [at = 0, bytes = 0] = name.split("-").map(Number);
  return { at, bytes };
}

/** The bytes of a key. */
export const pictureKey = (key: string): Uint8Array =>
  Uint8Array.from(atob(key), (character) => character.charCodeAt(0));

/** True for a reference as a kept draft has it. */
export const isRef = (value: unknown): value is PictureRef => {
  const { name, key } = Object(value);
  return typeof name === "string" && typeof key === "string";
};
