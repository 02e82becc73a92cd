import { chacha20poly1305 } from "@noble/ciphers/chacha.js";
import { createStore, delMany, get, keys, set } from "idb-keyval";
import { type PictureBox, pictureKey, writtenIn } from "./picture-ref.js";

/** The most pictures that are kept; older ones go. */
const MOST = 60;
/** Bytes of all pictures. */
const ALL = 64 * 1024 * 1024;
/** The time after which a picture goes, since nobody can say that its tab was closed, in milliseconds. */
const AGE_MS = 30 * 24 * 60 * 60 * 1_000;

/** One nonce is enough, since each key encrypts one picture. */
const nonce = new Uint8Array(12);

/** Pictures in the database of the browser, which outlives tabs: what lies there is unreadable without its key. */
export default function pictureBox(now: () => number): PictureBox {
  const database = createStore("askwire", "pictures");

  /** Drops what is too old, and the oldest until there is room for one more. */
  async function makeRoom(bytes: number): Promise<void> {
    const names = (await keys<string>(database)).sort(
      (one, other) => writtenIn(one).at - writtenIn(other).at,
    );
    const over: string[] = [];
    let all = names.reduce((sum, name) => sum + writtenIn(name).bytes, bytes);
    for (const [index, name] of names.entries()) {
      const { at, bytes } = writtenIn(name);
      if (names.length - index < MOST && all <= ALL && at > now() - AGE_MS) break;
      over.push(name);
      all -= bytes;
    }
    await delMany(over, database);
  }

  return {
    async put({ name, key }, text) {
      const bytes = chacha20poly1305(pictureKey(key), nonce).encrypt(new TextEncoder().encode(text));
      await makeRoom(bytes.length);
      await set(name, bytes, database);
    },
    async get({ name, key }) {
      const bytes = await get<Uint8Array>(name, database);
      if (bytes === undefined) return undefined;
      return new TextDecoder().decode(chacha20poly1305(pictureKey(key), nonce).decrypt(bytes));
    },
    drop: (names) => delMany([...names], database),
  };
}
