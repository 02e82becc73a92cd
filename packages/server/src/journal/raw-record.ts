/** A set of types of records. */
interface RecordTypes {
  has(type: string): boolean;
}

/** The members of a record, of which nothing is checked. */
export type RawPayload = Readonly<Record<string, unknown>>;

/** The beginning of most records, ours and Kimi's. */
const frame = /^\{"timestamp": ?[\d.]+, ?"message": ?\{"type": ?"(\w+)"/;

/** False for the beginning of a line with a record of none of the types. A beginning of another form may be any. */
export function beginsRecord(beginning: string, types: RecordTypes): boolean {
  const [, type] = frame.exec(beginning) ?? [];
  return type === undefined || types.has(type);
}

/** Reads a record of one of the types, unchecked: a whole check takes twice as long. Undefined for any other line. */
export function rawRecord(
  text: string,
  types: RecordTypes,
): { readonly type: string; readonly payload?: RawPayload | null } | undefined {
  if (!beginsRecord(text, types)) return undefined;
  try {
    const { message } = JSON.parse(text);
    return types.has(message?.type) ? message : undefined;
  } catch {
    return undefined;
  }
}
