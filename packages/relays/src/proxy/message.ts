/** An id as a key: the number 0 and the text "0" are two. */
export const idKey = (id: unknown): string => JSON.stringify(id) ?? "";

/** The members of an object, each unknown; those of any other value are undefined. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> => Object(value);

/** A text among unknown members; undefined for any other value. */
export const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
