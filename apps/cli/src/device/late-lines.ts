/** The time in which lines may reach a terminal that has another width by then, in milliseconds. */
const LATE_MS = 300;
/** The most lines that are kept. */
const MOST_LINES = 200;

/**
 * The last lines above a frame. A terminal may have got another width before they came: where they stand then cannot be
 * told, but they and the frame take as many rows as if they had come before. So they are erased and written with it.
 */
export class LateLines {
  readonly #now: () => number;
  #kept: { readonly line: string; readonly at: number }[] = [];

  /** @param now milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Notes lines.
   *
   * @param isCounted reports if the rows of a line can be counted. What is above one that cannot is not found again.
   */
  wrote(lines: readonly string[], isCounted: (line: string) => boolean): void {
    const at = this.#now();
    const from = lines.findLastIndex((line) => !isCounted(line)) + 1;
    const before = from > 0 ? [] : this.#kept;
    this.#kept = [...before, ...lines.slice(from).map((line) => ({ line, at }))].slice(-MOST_LINES);
  }

  /** Takes the lines that may have come late, as many of the last ones as have room. */
  lines(hasRoom: (lines: readonly string[]) => boolean): readonly string[] {
    const since = this.#now() - LATE_MS;
    const late = this.#kept.filter(({ at }) => at >= since).map(({ line }) => line);
    this.#kept = [];
    let from = 0;
    while (from < late.length && !hasRoom(late.slice(from))) from += 1;
    return late.slice(from);
  }

  forget(): void {
    this.#kept = [];
  }
}
