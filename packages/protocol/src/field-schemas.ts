import type { FieldType } from "./messages/question-field.js";

/** The schema of a field's value in JSON: in a form of MCP or ACP, its property. */
export const fieldSchemas = {
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  email: { type: "string", format: "email" },
  uri: { type: "string", format: "uri" },
} as const satisfies {
  readonly [T in FieldType]: {
    readonly type: "string" | "number" | "integer" | "boolean";
    readonly format?: string;
  };
};
