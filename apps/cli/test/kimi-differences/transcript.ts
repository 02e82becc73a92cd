/** The observations of a scenario's run: everything that a client, or a reader of the files, can see. */
export interface Entry {
  /** The key by which entries are matched: `event TurnBegin`, `response p1`, `journal TurnEnd`, `file a.txt`. */
  readonly key: string;
  readonly value: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** The key of a message of a server. */
export function keyOf(message: unknown): string {
  const { method, id, params } = (message ?? {}) as Members;
  if (method === undefined) return `response ${id ?? "null"}`;
  const { type, payload } = (params ?? {}) as Members;
  const part = type === "ContentPart" ? ` ${(payload as Members)?.type}` : "";
  return method === "event" || method === "request" ? `${method} ${type}${part}` : `method ${method}`;
}
