/** The text of a notification. The session adds its id and time. */
export interface Notice {
  /** The area of the notification, in any word. */
  readonly category: string;
  /** The kind of event, in any word. A hook's matcher is searched in it (P-HOK-5). */
  readonly type: string;
  /** The subject of the notification: a kind of thing, such as a task, and its id. */
  readonly source_kind: string;
  readonly source_id: string;
  /** A line for the person. */
  readonly title: string;
  /** More text, possibly empty. */
  readonly body: string;
  /** The importance, in any word, such as `info` or `error`. */
  readonly severity: string;
  /** For programs. Default: empty. */
  readonly payload?: Record<string, unknown>;
}
