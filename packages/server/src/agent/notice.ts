/** What a notification says; its id and time are the session's. */
export interface Notice {
  /** What area it is of; any word. */
  readonly category: string;
  /** What happened; any word, and what a hook's matcher is searched in (P-HOK-5). */
  readonly type: string;
  /** What it is about: a kind of thing, such as a task, and its id. */
  readonly source_kind: string;
  readonly source_id: string;
  /** One line for the person. */
  readonly title: string;
  /** More of it; may be empty. */
  readonly body: string;
  /** How much it matters; any word, such as `info` or `error`. */
  readonly severity: string;
  /** For programs. Default: empty. */
  readonly payload?: Record<string, unknown>;
}
