/** A member of a value that nobody has checked. Undefined where there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
