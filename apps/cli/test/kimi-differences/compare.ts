import type { Entry } from "./transcript.js";

/** A place in which the two commands differ. */
export interface Difference {
  /** The message, with its number among those of its kind: `event StatusUpdate 2`. */
  readonly message: string;
  /** The path of the field in it; `(missing)`, `(added)` or `(place)` for the message as a whole. */
  readonly path: string;
  readonly kimi: unknown;
  readonly ours: unknown;
}

/** All differences between what the two commands made of a scenario. */
export function compare(theirEntries: readonly Entry[], ourEntries: readonly Entry[]): Difference[] {
  const [kimi, ours] = [inOrder(theirEntries), inOrder(ourEntries)];
  const pairs = aligned(kimi, ours);
  const found: Difference[] = [];
  const loneOurs = pairs.filter(([left]) => left === undefined).map(([, right]) => right as number);
  const name = (entries: readonly Entry[], index: number) => {
    const { key } = entries[index] as Entry;
    const before = entries.slice(0, index + 1).filter((entry) => entry.key === key).length;
    return `${key} ${before}`;
  };
  const after = (entries: readonly Entry[], index: number) =>
    index === 0 ? "first" : `after ${name(entries, index - 1)}`;

  for (const [left, right] of pairs) {
    if (left === undefined) continue;
    const its = kimi[left] as Entry;
    const moved = loneOurs.findIndex((index) => (ours[index] as Entry).key === its.key);
    const partner = right ?? loneOurs[moved];
    const message = name(kimi, left);
    if (partner === undefined) {
      found.push({ message, path: "(missing)", kimi: its.value, ours: undefined });
      continue;
    }
    if (right === undefined) {
      loneOurs.splice(moved, 1);
      found.push({ message, path: "(place)", kimi: after(kimi, left), ours: after(ours, partner) });
    }
    fields(its.value, (ours[partner] as Entry).value, "", (path, kimi, ours) =>
      found.push({ message, path, kimi, ours }),
    );
  }
  for (const index of loneOurs) {
    const { value } = ours[index] as Entry;
    found.push({ message: name(ours, index), path: "(added)", kimi: undefined, ours: value });
  }
  return found;
}

/** Puts adjacent results of a step's calls in the order of their ids, since they come in any order. */
function inOrder(entries: readonly Entry[]): Entry[] {
  const sorted = [...entries];
  for (let start = 0; start < sorted.length; start++) {
    let end = start;
    while (resultOf(sorted[end]) !== undefined) end += 1;
    const run = sorted.slice(start, end);
    sorted.splice(
      start,
      run.length,
      ...run.sort((a, b) => ((resultOf(a) ?? "") < (resultOf(b) ?? "") ? -1 : 1)),
    );
    start = end;
  }
  return sorted;
}

/** The id of the call that a ToolResult belongs to. */
function resultOf(entry: Entry | undefined): string | undefined {
  if (entry === undefined || !/^(event|journal) ToolResult$/.test(entry.key)) return undefined;
  return (entry.value as { params: { payload: { tool_call_id: string } } }).params.payload.tool_call_id;
}

type Report = (path: string, kimi: unknown, ours: unknown) => void;

function fields(kimi: unknown, ours: unknown, path: string, report: Report): void {
  if (Object.is(kimi, ours)) return;
  const both = [kimi, ours].map(byName);
  if (both.every(Array.isArray) || both.every(isObject)) {
    const keys = new Set(both.flatMap((value) => Object.keys(value as object)));
    for (const key of keys) {
      const [left, right] = both.map((value) => (value as Record<string, unknown>)[key]);
      fields(left, right, path === "" ? key : `${path}.${key}`, report);
    }
  } else report(path === "" ? "(value)" : path, kimi, ours);
}

/** A list of things with a name, as an object: what one side has more does not shift the rest. */
function byName(value: unknown): unknown {
  const named =
    Array.isArray(value) && value.length > 0 && value.every((item) => typeof item?.name === "string");
  const names = named ? value.map(({ name }) => name) : [];
  return named && new Set(names).size === names.length
    ? Object.fromEntries(value.map((item) => [item.name, item]))
    : value;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

type Pair = readonly [number | undefined, number | undefined];

/** Pairs entries of both sides by key, as many as possible without a change of order, equal entries first. */
function aligned(kimi: readonly Entry[], ours: readonly Entry[]): Pair[] {
  const keys = (entries: readonly Entry[]) =>
    entries.map(({ key, value }) => ({ key, json: JSON.stringify(value) }));
  const [left, right] = [keys(kimi), keys(ours)];
  const width = right.length + 1;
  const best = new Float64Array((left.length + 1) * width);
  const at = (i: number, j: number) => best[i * width + j] as number;
  const worth = (i: number, j: number) =>
    left[i]?.key !== right[j]?.key ? 0 : left[i]?.json === right[j]?.json ? 3 : 2;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const gain = worth(i, j);
      const both = gain > 0 ? gain + at(i + 1, j + 1) : 0;
      best[i * width + j] = Math.max(both, at(i + 1, j), at(i, j + 1));
    }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const gain = i < left.length && j < right.length ? worth(i, j) : 0;
    if (gain > 0 && at(i, j) === gain + at(i + 1, j + 1)) pairs.push([i++, j++]);
    else if (i < left.length && (j >= right.length || at(i, j) === at(i + 1, j)))
      pairs.push([i++, undefined]);
    else pairs.push([undefined, j++]);
  }
  return pairs;
}
