// Unsent answers of the terminal, a file for each request, in the folder of its session. The page keeps its own.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FormState, questionForm, questionRows } from "@askwire/client/form";
import type { CoreQuestion } from "@askwire/protocol";
import { BoundedMap } from "@askwire/protocol/internal";
import * as z from "zod/mini";

/** The most drafts of a session; the one that was changed longest ago goes. */
const MOST = 30;
/** The bytes of one draft, and of all of a session. A larger one lives as long as the process. */
const LARGEST = 512 * 1024;
const ALL = 2 * 1024 * 1024;
/** The time in which changes are gathered, in milliseconds. */
const GATHER_MS = 200;

const FILE = /^[0-9a-f]{32}\.json$/;

const Item = z.object({
  question_id: z.string(),
  selected: z.array(z.string()),
  own_text: z.optional(z.string()),
  note: z.optional(z.string()),
  skipped: z.optional(z.boolean()),
});

const Draft = z.object({
  row: z.int().check(z.minimum(0)),
  optionRow: z.optional(z.int().check(z.minimum(0))),
  chosen: z.array(z.string()),
  text: z.object({ text: z.string(), caret: z.int().check(z.minimum(0)) }),
  isTextAside: z.optional(z.boolean()),
  note: z.optional(z.string()),
  isSkipped: z.optional(z.boolean()),
  confirmed: z.optional(Item),
});

const Kept = z.object({
  questions: z.string(),
  tab: z.int().check(z.minimum(0)),
  drafts: z.array(z.unknown()),
});

export interface KeptDrafts {
  find(requestId: string, questions: readonly CoreQuestion[]): FormState | undefined;
  keep(requestId: string, form: FormState): void;
  drop(requestId: string): void;
  flush(): void;
}

/**
 * Drafts in a folder, which is made for the first one: it and its files are this person's alone (modes 0700 and 0600).
 * A disk that takes none, and a file about other questions, is as no draft.
 *
 * @param folder gives the folder, undefined while it is not known.
 * @param lost called where a draft is damaged, or of another version, and not all of it is found.
 */
export function keptDrafts(folder: () => string | undefined, lost: () => void = () => {}): KeptDrafts {
  const unwritten = new BoundedMap<string, FormState>(MOST);
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, form] of unwritten) attempt(() => write(folder(), id, form));
    unwritten.clear();
  }

  return {
    find(id, questions) {
      const place = folder();
      const text = place && attempt(() => readFileSync(fileOf(place, id), "utf8"));
      if (text === undefined) return undefined;
      const found = attempt(() => formIn(text, questions)) ?? { isWhole: false };
      if (!found.isWhole) lost();
      return "form" in found ? found.form : undefined;
    },
    keep(id, form) {
      unwritten.delete(id);
      // The oldest goes unwritten: written now, it would make room for those behind it.
      unwritten.set(id, form);
      timer ??= setTimeout(flush, GATHER_MS).unref();
    },
    drop(id) {
      unwritten.delete(id);
      const place = folder();
      if (place !== undefined) attempt(() => rmSync(fileOf(place, id), { force: true }));
    },
    flush,
  };
}

/** The name has nothing of the id, which others chose. */
const fileOf = (folder: string, id: string) => join(folder, `${digest(id)}.json`);

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 32);

function write(folder: string | undefined, id: string, { questions, drafts, tab }: FormState): void {
  if (folder === undefined) return;
  const file = fileOf(folder, id);
  // Pictures are not the terminal's.
  const text = JSON.stringify({ questions: digest(JSON.stringify(questions)), tab, drafts });
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST) return rmSync(file, { force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  makeRoom(folder, file, bytes);
  const written = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(written, text, { mode: 0o600, flag: "wx" });
  renameSync(written, file);
}

/** Removes the oldest drafts until there is room for one more. */
function makeRoom(folder: string, file: string, bytes: number): void {
  const others = readdirSync(folder)
    .filter((name) => FILE.test(name) && join(folder, name) !== file)
    .map((name) => ({ name, ...sizeOf(join(folder, name)) }))
    .sort((one, other) => one.at - other.at);
  let all = others.reduce((sum, { size }) => sum + size, bytes);
  for (let count = others.length; count >= MOST || all > ALL; count -= 1) {
    const oldest = others.shift();
    if (oldest === undefined) return;
    rmSync(join(folder, oldest.name), { force: true });
    all -= oldest.size;
  }
}

function sizeOf(file: string): { readonly size: number; readonly at: number } {
  const { size = 0, mtimeMs = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return { size, at: mtimeMs };
}

/** The form with the kept work, where that is about the same questions. Nothing in it is sent by itself. */
function formIn(
  text: string,
  questions: readonly CoreQuestion[],
): { readonly form?: FormState; readonly isWhole: boolean } {
  const kept = Kept.parse(JSON.parse(text));
  if (kept.questions !== digest(JSON.stringify(questions))) return { isWhole: true };
  const form = questionForm(questions);
  const read = questions.map((question, at) => draftIn(kept.drafts[at], question));
  const drafts = form.drafts.map((empty, at) => ({ ...empty, ...read[at] })) as FormState["drafts"];
  const tab = Math.min(kept.tab, questions.length);
  return { form: { ...form, drafts, tab }, isWhole: !read.includes(undefined) };
}

/** The work on a question. Undefined where the form of the question has no such work. */
function draftIn(kept: unknown, question: CoreQuestion): z.output<typeof Draft> | undefined {
  const { data: draft } = Draft.safeParse(kept);
  const isRow = (row: number | undefined) =>
    row === undefined || row < questionRows(question, { discusses: true }).length;
  return draft !== undefined && isRow(draft.row) && isRow(draft.optionRow) ? draft : undefined;
}

/** Does what may fail where a disk is full or a file damaged. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
