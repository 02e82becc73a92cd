// Regular expressions in linear time: a hostile pattern or text cannot hold up the process that checks it. The syntax
// is ECMAScript's under the flag `u`, without references to groups and without looking ahead or behind.

/** The longest pattern, and the longest text that is matched, in UTF-16 units. */
export const PATTERN_LENGTH = 512;
export const MATCHED_LENGTH = 1024;
/** The most states of a pattern; a counted repetition has the states of its part that many times. */
const MOST_STATES = 500;

/** Finds a pattern anywhere in a text of at most {@link MATCHED_LENGTH}. */
export type LinearPattern = (text: string) => boolean;

/**
 * Compiles a pattern. The time of a search grows with the length of pattern and text, and with nothing else.
 *
 * @returns the search, or a text that says what is wrong with the pattern.
 */
export function linearPattern(source: string): LinearPattern | string {
  if (source.length > PATTERN_LENGTH) return `at most ${PATTERN_LENGTH} characters`;
  try {
    new RegExp(source, "u");
  } catch (error) {
    return `a regular expression (${(error as Error).message})`;
  }
  try {
    const { states, start } = assembled(parsed(source));
    return (text) => isFound(states, start, text);
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

class Unsupported extends Error {}

type CharacterTest = (character: string) => boolean;
type Assertion = "start" | "end" | "edge" | "no_edge";

/** A pattern as a tree. */
type Part =
  | { readonly is: "character"; readonly fits: CharacterTest }
  | { readonly is: "assertion"; readonly of: Assertion }
  | { readonly is: "sequence" | "choice"; readonly parts: readonly Part[] }
  | { readonly is: "repetition"; readonly part: Part; readonly min: number; readonly max: number };

/** A character: an escape, a set in brackets, or itself. */
const CHARACTER =
  /\\(?:[pP]\{[^}]*\}|u\{[\da-f]+\}|u[dD][89abAB][\da-f]{2}\\u[dD][c-fC-F][\da-f]{2}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|.)|\[(?:\\.|[^\]\\])*\]|./isuy;
const REPETITION = /([*+?]|\{(\d+)(,?)(\d*)\})\??/uy;
const GROUP = /\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy;
const REFERENCE = /^\\(?:[1-9]|k)/;
const assertions = new Map<string, Assertion>([
  ["^", "start"],
  ["$", "end"],
  ["\\b", "edge"],
  ["\\B", "no_edge"],
]);

/** Reads a pattern that is known to be a regular expression. */
function parsed(source: string): Part {
  let at = 0;

  function taken(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const found = expression.exec(source) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  }

  function choice(): Part {
    const parts = [sequence()];
    while (source[at] === "|") {
      at += 1;
      parts.push(sequence());
    }
    return { is: "choice", parts };
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(single()));
    return { is: "sequence", parts };
  }

  function repeated(part: Part): Part {
    const found = taken(REPETITION);
    if (found === undefined) return part;
    const [, sign, least, comma, most] = found;
    if (least === undefined) {
      return {
        is: "repetition",
        part,
        min: sign === "+" ? 1 : 0,
        max: sign === "?" ? 1 : Number.POSITIVE_INFINITY,
      };
    }
    const min = Number(least);
    return {
      is: "repetition",
      part,
      min,
      max: comma === "" ? min : most === "" ? Number.POSITIVE_INFINITY : Number(most),
    };
  }

  function single(): Part {
    if (source[at] === "(") {
      if (taken(GROUP) === undefined) {
        throw new Unsupported("no look ahead or behind, and no flags, which a search in linear time has not");
      }
      const inner = choice();
      at += 1;
      return inner;
    }
    const [text = ""] = taken(CHARACTER) ?? [];
    if (REFERENCE.test(text)) {
      throw new Unsupported("no reference to a group, which a search in linear time has not");
    }
    const assertion = assertions.get(text);
    return assertion === undefined
      ? { is: "character", fits: characterTest(text) }
      : { is: "assertion", of: assertion };
  }

  return choice();
}

