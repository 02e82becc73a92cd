import * as z from "zod/mini";
import type { Out, Schema } from "./contract.js";

export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Validates a value. An entry for Node may bring a compiled one; browsers interpret, since they forbid `eval`. */
export type Validate = <S extends Schema>(schema: S, value: unknown) => Parsed<Out<S>>;

/** The validator that runs anywhere. */
export const validate: Validate = (schema, value) => {
  const result = z.safeParse(schema, value);
  return result.success
    ? { ok: true, value: result.data as Out<typeof schema> }
    : { ok: false, problem: describeIssues(result.error.issues) };
};

/** Compiling takes as long as this many interpreted calls, so only schemas that are used more are compiled. */
const WORTH_COMPILING = 32;

/**
 * A validator that compiles the schemas that turn out to be used often.
 *
 * @param compile makes a faster schema of a schema, such as `z.compile`, which generates code.
 */
export function compilingValidator(compile: <S extends Schema>(schema: S) => S): Validate {
  const uses = new WeakMap<Schema, { calls: number; fast: Schema | undefined }>();
  return (schema, value) => {
    let use = uses.get(schema);
    if (use === undefined) {
      use = { calls: 0, fast: undefined };
      uses.set(schema, use);
    }
    use.calls += 1;
    if (use.calls === WORTH_COMPILING) use.fast = compile(schema);
    return validate((use.fast ?? schema) as typeof schema, value);
  };
}

/** Says what is wrong, where: `questions[0].options: expected array`. At most three issues, then a count. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, 3).map((issue) => {
    const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    const place = path.replace(/^\./, "");
    return place === "" ? expectation(issue) : `${place}: ${expectation(issue)}`;
  });
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`);
  return shown.join("; ");
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "invalid_value":
      return `expected ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_union":
      return "discriminator" in issue && issue.discriminator !== undefined
        ? `unknown ${issue.discriminator}`
        : "fits none of the allowed shapes";
    case "too_small":
      return `expected at least ${issue.minimum}`;
    case "too_big":
      return `expected at most ${issue.maximum}`;
    case "custom":
      return `expected ${issue.message}`;
    default:
      return issue.message || issue.code;
  }
}
