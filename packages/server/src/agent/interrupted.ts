/** Work of `turn.once` was begun by a process that ended before it was done: its effect is not known (P-RES-7). */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  /** The key of the work. */
  readonly key: string;

  constructor(key: string) {
    super(`the work "${key}" was begun by an earlier process and not done: its effect is not known`);
    this.key = key;
  }
}
