// The mutants of a source: a condition that always holds or never does, another operator, a statement less, a constant
// changed, one half of a test, a method that takes too much. All are expressions or statements in the place of others.
import ts from "typescript";

/**
 * A change of one place in a source.
 *
 * @typedef {object} Mutation
 * @property {string} name what is changed, in a form that later edits of other lines leave alone.
 * @property {number} start where the changed text begins.
 * @property {number} end
 * @property {string} text what stands there instead; empty for a statement that is left out.
 * @property {"expression" | "statement"} of
 * @property {boolean} isStatic true where it runs once, as its module is loaded.
 * @property {number} line from 1.
 */

/** The operators that take each other's places. */
const operators = new Map([
  ["===", "!=="],
  ["!==", "==="],
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["+", "-"],
  ["-", "+"],
  ["*", "/"],
  ["%", "*"],
]);

/** The methods that take each other's places. */
const methods = new Map([
  ["includes", "startsWith"],
  ["startsWith", "includes"],
  ["endsWith", "includes"],
  ["some", "every"],
  ["every", "some"],
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
]);

/** The methods without which their object stays as it is. */
const narrowing = new Set(["filter", "slice", "trim", "toLowerCase", "reverse", "sort", "toSorted"]);

/** Words that only a person reads: a text with blanks, or a part of one. @param {string} text */
const isProse = (text) => !/^[\w$./:@-]+$/.test(text);

/** @param {ts.Node} node @returns {boolean} */
const isWithinFunction = (node) =>
  node.parent !== undefined && (ts.isFunctionLike(node.parent) || isWithinFunction(node.parent));

/** The declaration around a node, by which its mutants are named. @param {ts.Node} node @returns {string} */
function placeOf(node) {
  const { parent } = node;
  if (parent === undefined || ts.isSourceFile(parent)) return "";
  const isNamed =
    ts.isFunctionDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyAssignment(parent) ||
    ts.isVariableDeclaration(parent);
  const above = placeOf(parent);
  if (!isNamed || parent.name === undefined || !ts.isIdentifier(parent.name)) return above;
  return above === "" ? parent.name.text : above;
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
  const counts = new Map();
  const short = path.split("/src/").map((part) => part.split("/").at(-1) ?? "")[0];
  const within = `${short}/${path.split("/src/")[1]}`;
  /** @param {string} what @param {ts.Node} node @param {string} text @param {Mutation["of"]} [of] */
  function add(what, node, text, of = "expression") {
    const place = placeOf(node);
    const shown = node.getText().replace(/\s+/g, " ").slice(0, 90);
    const plain = `${within}${place === "" ? "" : ` ${place}`}: ${what}: ${shown}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    found.push({
      name: count === 1 ? plain : `${plain} (${count})`,
      ...{ start: node.getStart(), end: node.getEnd(), text, of },
      isStatic: !isWithinFunction(node),
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    });
  }
  /** A condition that always holds, and one that never does. @param {ts.Expression} node @param {boolean} loops */
  function condition(node, loops = false) {
    if (!loops) add("always", node, "true");
    add("never", node, "false");
  }
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isIfStatement(node)) condition(node.expression);
    if (ts.isConditionalExpression(node)) condition(node.condition);
    if (ts.isWhileStatement(node)) condition(node.expression, true);
    if (ts.isExpressionStatement(node) && !isDirective(node)) add("without", node, "", "statement");
    if (ts.isBinaryExpression(node)) binary(node, add);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      add("not negated", node, node.operand.getText());
    if (ts.isCallExpression(node)) call(node, add);
    const other = constant(node);
    if (other !== undefined) add(other, node, other);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

/** @param {ts.ExpressionStatement} node */
const isDirective = (node) =>
  ts.isStringLiteral(node.expression) ||
  // A class has its fields from `super`.
  (ts.isCallExpression(node.expression) && node.expression.expression.kind === ts.SyntaxKind.SuperKeyword);

/** @param {ts.BinaryExpression} node @param {(what: string, node: ts.Node, text: string) => void} add */
function binary(node, add) {
  const sign = node.operatorToken.getText();
  const [left, right] = [node.left.getText(), node.right.getText()];
  const other = operators.get(sign);
  if (other !== undefined) add(`${other} for ${sign}`, node, `(${left}) ${other} (${right})`);
  if (/^(&&|\|\||\?\?)$/.test(sign)) {
    add("left half of", node, left);
    add("right half of", node, right);
  }
}

/** @param {ts.CallExpression} node @param {(what: string, node: ts.Node, text: string) => void} add */
function call(node, add) {
  if (!ts.isPropertyAccessExpression(node.expression) || node.flags & ts.NodeFlags.OptionalChain) return;
  const { expression, name } = node.expression;
  const given = node.arguments.map((one) => one.getText()).join(", ");
  const other = methods.get(name.text);
  if (other !== undefined) add(`${other} for`, node, `(${expression.getText()} as any).${other}(${given})`);
  if (narrowing.has(name.text)) add(`no ${name.text}`, node, expression.getText());
}

/** Another constant in the place of one. @param {ts.Node} node @returns {string | undefined} */
function constant(node) {
  const { parent } = node;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return "false";
  if (node.kind === ts.SyntaxKind.FalseKeyword) return "true";
  const isName = parent !== undefined && "name" in parent && parent.name === node;
  if (isName) return undefined;
  if (ts.isNumericLiteral(node)) return String(Number(node.text.replaceAll("_", "")) + 1);
  if (ts.isStringLiteral(node) && node.text !== "" && !isProse(node.text))
    return JSON.stringify(`${node.text}~`);
  return undefined;
}

/**
 * The places in a source where a function begins.
 *
 * @param {string} path
 * @param {string} source
 * @returns {number[]}
 */
export function functionsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  /** @type {number[]} */
  const found = [];
  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body))
      found.push(node.body.getStart() + 1);
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}
