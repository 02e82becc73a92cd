// The questions under a handle, one file each, so that another process of `askwire mcp` has the labels of an answer.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { BoundedMap } from "@askwire/protocol/internal";
import { type AskedQuestion, readQuestions } from "../ask/questions.js";
import { writeOnce } from "../input/write-once.js";

/** The most handles whose questions are known: as many as a gateway remembers (P-XAK-4). */
const MOST = 256;
/** The handles at which the oldest files are removed, so that not every call looks at all of them. */
const TOO_MANY = MOST + 64;

/** The questions that were asked, by handle. */
export interface AskedContent {
  keep(handle: string, questions: readonly AskedQuestion[]): void;
  /** @param handle one of this person's own, since it names a file. */
  of(handle: string): readonly AskedQuestion[] | undefined;
}

/** The questions in a folder that only its owner can read. Where it cannot be written, this process alone knows them. */
export function askedContentIn(folder: string): AskedContent {
  const known = new BoundedMap<string, readonly AskedQuestion[]>(MOST);
  const fileOf = (handle: string) => join(folder, `${handle}.json`);

  function removeOldest(): void {
    const names = readdirSync(folder);
    if (names.length <= TOO_MANY) return;
    const aged = names.map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
    for (const { name } of aged.sort((a, b) => a.at - b.at).slice(0, -MOST))
      rmSync(join(folder, name), { force: true });
  }

  return {
    keep(handle, questions) {
      if (known.get(handle) !== undefined) return;
      known.set(handle, questions);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeOnce(fileOf(handle), JSON.stringify({ questions }));
        removeOldest();
      } catch {
        // The questions are asked all the same.
      }
    },
    of(handle) {
      const here = known.get(handle);
      if (here !== undefined) return here;
      try {
        return readQuestions(readFileSync(fileOf(handle), "utf8"), handle);
      } catch {
        return undefined;
      }
    },
  };
}
