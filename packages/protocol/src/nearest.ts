// Names that are near to another one.

/** Names that are told of where one is not known. */
const MAX_CANDIDATES = 8;
/** UTF-16 units of a name that are compared. */
const MAX_COMPARED = 64;

/** The key that equal names share: neither case nor separators count. */
export const nameKey = (name: string): string => name.toLowerCase().replace(/[-_.\s]+/g, "");

/** The nearest names to a name, the nearest first. Among equally near names the first comes first. */
export function nearest<T>(asked: string, known: readonly T[], namesOf: (one: T) => readonly string[]): T[] {
  const key = nameKey(asked).slice(0, MAX_COMPARED);
  const far = (one: T) => Math.min(...namesOf(one).map((name) => distance(key, nameKey(name))));
  return known
    .map((one) => ({ one, far: far(one) }))
    .sort((left, right) => left.far - right.far)
    .slice(0, MAX_CANDIDATES)
    .map(({ one }) => one);
}

/** Counts the characters to add, remove or replace. The result is 0 to 1 if either name contains the other. */
function distance(left: string, whole: string): number {
  const right = whole.slice(0, MAX_COMPARED);
  if (left === right) return 0;
  if (left !== "" && (right.includes(left) || left.includes(right))) {
    return 1 - Math.min(left.length, right.length) / Math.max(left.length, right.length);
  }
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const here = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      here.push(Math.min(replaced, (above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1));
    }
    above = here;
  }
  return above[right.length] ?? 0;
}

/** The name that was probably meant; undefined where none is near enough to be a slip. */
export function meantName(asked: string, names: readonly string[]): string | undefined {
  const [near] = nearest(asked, names, (name) => [name]);
  if (near === undefined) return undefined;
  const far = distance(nameKey(asked).slice(0, MAX_COMPARED), nameKey(near));
  return far < asked.length && far <= Math.max(2, near.length / 3) ? near : undefined;
}
