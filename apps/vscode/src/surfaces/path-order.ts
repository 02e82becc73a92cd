/** The most paths that are suggested. */
const MOST = 20;

/**
 * The paths that a part of a path may mean, in any case of letters: first those whose file begins with it, then those
 * whose file has it, then the others that have it. Of equals the shorter one is first.
 *
 * @param recent the paths of open files, which come first among equals.
 */
export function pathsFor(begun: string, recent: readonly string[], others: readonly string[]): string[] {
  const part = begun.toLowerCase();
  const isRecent = new Set(recent);
  const rank = (path: string): number => {
    const [all, name] = [path.toLowerCase(), path.slice(path.lastIndexOf("/") + 1).toLowerCase()];
    if (!all.includes(part)) return -1;
    return name.startsWith(part) ? 0 : name.includes(part) ? 1 : all.startsWith(part) ? 2 : 3;
  };
  return [...new Set([...recent, ...others])]
    .map((path) => ({ path, rank: rank(path), age: isRecent.has(path) ? 0 : 1 }))
    .filter((one) => one.rank >= 0)
    .sort((a, b) => a.rank - b.rank || a.age - b.age || a.path.length - b.path.length)
    .slice(0, MOST)
    .map(({ path }) => path);
}

/** The glob of the files whose path has a part, in any case of letters. */
export function globFor(begun: string): string {
  const part = [...begun.replace(/[[\]{}*?!,\\]/g, "?")]
    .map((letter) => {
      const [small, large] = [letter.toLowerCase(), letter.toUpperCase()];
      return small === large || small.length + large.length > 2 ? letter : `[${small}${large}]`;
    })
    .join("");
  return part === "" ? "**/*" : `{**/*${part}*,**/*${part}*/**}`;
}
