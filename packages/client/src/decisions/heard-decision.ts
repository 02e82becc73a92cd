/** The person who decided, by the word of the server's door; with `via` alone where the name was removed. */
export interface HeardDecider {
  readonly id?: string;
  readonly name?: string;
  readonly via: string;
  readonly device?: string;
}

/** A question or an approval that is over, as a client is told it (P-XPD-2). All texts are foreign. */
export interface HeardDecision {
  /** The time of its outcome, in ISO 8601. */
  readonly at: string;
  readonly session_id: string;
  /** `question`, `approval`, or a word of a newer server; so are `status`, `reason` and `by`. */
  readonly kind: string;
  readonly status: string;
  /** The time when somebody was asked. */
  readonly asked_at?: string;
  readonly title?: string;
  readonly folder?: string;
  readonly request_id?: string;
  readonly tool_call_id?: string;
  readonly program?: string;
  readonly asked?: string;
  readonly digest?: string;
  readonly request?: unknown;
  readonly reason?: string;
  readonly by?: string;
  readonly rule?: string;
  readonly answer?: string;
  readonly response?: unknown;
  readonly note?: string;
  readonly who?: HeardDecider;
  readonly client?: { readonly name: string; readonly connection?: string };
  readonly answer_id?: string;
  readonly forgotten?: string;
  /** True where a text was cut, or the request or the answer left out, for its length. */
  readonly cut?: true;
}

const texts = [
  ...["at", "session_id", "kind", "status", "asked_at", "title", "folder", "request_id", "tool_call_id"],
  ...["program", "asked", "digest", "reason", "by", "rule", "answer", "note", "answer_id", "forgotten"],
] as const;

/** Reads a row: a member of another type is left out. Undefined for a row without what every row has. */
export function readDecision(row: unknown): HeardDecision | undefined {
  const { request, response, who, client, cut } = Object(row);
  const read = textsOf(row, texts);
  const person = textsOf(who, ["id", "name", "via", "device"]);
  const program = textsOf(client, ["name", "connection"]);
  if (["at", "session_id", "kind", "status"].some((name) => read[name] === undefined)) return undefined;
  return {
    ...read,
    ...(request !== undefined && { request }),
    ...(response !== undefined && { response }),
    ...(person.via !== undefined && { who: person }),
    ...(program.name !== undefined && { client: program }),
    ...(cut === true && { cut }),
  } as unknown as HeardDecision;
}

function textsOf(given: unknown, names: readonly string[]): Record<string, string> {
  const from = Object(given);
  return Object.fromEntries(
    names.flatMap((name) => (typeof from[name] === "string" ? [[name, from[name]]] : [])),
  );
}
