import type { Out, Schema } from "./contract.js";
import * as z from "./zod.js";

/** A value that fits its schema, with its defaults; or the problem and its place, in a line. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/**
 * Validates a value. An entry for Node may bring a compiled validator; browsers interpret, since they forbid `eval`.
 */
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

/** Makes a faster schema of a schema. */
type Compile = <S extends Schema>(schema: S) => S;

/**
 * Makes a validator that compiles frequently used schemas. It interprets them until the compiler is loaded, or for ever
 * where that fails.
 *
 * @param load loads the compiler at the first use of one, such as `z.compile`, which generates code.
 */
export function compilingValidator(load: () => Promise<Compile>): Validate {
  const uses = new WeakMap<Schema, { calls: number; fast: Schema | undefined }>();
  let compile: Compile | undefined;
  let asked = false;
  const ask = () => {
    asked = true;
    load().then(
      (loaded) => {
        compile = loaded;
      },
      () => {},
    );
  };
  return (schema, value) => {
    let use = uses.get(schema);
    if (use === undefined) {
      use = { calls: 0, fast: undefined };
      uses.set(schema, use);
    }
    use.calls += 1;
    if (use.fast === undefined && use.calls >= WORTH_COMPILING) {
      use.fast = compile?.(schema);
      if (!asked) ask();
    }
    return validate((use.fast ?? schema) as typeof schema, value);
  };
}

/** Describes problems with their place: `questions[0].options: expected array`. At most three issues, then a count. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): string {
  const all = withoutSizes(issues.flatMap(pointed));
  const shown = all.slice(0, 3).map((issue) => {
    const path = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
    const place = path.replace(/^\./, "");
    return place === "" ? expectation(issue) : `${place}: ${expectation(issue)}`;
  });
  if (all.length > shown.length) shown.push(`and ${all.length - shown.length} more`);
  return shown.join("; ");
}

/** Leaves out the size of a value of the wrong type: a text in the place of a list would be counted in characters. */
function withoutSizes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const place = ({ path }: z.core.$ZodIssue) => JSON.stringify(path.map(String));
  const mistyped = new Set(issues.filter(({ code }) => code === "invalid_type").map(place));
  return issues.filter(
    (issue) => !((issue.code === "too_small" || issue.code === "too_big") && mistyped.has(place(issue))),
  );
}

/** Points into a union that nothing fits: to the shape with the fewest problems, or to the wrong `type`. */
function pointed(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const keys = issue.errors.map((found) => found.map(({ path }) => path[0]));
  const [meant] = issue.errors
    .filter((_, i) => keys[i]?.every((key) => key !== undefined && key !== "type"))
    .sort((a, b) => a.length - b.length);
  if (meant !== undefined) {
    return meant.flatMap(pointed).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  const told = keys.length > 0 && keys.every(([key]) => key === "type");
  return [told ? { ...issue, path: [...issue.path, "type"], discriminator: "type" } : issue];
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
        : allowed(issue.errors.map(([first]) => first));
    case "too_small":
      return `expected at least ${counted(issue.minimum, issue.origin)}`;
    case "too_big":
      return `expected at most ${counted(issue.maximum, issue.origin)}`;
    case "custom":
      return `expected ${issue.message}`;
    default:
      return issue.message || issue.code;
  }
}

/** A size with its unit: entries of a list, characters of a text; a number has none. */
function counted(size: number | bigint, origin: string): string {
  if (origin === "array") return size === 1 ? "1 entry" : `${size} entries`;
  if (origin === "string") return size === 1 ? "1 character" : `${size} characters`;
  return String(size);
}

/** Shapes that all want the same kind of value say so. */
function allowed(firsts: readonly (z.core.$ZodIssue | undefined)[]): string {
  const kinds = firsts.map((first) =>
    first?.code === "invalid_type" && first.path.length === 0 ? first.expected : undefined,
  );
  const [kind, ...others] = new Set(kinds);
  return kind === undefined || others.length > 0 ? "fits none of the allowed shapes" : `expected ${kind}`;
}
