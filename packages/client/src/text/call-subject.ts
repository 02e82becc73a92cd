import { visibleLine, withoutMiddle } from "./visible-text.js";

/** The most characters of a subject. */
const LENGTH = 60;

/** The names that tools use for their most telling argument. */
const telling = ["path", "command"];

/**
 * The subject of a tool call, on one line: a path, a command, the action of a query for parameters, or else the first
 * text of one line. Empty if the arguments name nothing.
 */
export function callSubject(args: object): string {
  const texts = Object.entries(args).flatMap(([name, text]) =>
    typeof text === "string" ? [{ name, text }] : [],
  );
  const isTelling = ({ name }: { name: string }) => telling.includes(name);
  const said = texts.find(isTelling)?.text ?? action(texts);
  const text = said ?? texts.find(({ text }) => !text.includes("\n"))?.text ?? "";
  return withoutMiddle(visibleLine(text.trim()), LENGTH);
}

/** The action of a query for parameters in the dialect adp, by the name in its result. */
function action(texts: readonly { readonly name: string; readonly text: string }[]): string | undefined {
  const names = ["tool_id", "action"].map((asked) => texts.find(({ name }) => name === asked)?.text.trim());
  return names.some((name) => name === undefined) ? undefined : names.join(".");
}
