import type { BoundedTime } from "../runtime/bounded-time.js";

/** Characters of a matcher. */
const MAX_MATCHER = 256;
/** Characters of a text that is short. */
const SHORT = 10_000;

/** A regular expression of a client, to be searched in what an event is about. */
export interface HookMatcher {
  readonly source: string;
  /** Undefined for one that matches everything. */
  readonly pattern: RegExp | undefined;
  /** Whether it cannot take long in a short text, so that nothing need watch it. */
  readonly plain: boolean;
  /** Set once it has not come to an end in time: it is not tried again, and counts as a match. */
  slow: boolean;
}

/** Reads a matcher; a text says what is wrong with it. The empty one matches everything (P-HOK-1). */
export function readMatcher(source: string): HookMatcher | string {
  if (source.length > MAX_MATCHER) return `expected at most ${MAX_MATCHER} characters`;
  try {
    const pattern = source === "" ? undefined : new RegExp(source);
    // Without repetition, groups and sets the time is that of a search for words.
    return { source, pattern, plain: /^[\w\s:^$|-]*$/.test(source), slow: false };
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * Which matchers match. One that takes too long counts as a match, now and later, so that no hook is passed by; so
 * do those that are left when the time is over (P-HOK-7).
 *
 * @param tooSlow told of each that has just turned out so.
 */
export function matching<T extends { readonly matcher: HookMatcher }>(
  candidates: readonly T[],
  target: string,
  within: BoundedTime,
  tooSlow: (candidate: T) => void,
): T[] {
  const matched = new Set<T>();
  const watched: T[] = [];
  for (const candidate of candidates) {
    const { pattern, plain, slow } = candidate.matcher;
    if (pattern === undefined || slow) matched.add(candidate);
    else if (!plain || target.length > SHORT) watched.push(candidate);
    else if (pattern.test(target)) matched.add(candidate);
  }
  let next = 0;
  const search = () => {
    for (; next < watched.length; next += 1) {
      const candidate = watched[next] as T;
      if (candidate.matcher.pattern?.test(target) === true) matched.add(candidate);
    }
  };
  if (watched.length > 0 && !within(search)) {
    const candidate = watched[next] as T;
    candidate.matcher.slow = true;
    tooSlow(candidate);
    for (const left of watched.slice(next)) matched.add(left);
  }
  return candidates.filter((candidate) => matched.has(candidate));
}
