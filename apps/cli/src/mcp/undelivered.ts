// The questions whose outcome no call has had yet, one file each: another process of `askwire mcp` finds them too.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { BoundedMap } from "@askwire/protocol/internal";
import * as z from "zod/mini";
import { writeOnce } from "../input/write-once.js";
import type { ContentToAsk, GatewayAsker, OpenQuestions } from "./asking.js";

/** The time for which an answer that no call has fetched goes to the next call of the same words, in milliseconds. */
const FRESH_MS = 15 * 60_000;
/** The texts of a request by which people and models know it. */
const textsOf = (content: ContentToAsk): readonly string[] =>
  "approval" in content ? [content.approval.description] : content.questions.map(({ question }) => question);

/** The most questions that are found by their words: as many as a gateway remembers (P-XAK-4). */
const MOST = 256;
/** The UTF-16 units of a question that a list shows. */
const MOST_SHOWN = 200;

const Kept = z.object({
  handle: z.string(),
  name: z.string(),
  folder: z.string(),
  questions: z.array(z.string()),
});
type Kept = z.output<typeof Kept>;

/** The handles of questions whose outcome no call has had, by a digest of agent, folder and questions. */
export interface Undelivered {
  /** The handle of the same questions, where no call has had their outcome; else the new one, which is kept. */
  handleFor(asker: GatewayAsker, content: ContentToAsk, make: () => string): string;
  /** A call has the outcome, or nobody wants it. */
  delivered(handle: string): void;
  /** True for an end that is too old to answer the same words again, or that has no valid time. */
  isStale(at: number): boolean;
  /** The questions of an asker, oldest first. */
  of(asker: GatewayAsker): readonly OpenQuestions[];
}

/**
 * The handles in a folder, which only its owner can read. A file that cannot be written is no reason not to ask: the
 * same words are then found by this process alone, as long as it can.
 *
 * @param now milliseconds since 1970.
 */
export function undeliveredHandles(folder: string, now: () => number): Undelivered {
  /** The digests of handles that this process has used. */
  const digests = new BoundedMap<string, string>(MOST);
  const fileOf = (digest: string) => join(folder, `${digest}.json`);

  function read(digest: string): Kept | undefined {
    try {
      const { success, data } = Kept.safeParse(JSON.parse(readFileSync(fileOf(digest), "utf8")));
      return success ? data : undefined;
    } catch {
      return undefined;
    }
  }

  /** The digests of the folder, oldest first. */
  function all(): string[] {
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
      const aged = names.map((name) => ({ digest: name.slice(0, -5), at: timeOf(join(folder, name)) }));
      return aged.sort((a, b) => a.at - b.at).map(({ digest }) => digest);
    } catch {
      return [];
    }
  }

  /** Keeps the handle, unless another process has kept one for the same questions: then that one counts. */
  function keep(digest: string, kept: Kept): string {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // A damaged file names no handle.
      if (read(digest) === undefined) rmSync(fileOf(digest), { force: true });
      writeOnce(fileOf(digest), JSON.stringify(kept));
      for (const oldest of all().slice(0, -MOST)) rmSync(fileOf(oldest), { force: true });
    } catch {
      // Nothing is kept, and the questions are asked all the same.
    }
    return read(digest)?.handle ?? kept.handle;
  }

  return {
    isStale: (at) => !(now() - at <= FRESH_MS),
    handleFor({ name, folder: at }, content, make) {
      const asked = "approval" in content ? content.approval : content.questions;
      const digest = createHash("sha256")
        .update(JSON.stringify([name, at, asked]))
        .digest("hex");
      const shown = textsOf(content).map((text) => text.slice(0, MOST_SHOWN));
      const handle =
        read(digest)?.handle ?? keep(digest, { handle: make(), name, folder: at, questions: shown });
      digests.set(handle, digest);
      return handle;
    },
    delivered(handle) {
      const known = digests.get(handle);
      const found = known === undefined ? all() : [known];
      for (const digest of found)
        if (read(digest)?.handle === handle) rmSync(fileOf(digest), { force: true });
    },
    of: ({ name, folder: at }) =>
      all().flatMap((digest) => {
        const kept = read(digest);
        return kept?.name === name && kept.folder === at
          ? [{ handle: kept.handle, questions: kept.questions }]
          : [];
      }),
  };
}

const timeOf = (file: string): number => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};