/** A test for one character, which keeps its answers: a text has fewer characters than it asks for. */
function characterTest(source: string): CharacterTest {
  if (source !== "." && !source.startsWith("\\") && !source.startsWith("[")) {
    return (character) => character === source;
  }
  const expression = new RegExp(`^${source}$`, "u");
  const known = new Map<string, boolean>();
  return (character) => {
    let fits = known.get(character);
    if (fits === undefined) {
      fits = expression.test(character);
      if (known.size < MATCHED_LENGTH) known.set(character, fits);
    }
    return fits;
  };
}

/** A state of the search: found, a character or an assertion and the state behind it, or a choice between two. */
interface State {
  readonly is: "found" | "character" | "assertion" | "either";
  readonly fits: CharacterTest;
  readonly of: Assertion;
  readonly next: number;
  readonly other: number;
}

/** One shape for all states keeps the search fast. */
const state = (is: State["is"], more: Partial<State> = {}): State => ({
  is,
  fits: never,
  of: "start",
  next: 0,
  other: 0,
  ...more,
});
const never = () => false;

/** Writes a tree as states, from its end to its start. */
function assembled(pattern: Part): { states: readonly State[]; start: number } {
  const states: State[] = [state("found")];

  function add(added: State): number {
    if (states.length >= MOST_STATES) {
      throw new Unsupported(`fewer repetitions: it has more than ${MOST_STATES} states`);
    }
    return states.push(added) - 1;
  }

  const either = (next: number, other: number) => add(state("either", { next, other }));

  function write(part: Part, next: number): number {
    switch (part.is) {
      case "character":
        return add(state("character", { fits: part.fits, next }));
      case "assertion":
        return add(state("assertion", { of: part.of, next }));
      case "sequence":
        return part.parts.reduceRight((after, inner) => write(inner, after), next);
      case "choice":
        return part.parts
          .map((inner) => write(inner, next))
          .reduceRight((rest, first) => either(first, rest));
      case "repetition":
        return repetition(part, next);
    }
  }

  function repetition({ part, min, max }: Part & { is: "repetition" }, next: number): number {
    let start = next;
    if (max === Number.POSITIVE_INFINITY) {
      start = either(next, next);
      states[start] = state("either", { next: write(part, start), other: next });
    } else {
      for (let left = max - min; left > 0; left -= 1) start = either(write(part, start), next);
    }
    for (let left = min; left > 0; left -= 1) {
      const before = states.length;
      start = write(part, start);
      // A part without a state may be repeated for ever without growing.
      if (states.length === before) break;
    }
    return start;
  }

  return { start: write(pattern, 0), states };
}

const WORD = /^\w$/;
const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);

/** Follows all states at once, from each place of the text, so that no character is read twice. */
function isFound(states: readonly State[], start: number, text: string): boolean {
  const characters = [...text];
  /** The place at which each state was entered last. */
  const entered = new Int32Array(states.length).fill(-1);
  const ahead: number[] = [];
  let here: number[] = [];
  let found = false;

  /** Enters a state at a place, and those that follow without a character. */
  function enter(index: number, place: number): void {
    ahead.push(index);
    for (let at = ahead.pop(); at !== undefined; at = ahead.pop()) {
      if (entered[at] === place) continue;
      entered[at] = place;
      const { is, of, next, other } = states[at] as State;
      if (is === "character") here.push(at);
      else if (is === "either") ahead.push(other, next);
      else if (is === "found") found = true;
      else if (holds(of, characters, place)) ahead.push(next);
    }
  }

  for (let place = 0; place <= characters.length; place += 1) {
    const before = here;
    const character = characters[place - 1] as string;
    here = [];
    for (const index of before) {
      const { fits, next } = states[index] as State;
      if (fits(character)) enter(next, place);
    }
    enter(start, place);
    if (found) return true;
  }
  return false;
}

function holds(assertion: Assertion, characters: readonly string[], place: number): boolean {
  if (assertion === "start") return place === 0;
  if (assertion === "end") return place === characters.length;
  const isEdge = isWord(characters[place - 1]) !== isWord(characters[place]);
  return isEdge === (assertion === "edge");
}
