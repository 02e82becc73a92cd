// A plugin of the bundler that lets a test plant errors in the components of a page: in one of those that are shown, while
// it is drawn, in an effect, or in a handler of an element that it made.
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import type { Plugin } from "rolldown";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs in the page. Each component calls `usePlant` first; the newest to do so makes the elements that follow. */
const runtime = `
import { useEffect, useState, useSyncExternalStore } from "react";
const listeners = new Set();
const shown = new Map();
let planted = {};
let count = 0;
let maker = "";
let thrown = 0;
const fail = (name) => {
  thrown += 1;
  throw new Error("planted in " + name);
};
const subscribe = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export function usePlant(name) {
  const [id] = useState(() => ++count);
  const kind = useSyncExternalStore(subscribe, () => (planted.id === id ? planted.kind : ""));
  maker = name;
  useEffect(() => {
    shown.set(id, name);
    return () => { shown.delete(id); };
  }, []);
  useEffect(() => {
    if (kind === "effect") fail(name);
  }, [kind]);
  if (kind === "drawing") fail(name);
}
/** Props of an element whose handlers fail where that is planted. */
export function withHandlers(props) {
  const own = maker;
  const handlers = Object.entries(props).filter(([key, value]) => /^on[A-Z]/.test(key) && typeof value === "function");
  if (handlers.length === 0) return props;
  const failing = handlers.map(([key, handler]) => [key, (...given) => {
    if (planted.handler === own + " " + key) fail(planted.handler);
    return handler(...given);
  }]);
  return { ...props, ...Object.fromEntries(failing), "data-made": handlers.map(([key]) => own + " " + key).join() };
}
const notes = () => [...document.querySelectorAll(".askwire-failed")];
const why = () => notes().map((note) => note.textContent).join();
/** Resolves once React has done what it was told. */
const settled = async () => {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setTimeout(resolve));
};
/** Waits until that holds, and resolves with false if it does not come to it. */
async function until(holds) {
  const end = performance.now() + 10_000;
  while (!holds() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  return holds();
}
function plant(next) {
  planted = next;
  thrown = 0;
  for (const listener of [...listeners]) listener();
}
const made = () => [...document.querySelectorAll("[data-made]")];
/** Does what calls a handler of a component. */
function call(handler) {
  const all = made().filter((one) => one.dataset.made.split(",").includes(handler));
  // A radio button that is chosen tells of no change.
  const element = all.find(({ type, checked }) => type !== "radio" || !checked) ?? all[0];
  const type = handler.split(" on")[1].replace("Capture", "").toLowerCase().replace("change", element.type === "select-one" ? "change" : "input");
  if (type === "click" || element.type === "checkbox" || element.type === "radio") return element.click();
  const change = () => element.dispatchEvent(new Event("change", { bubbles: true }));
  if (element.type === "file") return change();
  const native = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value");
  if (type === "input" && native !== undefined) native.set.call(element, element.value + "!");
  const names = { focus: "focusin", pointerenter: "pointerover" };
  element.dispatchEvent(new Event(names[type] ?? type, { bubbles: true, cancelable: true }));
}
/** The selectors of what the page does not show, and the words that stand in none of its fields. */
const missingOf = (parts) => Object.keys(parts).filter((name) => document.querySelector(parts[name]) === null);
const typed = () => [...document.querySelectorAll("textarea, input")].map(({ value }) => value).join();
const lostOf = (words) => words.filter((word) => !typed().includes(word));

globalThis.planting = {
  shown: () => [...new Set(shown.values())],
  handlers: () => [...new Set(made().flatMap((one) => one.dataset.made.split(",")))],
  async failComponent({ name, kind, parts, words }) {
    const id = [...shown].find(([, one]) => one === name)?.[0];
    if (id === undefined) return null;
    plant({ id, kind });
    await settled();
    const result = { isThrown: thrown > 0, told: why(), missing: missingOf(parts) };
    plant({});
    for (let round = 0; round < 4 && notes().length > 0; round++) {
      for (const note of notes()) note.querySelector("button").click();
      await settled();
    }
    const isBack = await until(() => notes().length + missingOf(parts).length + lostOf(words).length === 0);
    return { ...result, left: isBack ? "" : [why(), ...missingOf(parts), ...lostOf(words)].join() };
  },
  async failHandler({ name, parts, words }) {
    // A card that was drawn anew takes no press at once.
    await until(() => document.querySelector(".askwire-page[aria-disabled]") === null);
    plant({ handler: name });
    call(name);
    await settled();
    const result = { isThrown: thrown > 0, told: why(), missing: missingOf(parts) };
    plant({});
    for (const note of notes()) note.querySelector("button").click();
    const isBack = await until(() => notes().length + missingOf(parts).length + lostOf(words).length === 0);
    return { ...result, left: isBack ? "" : [why(), ...missingOf(parts), ...lostOf(words)].join() };
  },
};
`;

