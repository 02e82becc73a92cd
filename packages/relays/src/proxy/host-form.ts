import { contentProblems } from "@askwire/client/json-schema";
import type { FormProperty, FormSchema } from "@askwire/protocol/internal";
import { patternSearch } from "@askwire/server/internal";
import { membersOf } from "./message.js";

/** The reading of what a host sends for a form: the content for the agent, or what did not fit. */
export type HostContent =
  | { readonly content: Readonly<Record<string, unknown>> }
  | { readonly mistakes: string };

/** A form as the host gets it. */
export interface HostForm {
  /** The schema that the host shows in the place of the agent's; undefined where it would not misread that. */
  readonly schema: FormSchema | undefined;
  read(content: unknown): HostContent;
}

/**
 * Prepares a form for a host. Some order fields by their keys, and some take the first option of a required choice for
 * chosen: the keys then sort as the questions do, and no choice without a default is required. What the agent requires
 * is checked when the host replies.
 */
export function formForHost(schema: FormSchema): HostForm {
  const entries = Object.entries(schema.properties ?? {});
  const names = namesFor(entries.map(([key]) => key));
  const free = new Set(entries.filter(([, property]) => isPreselected(property)).map(([key]) => key));
  const required = (schema.required ?? []).filter((key) => !free.has(key));
  const isRead = names.size === 0 && required.length === (schema.required ?? []).length;
  const nameOf = (key: string) => names.get(key) ?? key;
  return {
    schema: isRead
      ? undefined
      : {
          ...schema,
          properties: Object.fromEntries(entries.map(([key, property]) => [nameOf(key), property])),
          required: required.map(nameOf),
        },
    read(sent) {
      const keys = new Map([...names].map(([key, name]) => [name, key]));
      const content = Object.fromEntries(
        Object.entries(membersOf(sent)).map(([name, value]) => [keys.get(name) ?? name, value]),
      );
      const problems = contentProblems({ schema, patternSearch }, content);
      if (problems.size === 0) return { content };
      const titles = new Map(entries.map(([key, { title }]) => [key, title]));
      const mistakes = [...problems].map(([key, problem]) => `${titles.get(key) || key}: ${problem}`);
      return { mistakes: mistakes.join("; ") };
    },
  };
}

/** Names that sort as the keys stand; none where these do so themselves. */
function namesFor(keys: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...keys].sort((left, right) => (left < right ? -1 : 1));
  if (sorted.every((key, index) => key === keys[index])) return new Map();
  const { length } = String(keys.length);
  return new Map(keys.map((key, index) => [key, `${String(index + 1).padStart(length, "0")}_${key}`]));
}

/** True for a choice of one that nothing is suggested for. */
const isPreselected = ({ type, enum: plain, oneOf, default: suggested }: FormProperty) =>
  type !== "array" && (plain ?? oneOf) != null && suggested === undefined;
