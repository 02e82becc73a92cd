// The texts sent from the prompt, one JSON string a line, in a file of this person alone.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The most texts kept, their UTF-16 units in all, and the units of one: a longer one is not kept. */
const MOST_TEXTS = 200;
const MOST_UNITS = 128 * 1024;
const LONGEST = 8 * 1024;
/** The most bytes that are read. */
const MOST_READ = 1024 * 1024;

/**
 * Texts of the prompt in a folder, which is made for the first one (modes 0700 and 0600). A disk that takes none, and a
 * damaged file, are as no text.
 */
export function keptPrompts(folder: string) {
  const file = join(folder, "prompts.jsonl");
  const load = () => attempt(() => textsIn(readFileSync(file, "utf8").slice(-MOST_READ))) ?? [];
  return {
    load,
    add(text: string): void {
      if (text.length > LONGEST) return;
      // Another session may have written meanwhile.
      const all = [...load().filter((other) => other !== text), text];
      attempt(() => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const written = `${file}.${process.pid}`;
        writeFileSync(
          written,
          bounded(all)
            .map((one) => `${JSON.stringify(one)}\n`)
            .join(""),
          { mode: 0o600 },
        );
        renameSync(written, file);
      });
    },
  };
}

/** The last texts that may be kept. */
function bounded(texts: readonly string[]): readonly string[] {
  let units = 0;
  const from = texts.findLastIndex((text, at) => {
    units += text.length;
    return units > MOST_UNITS || texts.length - at > MOST_TEXTS;
  });
  return texts.slice(from + 1);
}

const textsIn = (content: string): string[] =>
  content.split("\n").flatMap((line) => {
    const text = attempt(() => JSON.parse(line) as unknown);
    return typeof text === "string" ? [text] : [];
  });

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
