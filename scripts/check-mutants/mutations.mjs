// Mutants of a check's source: an assertion dropped, two arguments swapped, a condition negated or halved, a constant of
// an expectation changed. Each is one text in the place of another.
import ts from "typescript";

/**
 * A copy of a source with one change.
 *
 * @typedef {object} Mutation
 * @property {string} name what is changed, in a form that later edits of other lines leave alone.
 * @property {string} source the changed source.
 * @property {number} first the first changed line, from 1.
 * @property {number} last
 * @property {string | undefined} check the id of the check around the change; undefined in what several checks share.
 */

/** The calls that expect something. */
const isExpectation = (/** @type {string} */ name) =>
  /^(want|refuses|ignores|settled(?!By)|survives|goesOn)/.test(name);

/** Calls whose last two arguments may not change places. Those of the others are the same either way. */
const ordered = new Set(["wantMembers", "wantOrder"]);

/** @param {ts.Node} node @returns {string} */
const nameOf = (node) =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : "";

/** The call of a statement, with or without `await`. @param {ts.Node} node */
function callOf(node) {
  if (!ts.isExpressionStatement(node)) return undefined;
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
  return ts.isCallExpression(inner) ? inner : undefined;
}

/** The id of the check around a node. @param {ts.Node | undefined} node @returns {string | undefined} */
function checkAround(node) {
  if (node === undefined) return undefined;
  if (ts.isCallExpression(node) && nameOf(node) === "check") {
    const [id] = node.arguments;
    if (id && ts.isStringLiteral(id)) return id.text;
  }
  if (ts.isObjectLiteralExpression(node)) {
    const names = node.properties.map((one) => one.name?.getText());
    const id = node.properties[names.indexOf("id")];
    const isCheck = names.includes("title") && id && ts.isPropertyAssignment(id);
    if (isCheck && ts.isStringLiteral(id.initializer)) return id.initializer.text;
  }
  return checkAround(node.parent);
}

/** Another constant of the same type. @param {ts.Node} node @returns {string | undefined} */
function otherConstant(node) {
  if (ts.isStringLiteral(node)) return JSON.stringify(`${node.text}x`);
  if (ts.isNumericLiteral(node)) return String(Number(node.text) + 1);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  if (node.kind === ts.SyntaxKind.NullKeyword) return "0";
  return undefined;
}

/** The constants of an expectation, without names of members. */
/** @param {ts.Node} node @returns {ts.Node[]} */
function constantsIn(node) {
  if (otherConstant(node) !== undefined) return [node];
  if (ts.isFunctionLike(node)) return [];
  // The arguments of an act are no expectation, but for the names of messages.
  if (ts.isCallExpression(node) && !/^(event|request|text)$/.test(nameOf(node))) return [];
  return node.getChildren().flatMap((child) => {
    if (ts.isPropertyAssignment(node) && child === node.name) return [];
    return constantsIn(child);
  });
}

/** The arguments of an expectation that say what is expected, without its words. */
/** @param {ts.CallExpression} call */
function expectedIn(call) {
  const name = nameOf(call);
  if (name === "want") return call.arguments.slice(0, 1);
  const inWords = ["wantSame", "wantMembers", "wantOrder"].includes(name);
  return call.arguments.filter((one, index) => !(inWords && index === (name === "wantOrder" ? 1 : 0)) && one);
}

/**
 * All mutants of a source.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Mutation[]}
 */
export function mutationsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {Mutation[]} */
  const found = [];
  const shared = new Map();
  /** @param {string} what @param {ts.Node} node @param {string} text @param {ts.Node} [inside] */
  function add(what, node, text, inside = node) {
    const [start, end] = [node.getStart(), node.getEnd()];
    const check = checkAround(node);
    const where = check ?? path.split("/").at(-1);
    const plain = `${where}: ${what} ${inside.getText().replace(/\s+/g, " ").slice(0, 110)}`;
    const count = (shared.get(plain) ?? 0) + 1;
    shared.set(plain, count);
    found.push({
      name: count === 1 ? plain : `${plain} (${count})`,
      source: source.slice(0, start) + text + source.slice(end),
      first: file.getLineAndCharacterOfPosition(start).line + 1,
      last: file.getLineAndCharacterOfPosition(end).line + 1,
      check,
    });
  }
  const visit = (/** @type {ts.Node} */ node) => {
    const dropped = callOf(node);
    if (dropped && isExpectation(nameOf(dropped))) add("without", node, ";");
    if (ts.isCallExpression(node) && isExpectation(nameOf(node))) {
      const name = nameOf(node);
      if (ordered.has(name) && node.arguments.length >= 3) {
        const [one, other] = node.arguments.slice(-2);
        if (one && other) {
          const start = one.getStart() - node.getStart();
          const text = node.getText();
          const swapped = `${other.getText()}, ${one.getText()}`;
          const end = other.getEnd() - node.getStart();
          add("swapped in", node, text.slice(0, start) + swapped + text.slice(end));
        }
      }
      const [condition] = node.arguments;
      if (name === "want" && condition) {
        add("negated in", condition, `!(${condition.getText()})`, node);
        if (ts.isBinaryExpression(condition) && /^(&&|\|\|)$/.test(condition.operatorToken.getText())) {
          add("left half of", condition, condition.left.getText());
          add("right half of", condition, condition.right.getText());
        }
      }
      for (const argument of expectedIn(node))
        for (const constant of constantsIn(argument))
          add(`${otherConstant(constant)} in`, constant, otherConstant(constant) ?? "", node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The ids of the checks in a source. @param {string} source @returns {string[]} */
export const checksIn = (source) => [
  ...new Set([...source.matchAll(/(?:\bid: |\bcheck\(\s*)"([A-Z]+\d+)"/g)].map(([, id = ""]) => id)),
];
