// The parts of a type of field. Each is an export of its own, so that a bundle carries only what it reads.

/** The part of a value that bounds are about. A `text` is compared as a whole, in canonical form. */
export type BoundedBy = "length" | "number" | "text" | "none";

/** The values of a type, and what their bounds are about. */
export interface FieldValue {
  readonly boundedBy: BoundedBy;
  /**
   * Makes the canonical form of a text without blanks around it; undefined if the text has another type (P-XFL-3).
   * A type without it takes any text as it came.
   */
  readonly read?: (text: string) => string | undefined;
}

/** The schema of a value in JSON: in a form of MCP or ACP, its property. */
export interface FieldSchema {
  readonly type: "string" | "number" | "integer" | "boolean";
  readonly format?: string;
}

/** The input of a page, where the value is typed on one line. */
export interface FieldInput {
  readonly type: "text" | "date";
  readonly inputMode?: "decimal" | "numeric" | "email" | "url";
  /** The texts that an input shows which chooses, and shows nothing of others. */
  readonly shows?: RegExp;
}
