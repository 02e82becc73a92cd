import type { Entry } from "./transcript.js";

/** Members whose numbers are times and durations. */
const times = new Set(["timestamp", "created_at", "duration_ms", "wait_s"]);

/** A UUID with or without its dashes, or an id of twelve hexadecimal digits. */
const ids =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{12}\b/g;

/** Removes all that differs from run to run. Folders get names, ids their order of appearance, times a mark. */
export function normalised(entries: readonly Entry[], folders: Readonly<Record<string, string>>): Entry[] {
  const numbers = new Map<string, number>();
  const number = (id: string) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size + 1);
    return `<id ${numbers.get(id)}>`;
  };
  const text = (value: string) => {
    let rest = value;
    for (const [name, path] of Object.entries(folders)) rest = rest.replaceAll(path, `<${name}>`);
    return rest.replace(ids, number);
  };
  function walk(value: unknown, key = ""): unknown {
    if (typeof value === "string") return text(value);
    if (typeof value === "number" && times.has(key)) return "<time>";
    if (Array.isArray(value)) return value.map((item) => walk(item));
    if (typeof value !== "object" || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [text(name), walk(member, name)]);
    return Object.fromEntries(members);
  }
  return entries.map(({ key, value }) => ({ key: text(key), value: walk(value) }));
}
