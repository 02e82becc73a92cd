import { open } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { ClaudePermission } from "./event.js";

/** The time between two looks, in milliseconds. */
const LOOK_MS = 500;
/** The most of a transcript that is read at a look, in bytes: its end. */
const MOST_READ = 4 * 1_048_576;
/** The most calls that are kept in mind. */
const MOST_CALLS = 1_000;

/**
 * Watches for the end of Claude Code, and for a call that was answered in its terminal: nothing else says so.
 *
 * @param pid the process of Claude Code; undefined where it is not known.
 * @param gone called once, when there is nobody left to read an answer.
 * @returns a function that ends the watch.
 */
export function watchElsewhere(
  call: ClaudePermission | undefined,
  pid: number | undefined,
  gone: () => void,
): () => void {
  const transcript =
    call?.transcript_path === undefined ? undefined : new Transcript(call.transcript_path, call);
  let isOver = false;
  const look = async () => {
    const answered = (await transcript?.isAnswered()) === true;
    if (isOver) return;
    if (answered || (pid !== undefined && !isAlive(pid))) return gone();
    timer = setTimeout(look, LOOK_MS);
  };
  let timer = setTimeout(look, 0);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The transcript of a conversation, which has a result once a call was answered. It is written while it is read. */
class Transcript {
  readonly #path: string;
  readonly #call: ClaudePermission;
  /** The calls that are like this one, by id, without those that had a result at the first look. */
  readonly #alike = new Set<string>();
  readonly #results = new Set<string>();
  #at = 0;
  #isFirst = true;

  constructor(path: string, call: ClaudePermission) {
    this.#path = path;
    this.#call = call;
  }

  /** True if a call like this one got its result since the first look. A transcript that cannot be read says nothing. */
  async isAnswered(): Promise<boolean> {
    const lines = await this.#newLines().catch(() => []);
    for (const line of lines) this.#read(line);
    const ended = [...this.#alike].filter((id) => this.#results.has(id));
    if (this.#isFirst) for (const id of ended) this.#alike.delete(id);
    const isAnswered = !this.#isFirst && ended.length > 0;
    this.#isFirst = false;
    return isAnswered;
  }

  async #newLines(): Promise<string[]> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      const from = Math.max(this.#at, size - MOST_READ);
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(Math.max(0, size - from)),
        0,
        size - from,
        from,
      );
      const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      this.#at = from + whole;
      return buffer.toString("utf8", 0, whole).split("\n");
    } finally {
      await file.close();
    }
  }

  #read(line: string): void {
    if (!line.includes('"tool_use')) return;
    for (const part of partsOf(line)) {
      const { type, id, tool_use_id: of } = part;
      if (type === "tool_use" && typeof id === "string" && this.#isAlike(part)) keep(this.#alike, id);
      if (type === "tool_result" && typeof of === "string") keep(this.#results, of);
    }
  }

  #isAlike({ name, input }: Readonly<Record<string, unknown>>): boolean {
    const { tool_name, tool_input } = this.#call;
    // A plan is written into its file, and the call in the transcript has no input.
    return name === tool_name && (name === "ExitPlanMode" || isDeepStrictEqual(input, tool_input));
  }
}

function keep(ids: Set<string>, id: string): void {
  ids.add(id);
  if (ids.size > MOST_CALLS) for (const oldest of ids) return void ids.delete(oldest);
}

/** The parts of the message in a line; none in a line of another kind. */
function partsOf(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const content = JSON.parse(line)?.message?.content;
    return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
  } catch {
    return [];
  }
}
