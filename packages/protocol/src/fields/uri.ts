import type { FieldInput, FieldSchema, FieldValue } from "./field-kind.js";

const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
/** A name with a port has the form of a scheme, and is not meant so. */
const PORT = /^[^/:]+:\d+(?:\/|$)/;

export const value: FieldValue = {
  boundedBy: "length",
  read(text) {
    if (!SCHEME.test(text) || /[\s\\]/.test(text) || PORT.test(text)) return undefined;
    try {
      return new URL(text).href;
    } catch {
      return undefined;
    }
  },
};

export const words = "an address with its scheme, such as https://example.com";
export const schema: FieldSchema = { type: "string", format: "uri" };
export const input: FieldInput = { type: "text", inputMode: "url" };
