// Entries of a JSON file with comments, whose other characters stay as they are.
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { usageFailure } from "../../input/failure.js";
import type { SettingsEntry } from "./host-settings.js";
import { appended, removedNode, valueText } from "./json-text.js";
import { refuseOther } from "./own-entry.js";

type Path = readonly string[];

/**
 * Puts entries into the text of a file. What is there already, and the same, changes nothing.
 *
 * @throws Failure for text that is no JSON, and where something else stands in the way.
 */
export function withEntries(text: string, file: string, entries: readonly SettingsEntry[]): string {
  let changed = text.trim() === "" ? "{}\n" : text;
  for (const entry of entries) changed = withEntry(changed, file, entry);
  return changed;
}

function withEntry(text: string, file: string, entry: SettingsEntry): string {
  checkWay(text, file, entry.path);
  const there = valueAt(text, file, entry.path);
  if ("value" in entry) {
    if (same(there, entry.value)) return text;
    if (entry.isServer === true) refuseOther(there, file);
    else if (there !== undefined) return text;
    return put(text, file, entry.path, entry.value);
  }
  if (there === undefined) return entry.ifThere === true ? text : put(text, file, entry.path, [entry.listed]);
  if (!Array.isArray(there)) throw inTheWay(file, entry.path, "a list");
  refuseMixed(there, file, entry);
  const at = ownIndex(there, entry);
  if (at >= 0)
    return same(there[at], entry.listed) ? text : replaced(text, file, [...entry.path, at], entry.listed);
  const list = findNodeAtLocation(treeOf(text, file), [...entry.path]) as Node;
  return appended(text, list, entry.path.length + 1, undefined, entry.listed);
}

/** Takes the entries out again, with the objects and lists that are empty then. */
export function withoutEntries(text: string, file: string, entries: readonly SettingsEntry[]): string {
  if (text.trim() === "") return text;
  let changed = text;
  for (const entry of entries) changed = withoutEntry(changed, file, entry);
  return changed;
}

function withoutEntry(text: string, file: string, entry: SettingsEntry): string {
  const there = valueAt(text, file, entry.path);
  if (there === undefined) return text;
  if ("listed" in entry) {
    if (Array.isArray(there)) refuseMixed(there, file, entry);
    const at = Array.isArray(there) ? ownIndex(there, entry) : -1;
    if (at < 0) return text;
    return (there as unknown[]).length === 1
      ? removed(text, file, entry.path)
      : without(text, file, [...entry.path, at]);
  }
  if (entry.isServer === true) refuseOther(there, file);
  else if (!same(there, entry.value)) return text;
  return removed(text, file, entry.path);
}

/** Removes a member, and each object around it that has no other. */
function removed(text: string, file: string, path: Path): string {
  const parent = path.slice(0, -1);
  const isAlone = parent.length > 0 && Object.keys(Object(valueAt(text, file, parent))).length === 1;
  return isAlone ? removed(text, file, parent) : without(text, file, path);
}

/** The place of what is ours in a list, also of an earlier form of it; -1 without any. */
const ownIndex = (list: readonly unknown[], { listed, isOurs }: Listed): number =>
  list.findIndex((one) => same(one, listed) || isOurs?.(one) === true);

type Listed = Extract<SettingsEntry, { readonly listed: unknown }>;

/** @throws Failure for an entry of somebody's that has ours in it: neither way can tell them apart. */
function refuseMixed(list: readonly unknown[], file: string, { path, isMixed }: Listed): void {
  const at = list.findIndex((one) => isMixed?.(one) === true);
  if (at >= 0) throw inTheWay(file, [...path, String(at)], "askwire in an entry of its own");
}

/** Puts a value in the place of what stands at a path. */
function replaced(text: string, file: string, path: readonly (string | number)[], value: unknown): string {
  const { offset, length } = findNodeAtLocation(treeOf(text, file), [...path]) as Node;
  return text.slice(0, offset) + valueText(text, value, path.length) + text.slice(offset + length);
}

/** Puts a value in the place of another, or with the objects around it that are missing behind what is there. */
function put(text: string, file: string, path: Path, value: unknown): string {
  const tree = treeOf(text, file);
  if (findNodeAtLocation(tree, [...path]) !== undefined) return replaced(text, file, path, value);
  const missing = path.findIndex((_, at) => findNodeAtLocation(tree, path.slice(0, at + 1)) === undefined);
  const parent = missing === 0 ? tree : (findNodeAtLocation(tree, path.slice(0, missing)) as Node);
  const inside = path.slice(missing + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return appended(text, parent, missing + 1, path[missing], inside);
}

/** Removes what stands at a path. */
function without(text: string, file: string, path: readonly (string | number)[]): string {
  const value = findNodeAtLocation(treeOf(text, file), [...path]) as Node;
  return removedNode(text, value.parent?.type === "property" ? value.parent : value);
}

function treeOf(text: string, file: string) {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  const line = (offset: number) => text.slice(0, offset).split("\n").length;
  if (first !== undefined)
    throw usageFailure(
      `${file}: line ${line(first.offset)}: expected JSON (${printParseErrorCode(first.error)}); nothing was changed: mend it first`,
    );
  if (tree?.type !== "object") throw inTheWay(file, [], "an object");
  return tree;
}

function valueAt(text: string, file: string, path: Path): unknown {
  const node = findNodeAtLocation(treeOf(text, file), [...path]);
  return node === undefined ? undefined : getNodeValue(node);
}

/** @throws Failure where a value that is no object stands on the way to the entry. */
function checkWay(text: string, file: string, path: Path): void {
  for (let length = 1; length < path.length; length++) {
    const part = path.slice(0, length);
    const value = valueAt(text, file, part);
    if (value === undefined) return;
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw inTheWay(file, part, "an object");
  }
}

const inTheWay = (file: string, path: Path, what: string) =>
  usageFailure(
    `${file}: ${path.length === 0 ? "" : `${path.join(".")}: `}expected ${what}; nothing was changed: mend it first`,
  );

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
