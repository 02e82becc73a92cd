import { WrongUse } from "../wrong-use.js";
import type { Suite } from "./suite.js";

/** The checks to run. */
export interface Selection {
  /** Ids of checks or of sentences, separated by commas. A `*` stands for any characters. */
  readonly only?: string | undefined;
  /** A regular expression that titles match, upper and lower case alike. */
  readonly grep?: string | undefined;
}

/**
 * The ids of the chosen checks and lines.
 *
 * @returns undefined for all of them.
 * @throws WrongUse where a word chooses nothing.
 */
export function selected(
  { checks, exceptions }: Pick<Suite, "checks" | "exceptions">,
  { only, grep }: Selection,
): ReadonlySet<string> | undefined {
  if (only === undefined && grep === undefined) return undefined;
  const lines = [...checks, ...exceptions.map(({ id, why }) => ({ id, title: why, rules: [] }))];
  const named = only === undefined ? lines : lines.filter(namedBy(only, lines));
  const found = grep === undefined ? named : named.filter(({ title }) => pattern(grep).test(title));
  if (found.length === 0) throw new WrongUse(`--grep ${grep}: there is no such check; --list shows all`);
  return new Set(found.map(({ id }) => id));
}

type Line = Pick<Suite["checks"][number], "id" | "rules">;

function namedBy(only: string, lines: readonly Line[]): (line: Line) => boolean {
  const words = only.split(",").map((word) => word.trim().toUpperCase());
  const fits = words.map((word) => {
    const form = new RegExp(`^${word.split("*").map(escaped).join(".*")}$`);
    return ({ id, rules }: Line) => [id, ...rules].some((name) => form.test(name));
  });
  const unknown = words.filter((_, index) => !lines.some((line) => fits[index]?.(line)));
  if (unknown.length > 0)
    throw new WrongUse(`--only ${only}: there is no check ${unknown.join(", ")}; --list shows all`);
  return (line) => fits.some((fit) => fit(line));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function pattern(text: string): RegExp {
  try {
    return new RegExp(text, "i");
  } catch (error) {
    throw new WrongUse(`--grep ${text}: ${error instanceof Error ? error.message : error}`);
  }
}
