/** What a notification says; its id and time are the session's. */
export interface Notice {
  readonly category: string;
  readonly type: string;
  /** What it is about: a kind of thing, such as a task, and its id. */
  readonly source_kind: string;
  readonly source_id: string;
  readonly title: string;
  readonly body: string;
  readonly severity: string;
  /** For programs. Default: empty. */
  readonly payload?: Record<string, unknown>;
}
