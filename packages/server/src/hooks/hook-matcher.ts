import type { BoundedTime } from "../runtime/bounded-time.js";

/** Characters of a matcher. */
const MAX_MATCHER = 256;
/** Characters of a text that is short. */
const SHORT = 10_000;

/** A regular expression of a client, searched in the subject of an event. */
export interface HookMatcher {
  readonly source: string;
  /** Undefined for one that matches everything. */
  readonly pattern: RegExp | undefined;
  /** True for an expression that cannot take long in a short text, and needs no time limit. */
  readonly plain: boolean;
  /** Set after a search over the time limit. The matcher is not tried again, and counts as a match. */
  slow: boolean;
}

/** Reads a matcher; a text as result names the mistake. The empty matcher matches everything (P-HOK-1). */
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
 * Finds the candidates that match (P-HOK-7). A slow matcher counts as a match, now and later, so that no hook is
 * bypassed. Matchers left at the end of the time count too.
 *
 * @param tooSlow called for each matcher that has just turned out slow.
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
