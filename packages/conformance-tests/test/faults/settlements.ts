/** The records that show that a request was made. */
const opened = ["QuestionRequest", "ToolCallRequest", "InteractionOpened"];

/** Each request that the lines of a journal show, with the number of its settlements. */
export function settlementsIn(lines: readonly string[]): string[] {
  const found = new Map<string, { kind: string; times: number }>();
  for (const line of lines) {
    const { type, payload } = JSON.parse(line).message ?? {};
    const id = payload?.request_id ?? payload?.id;
    if (opened.includes(type)) found.set(id, { kind: type, times: 0 });
    if (type !== "InteractionSettled") continue;
    const { kind, times } = found.get(id) ?? { kind: payload.kind, times: 0 };
    found.set(id, { kind, times: times + 1 });
  }
  return [...found.values()].map(({ kind, times }) => `${kind}: ${times}`);
}
