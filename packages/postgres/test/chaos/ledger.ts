import type { Told } from "./told.js";

type Ended = Extract<Told, { what: "ended" }>;

/** All that programs and people said: a program that is killed may say a thing twice. */
export class Ledger {
  /** The question that each session goes on with. */
  readonly next = new Map<string, number>();
  /** The answers that programs were told, by the id of the question. */
  readonly answers = new Map<string, string>();
  /** The questions that could not be kept, which programs are told too. */
  /** The time at which each was told, with its session and its number there. */
  readonly at = new Map<string, string>();
  readonly unkept = new Set<string>();
  /** The ids under which the question of each key was shown, or ended. */
  readonly ids = new Map<string, Set<string>>();
  /** Things that should never be, in words. */
  readonly wrong: string[] = [];

  take(told: Told): void {
    if (told.what === "shown") this.#named(told.key, told.request);
    if (told.what === "failed") this.wrong.push(told.why);
    if (told.what === "ended") this.#ended(told);
  }

  #named(key: string, request: string): void {
    this.ids.set(key, (this.ids.get(key) ?? new Set()).add(request));
  }

  #ended({ session, count, request, outcome, label }: Ended): void {
    this.#named(`${session}-${count}`, request);
    this.next.set(session, Math.max(this.next.get(session) ?? 1, count + 1));
    if (outcome.reason === "not_kept") return void this.unkept.add(request);
    const was = this.answers.get(request);
    if (outcome.status !== "answered" || label === undefined)
      this.wrong.push(`${request} ended ${JSON.stringify(outcome)}`);
    else if (was !== undefined && was !== label)
      this.wrong.push(`${request} was answered ${was}, then ${label}`);
    else {
      this.answers.set(request, label);
      this.at.set(request, `${new Date().toISOString()} ${session} ${count}`);
    }
  }
}
