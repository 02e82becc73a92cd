// Members of a JSON text with comments: only their own characters, and the commas that they need, are changed.
import { createScanner, type Node } from "jsonc-parser";

/** The style of a file. */
interface Style {
  readonly indent: string;
  readonly eol: string;
}

const styleOf = (text: string): Style => ({
  indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ",
  eol: text.includes("\r\n") ? "\r\n" : "\n",
});

/** A value as text, at a depth of a file. */
export function valueText(text: string, value: unknown, depth: number): string {
  const { indent, eol } = styleOf(text);
  return JSON.stringify(value, null, indent).replaceAll("\n", `${eol}${indent.repeat(depth)}`);
}

/**
 * Appends a member to an object, or an element to a list.
 *
 * @param depth the number of objects and lists around the member.
 * @param key undefined for an element.
 */
export function appended(
  text: string,
  parent: Node,
  depth: number,
  key: string | undefined,
  value: unknown,
): string {
  const { indent, eol } = styleOf(text);
  const name = key === undefined ? "" : `${JSON.stringify(key)}: `;
  const last = parent.children?.at(-1);
  const own = text.slice(parent.offset, parent.offset + parent.length);
  if (last !== undefined && !own.includes("\n")) {
    const end = last.offset + last.length;
    const comma = commaAfter(text, end);
    const member = `${name}${JSON.stringify(value)}`;
    return comma === undefined
      ? spliced(text, end, end, `, ${member}`)
      : spliced(text, comma, comma, ` ${member},`);
  }
  const member = `${eol}${indent.repeat(depth)}${name}${valueText(text, value, depth)}`;
  if (last === undefined) {
    const end = parent.offset + parent.length - 1;
    const start = text.slice(0, end).trimEnd().length;
    // Comments in an object without members stay before the first.
    return spliced(text, start, end, `${member}${eol}${indent.repeat(depth - 1)}`);
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const begun = comma === undefined ? spliced(text, end, end, ",") : text;
  const lineEnd = endOfComments(begun, comma ?? end + 1);
  return spliced(begun, lineEnd, lineEnd, comma === undefined ? member : `${member},`);
}

/** Removes a member of an object, or an element of a list. */
export function removedNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  const end = node.offset + node.length;
  const comma = commaAfter(text, end);
  const isLast = siblings.at(-1) === node;
  const [start, stop] = wholeLines(text, node.offset, comma ?? end);
  const without = spliced(text, start, stop, "");
  if (!isLast || comma !== undefined || before === undefined)
    return emptied(without, siblings.length === 1, start);
  const other = commaAfter(text, before.offset + before.length);
  return other === undefined ? without : spliced(without, other - 1, other, "");
}

/** An object or list that has lost its only member is written without blanks in it. */
function emptied(text: string, isEmpty: boolean, at: number): string {
  if (!isEmpty) return text;
  const start = text.slice(0, at).trimEnd().length;
  const stop = at + (text.slice(at).length - text.slice(at).trimStart().length);
  return /[{[]/.test(text[start - 1] ?? "") && /[}\]]/.test(text[stop] ?? "")
    ? spliced(text, start, stop, "")
    : text;
}

/** Widens a range to whole lines, where nothing else is in them; else to the blanks before it. */
function wholeLines(text: string, start: number, end: number): [number, number] {
  const before = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const isAlone = before.includes("\n") && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  if (isAlone) return [start - before.length, end];
  return before.includes("\n") ? [start, end] : [start - before.length, end];
}

const spliced = (text: string, start: number, end: number, piece: string) =>
  text.slice(0, start) + piece + text.slice(end);

/** The place after the comma that follows; undefined without one. */
function commaAfter(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === "," ? at + 1 : undefined;
}

/** The end of the comments that stand in the same line. */
const endOfComments = (text: string, from: number): number =>
  from + (/^(?:[ \t]*\/\*[^\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(from))?.[0].length ?? 0);
