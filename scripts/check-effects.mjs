// Finds effects and ref callbacks that return what a call gives. React calls whatever they return once they end, and a
// browser's call that gives nothing today may give a promise tomorrow: node scripts/check-effects.mjs
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const isEffect = /^use(Layout|Insertion)?Effect$/;

/** The function that React calls, if the node is an effect or a ref callback. @type {(node: ts.Node) => ts.Node | undefined} */
function calledBy(node) {
  if (ts.isCallExpression(node)) {
    const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    return isEffect.test(name.getText()) ? node.arguments[0] : undefined;
  }
  const isRef = ts.isJsxAttribute(node) && node.name.getText() === "ref";
  const given =
    isRef && node.initializer && ts.isJsxExpression(node.initializer) && node.initializer.expression;
  return given && ts.isFunctionLike(given) ? given : undefined;
}

/** True for nothing, and for a function in its place. @type {(given: ts.Expression | undefined) => boolean} */
const mayReturn = (given) =>
  given === undefined ||
  ts.isVoidExpression(given) ||
  ts.isArrowFunction(given) ||
  ts.isFunctionExpression(given);

/** The expressions that a function's own statements return. @type {(node: ts.Node) => ts.Expression[]} */
const returned = (node) =>
  ts.isReturnStatement(node)
    ? [node.expression].filter((given) => given !== undefined)
    : (ts.isFunctionLike(node) ? [] : childrenOf(node)).flatMap(returned);

/** @type {(node: ts.Node) => ts.Node[]} */
function childrenOf(node) {
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
}

/** The places of a source where an effect returns something else. @type {(name: string, text: string) => string[]} */
export function wrongEffects(name, text) {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const look = (node) => {
    const effect = calledBy(node);
    const here = effect === undefined ? [] : wrongIn(effect);
    return [...here, ...childrenOf(node).flatMap(look)];
  };
  return look(source).map((node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    return `${name}:${line + 1}: ${node.getText().split("\n")[0]}`;
  });
}

/** @type {(effect: ts.Node) => ts.Node[]} */
function wrongIn(effect) {
  if (!ts.isArrowFunction(effect) && !ts.isFunctionExpression(effect)) return [effect];
  if (effect.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return [effect];
  const given = ts.isBlock(effect.body) ? effect.body.statements.flatMap(returned) : [effect.body];
  return given.filter((one) => !mayReturn(ts.skipParentheses(one)));
}

/** The sources that React may run. @type {() => string[]} */
const sources = () =>
  ["apps", "packages", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/(^|[\\/])(node_modules|dist)[\\/]/.test(name))
      .map((name) => join(root, folder, name)),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = sources().flatMap((file) => {
    const text = readFileSync(file, "utf8");
    return /Effect\(|\bref=/.test(text) ? wrongEffects(relative(root, file), text) : [];
  });
  for (const place of wrong) console.log(place);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
