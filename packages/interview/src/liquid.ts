import { oneLine } from "@askwire/server/internal";
import { Liquid, TypeGuards, Value } from "liquidjs";
import type { Position } from "./questionnaire-error.js";

/** The names and values that a template or a condition can see. */
export type LiquidScope = Readonly<Record<string, unknown>>;

/** Text that is not Liquid, or that could not be rendered. The position is inside the text. */
export class LiquidProblem extends Error {
  override readonly name = "LiquidProblem";
  readonly position: Position | undefined;

  constructor(problem: string, position?: Position, cause?: unknown) {
    super(problem, { cause });
    this.position = position;
  }
}

const engine = createEngine();

/** Words of the language, which no fact and no question may take as its name. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...["and", "or", "not", "contains", "true", "false", "nil", "null", "empty", "blank"],
  ...["forloop", "tablerowloop", "written"],
]);

/** Renders a text; templates are data, with no access to files, prototypes or code. Throws {@link LiquidProblem}. */
export function renderText(source: string, scope: LiquidScope): string {
  return guarded(() => String(engine.parseAndRenderSync(ownTagLines(source), scope)));
}

/**
 * True if a condition holds: all values except `false` and nil are true, as in Liquid. Throws {@link LiquidProblem}.
 */
export function conditionHolds(source: string, scope: LiquidScope): boolean {
  const value: unknown = guarded(() => engine.evalValueSync(source, scope));
  return value !== false && value !== undefined && value !== null;
}

/** Checks a text's syntax and answers the outer names that it reads. Throws {@link LiquidProblem}. */
export function namesInText(source: string): string[] {
  return guarded(() => engine.globalVariablesSync(ownTagLines(source), { partials: false }));
}

/** Checks a condition's syntax and answers the names that it reads. Throws {@link LiquidProblem}. */
export function namesInCondition(source: string): string[] {
  const expected = "expected a Liquid expression such as `package.scripts.test and node_pin == null`";
  if (/\{[{%]|[}%]\}/.test(source)) throw new LiquidProblem(`${expected}, without {{ }} or {% %}`);
  const value = guarded(() => new Value(source, engine));
  if (!isWhole(value)) throw new LiquidProblem(`${expected}, found "${oneLine(source)}"`);
  try {
    return engine.globalVariablesSync(`{{${source}}}`, { partials: false });
  } catch (error) {
    throw new LiquidProblem(
      `${expected}, found "${oneLine(source)}": is a quote not closed?`,
      undefined,
      error,
    );
  }
}

function createEngine(): Liquid {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    templates: {},
    relativeReference: false,
    // Dates read alike on every machine. Asking for the locale of the machine takes 12 ms of a start.
    locale: "en-US",
    parseLimit: 200_000,
    // Milliseconds on the clock, which a busy machine lets pass without work.
    renderLimit: 10_000,
    memoryLimit: 2_000_000,
  });
  for (const tag of ["include", "render", "layout", "block"]) delete liquid.tags[tag];
  return liquid;
}

/**
 * True for an expression whose operators have their operands. Liquid accepts `a b` and `a ==` and answers something.
 */
function isWhole(value: Value): boolean {
  let depth = 0;
  for (const token of value.initial.postfix) {
    if (!TypeGuards.isOperatorToken(token)) depth += 1;
    else if (token.operator === "not") depth -= depth < 1 ? Number.POSITIVE_INFINITY : 0;
    else depth -= depth < 2 ? Number.POSITIVE_INFINITY : 1;
  }
  return depth === 1;
}

/**
 * Removes the line of a tag that stands alone, so that a template can be laid out for the eye. Its indentation and line
 * end move inside the tag, which keeps the positions in messages true.
 */
function ownTagLines(source: string): string {
  let raw = false;
  const lines = source.split(/(?<=\n)/).map((line) => {
    const tag = /^([ \t]*)\{%(?!-)((?:(?!%\}).)*)(?<!-)%\}([ \t]*\r?\n?)$/.exec(line);
    const tagName = tag?.[2]?.trim();
    const inside = raw && tagName !== "endraw";
    for (const [, name] of line.matchAll(/\{%-?\s*(raw|endraw)\s*-?%\}/g)) raw = name === "raw";
    return tag && !inside ? `{%${tag[1]}${tag[2]}${tag[3]}%}` : line;
  });
  return lines.join("");
}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const token = (error as { token?: { getPosition?: () => [number, number] } }).token;
    const [line, column] = token?.getPosition?.() ?? [];
    const position = line !== undefined && column !== undefined ? { line, column } : undefined;
    const problem = oneLine(error.message.replace(/, (?:file:.*, )?line:\d+, col:\d+/s, ""));
    throw new LiquidProblem(`not valid Liquid: ${problem}`, position, error);
  }
}