const jsx = `
import { Fragment, jsx as one, jsxs as several } from "react/jsx-runtime";
import { withHandlers } from "planted";
const made = (make) => (type, props, key) => make(type, typeof type === "string" ? withHandlers(props) : props, key);
const jsx = made(one);
const jsxs = made(several);
export { Fragment, jsx, jsxs };
`;

const runtimes = { planted: runtime, "planted-jsx": jsx };

/** Plants in all components of our own sources, and tells `found` the name of each. */
export const plantedErrors = (found: (name: string) => void): Plugin => ({
  name: "planted-errors",
  resolveId(name, importer) {
    // The code that is planted imports React as the page does.
    if (name in runtimes) return `\0${name}`;
    if (importer?.startsWith("\0planted"))
      return this.resolve(name, join(root, "apps/web/src/start.ts"), { skipSelf: true });
    return name === "react/jsx-runtime" ? "\0planted-jsx" : undefined;
  },
  load: (id) => Object.entries(runtimes).find(([name]) => id === `\0${name}`)?.[1],
  transform: {
    order: "pre",
    filter: { id: /\/src\/.*\.tsx$/ },
    handler: (text, id) => planted(relative(root, id), text, found),
  },
});

/** A source whose components call `usePlant`. */
function planted(file: string, text: string, found: (name: string) => void): string {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const into = (name: string, body: ts.ConciseBody | undefined) => {
    if (body === undefined || !/^[A-Z]/.test(name)) return;
    const call = `usePlant(${JSON.stringify(`${file}:${name}`)});`;
    found(`${file}:${name}`);
    if (ts.isBlock(body)) inserted.push({ at: body.getStart() + 1, text: call });
    else inserted.push({ at: body.getStart(), text: `{ ${call} return (` }, { at: body.end, text: "); }" });
  };
  for (const statement of source.statements) {
    if (ts.isFunctionDeclaration(statement)) into(statement.name?.text ?? "", statement.body);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const isMemo =
        initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === "memo";
      const given = isMemo ? initializer.arguments[0] : initializer;
      if (given && (ts.isArrowFunction(given) || ts.isFunctionExpression(given)))
        into(name.getText(), given.body);
    }
  }
  const changed = inserted
    .sort((one, other) => other.at - one.at)
    .reduce((result, { at, text }) => result.slice(0, at) + text + result.slice(at), text);
  return inserted.length === 0 ? text : `import { usePlant } from "planted";${changed}`;
}

/** The components that the page shows. */
export const shownComponents = (page: Page): Promise<string[]> => page.evaluate("planting.shown()");

/** The handlers that a person reaches on the page, by the component that gave them to an element. */
export const shownHandlers = (page: Page): Promise<string[]> => page.evaluate("planting.handlers()");

/** The parts and words that an error must leave alone. */
export interface Rest {
  /** A selector of each part that a person uses, by its name. */
  readonly parts: Readonly<Record<string, string>>;
  /** All that the person typed. */
  readonly words: readonly string[];
}

/** The damage that a planted error did to the page. */
export interface Damage {
  readonly isThrown: boolean;
  /** The texts that told of it. */
  readonly told: string;
  /** The parts that were gone by then. */
  readonly missing: readonly string[];
  /** The parts that did not come back once the person had asked for them. */
  readonly left: string;
}

/**
 * Fails a shown component while it is drawn or in an effect, and has all drawn anew that says it failed. Null if it is no
 * longer shown.
 */
export const failComponent = (
  page: Page,
  rest: Rest & { readonly name: string; readonly kind: "drawing" | "effect" },
): Promise<Damage | null> => page.evaluate(`planting.failComponent(${JSON.stringify(rest)})`);

/** Does what calls a handler, which fails, and closes what tells of it. */
export const failHandler = (page: Page, rest: Rest & { readonly name: string }): Promise<Damage> =>
  page.evaluate(`planting.failHandler(${JSON.stringify(rest)})`);
