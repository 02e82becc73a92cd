// A source with all of its mutants: each is chosen by its number as the program runs, so that one build has them all.

/** @typedef {import("./mutations.mjs").Mutation & { number: number }} Numbered */

/**
 * The function that says if a mutant is chosen. It stands in each file, since bundles and workers share nothing, and
 * writes down which mutants a file of tests comes to, once in each process.
 */
const header = `const $mutant: (n: number) => boolean = ((globalThis as any).$mutant ??= (() => {
  const { env } = (globalThis as any).process ?? { env: {} };
  const chosen = Number(env.ASKWIRE_MUTANT ?? 0);
  const place = env.ASKWIRE_MUTANTS_REACHED;
  if (place === undefined) return (n: number) => n === chosen;
  const told = new Set<string>();
  const { appendFileSync } = (globalThis as any).process.getBuiltinModule("node:fs");
  return (n: number) => {
    const line = n + "\\t" + ((globalThis as any).$testFile ?? env.ASKWIRE_TEST_FILE) + "\\n";
    if (told.has(line)) return false;
    told.add(line);
    appendFileSync(place, line);
    return false;
  };
})());`.replaceAll(/\n\s*/g, " ");

/**
 * @param {string} source
 * @param {readonly Numbered[]} mutations
 * @param {readonly number[]} functions where functions begin, each of which says that the file is reached.
 * @param {number} file the number of the file.
 */
export function switched(source, mutations, functions, file) {
  const inserts = functions.map((at) => ({ start: at, end: at, written: ` $mutant(${-file});` }));
  const places = [...mutations, ...inserts].sort((a, b) => a.start - b.start || b.end - a.end);
  return header + rendered(source, 0, source.length, places);
}

/** @typedef {Numbered | { start: number, end: number, written: string }} Place */

/** @param {string} source @param {number} start @param {number} end @param {readonly Place[]} places @returns {string} */
function rendered(source, start, end, places) {
  let [text, at] = ["", start];
  let rest = places;
  for (let [first] = rest; first !== undefined; [first] = rest) {
    const { start: from, end: to } = first;
    const here = rest.filter((one) => one.start === from && one.end === to);
    const others = rest.filter((one) => !here.includes(one));
    const within = rendered(
      source,
      from,
      to,
      others.filter((one) => one.start < to),
    );
    rest = others.filter((one) => one.start >= to);
    text += source.slice(at, from) + here.reduce(choice, within);
    at = to;
  }
  return text + source.slice(at, end);
}

/** @param {string} original @param {Place} place */
function choice(original, place) {
  if ("written" in place) return place.written;
  const { number, text, of } = place;
  return of === "statement"
    ? `{ if (!$mutant(${number})) { ${original} } }`
    : `($mutant(${number}) ? (${text}) : (${original}))`;
}
