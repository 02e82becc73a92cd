// Finds titles of tests that are no sentence of their own. A report of failures shows a title alone, so that each one
// says what holds when its test passes, with its subject: node scripts/test-titles.mjs [folder...]
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { lineOf, parsed, report, sourcesIn } from "./sources.mjs";
import { tics } from "./tics.mjs";

const words = (text) => new Set(text.trim().split(/\s+/));

/** Words that join a title to what stands above it. */
const connectives = words("and or nor but not so also than that which who whose of to");

/** Verbs, which are no subject. */
const verbs = words(`
  is are was were has have had does do did may might can cannot could must should will would
  aborts accepts adds applies approves arrives asks becomes begins belongs breaks brings carries cites closes comes
  completes connects contains costs counts covers cuts decides declines deletes derives differs disappears dismisses
  draws drives drops echoes ends expires explains fails falls finds finishes fits follows gets gives goes happens hears
  hides holds ignores imports inherits installs joins keeps knows leads leaves lets loses makes means needs offers opens
  outlives packs prints promises puts reaches reads refuses rejects removes renames replaces returns reveals rides
  runs says sends sets settles shows sits speaks stands starts stays steers stops submits supports survives switches
  takes talks tells throws toggles travels tries waits wants wipes wraps writes
  appear ask become begin belong bring cite come exist fit get give go happen inherit keep know leave lie live lose
  make outlive reach say seem send stand stay survive take tell wait
`);

/** Words that are nouns as well: each is a verb where one of the words below follows. */
const verbsOrNouns = words(`
  answers calls changes checks chooses hands heads lines lists marks moves names notes questions records
  reports requests results shares sounds steps tags texts titles types updates uses values words works
`);
const afterVerbs = words(`
  a all an any both each every it its itself no nobody nothing the their them what whatever whether who
`);

/** Words before a noun: a verb right behind it shows that the subject is missing, as in "with a field is sent". */
const beforeNoun =
  /^(about|at|by|for|from|in|on|over|through|under|with|without) (?:(?:an?|the|its|no|one) )?\S+ (\S+)/;

/** @returns {string | undefined} what is wrong with a title */
function faultOf(title) {
  const said = title
    .replace(/\([^()]*\)\s*$/, "")
    .replace(/\$\{[^}]*\}/g, "%s")
    .replace(/%[a-z#]|\$\w+/g, "%s");
  const [first = "", second = ""] = said.split(/[\s,:;]+/);
  if (!/\p{L}/u.test(said.replaceAll("%s", ""))) return "nothing but what it is given";
  if (connectives.has(first) || verbs.has(first)) return `"${first}" opens no sentence`;
  if (verbsOrNouns.has(first) && afterVerbs.has(second)) return `"${first} ${second}" opens no sentence`;
  const [, preposition, verb] = beforeNoun.exec(said) ?? [];
  if (verbs.has(verb)) return `"${preposition} … ${verb}" has no subject`;
  return tics.find(([tic]) => tic.test(said))?.[1];
}

/** True for `test`, `it`, `test.each(…)`, `test.skipIf(…)` and the like. */
function runs(callee) {
  if (ts.isIdentifier(callee)) return callee.text === "test" || callee.text === "it";
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) return runs(callee.expression);
  return ts.isTaggedTemplateExpression(callee) && runs(callee.tag);
}

/** @type {(name: string, text: string) => string[]} what is wrong with the titles of a source */
export function titleFaults(name, text) {
  const source = parsed(name, text);
  const faults = [];
  const visit = (node) => {
    const given = ts.isCallExpression(node) && runs(node.expression) ? node.arguments[0] : undefined;
    if (given && (ts.isStringLiteralLike(given) || ts.isTemplateExpression(given))) {
      const title = ts.isStringLiteralLike(given) ? given.text : given.getText().slice(1, -1);
      const fault = faultOf(title);
      if (fault !== undefined) faults.push(`${name}:${lineOf(source, given)}: ${title} (${fault})`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folders = process.argv.slice(2);
  const looked = folders.length > 0 ? folders : ["packages", "apps", "examples"];
  const faults = sourcesIn(looked, "tests").flatMap(({ name, text }) => titleFaults(name, text));
  report(faults, `${faults.length} titles are no sentence of their own.`);
}
