import { type FormState, hasReview, mayLeaveOut, questionRows, shownQuestion } from "@askwire/client/form";
import type { PanelWords } from "@askwire/client/words";
import type { PanelContent } from "./content.js";
import type { Drawing } from "./drawing.js";

type KeyName = keyof PanelWords["keys"];

/** The text between two keys. */
const BETWEEN = " · ";

/** The last line: the effects of keys here, the most important that fit. Names no key while none counts. */
export function keyHints(
  { form, waiting }: Pick<PanelContent, "form" | "waiting">,
  more: boolean,
  { words, paint, texts, columns, ready }: Drawing,
): string {
  if (!ready) return paint("dim", "…");
  const order = [...keysOf(form, more), ...keysBeside(form, waiting)];
  let kept: readonly KeyName[] = [];
  for (const name of byWeight(order)) {
    const next = order.filter((key) => key === name || kept.includes(key));
    if (texts.widthOf(next.map((key) => words.keys[key]).join(BETWEEN)) <= columns) kept = next;
  }
  const text = kept.map((key) => words.keys[key]).join(BETWEEN);
  return paint("dim", text === "" ? texts.cut("…", columns) : text);
}

/** The keys that are named behind all others: beside the rows, and around the panel. */
function keysBeside(form: FormState, waiting: number): readonly KeyName[] {
  if (form.side !== undefined) return [];
  const { question, row } = shownQuestion(form) ?? {};
  const takesLines = row?.is === "own_text" && (question?.field?.type ?? "text") === "text";
  return [
    ...((question?.options.length ?? 0) >= MANY ? (["find"] as const) : []),
    ...(takesLines ? (["newLine"] as const) : []),
    ...(question !== undefined && form.options.takesNotes ? (["note"] as const) : []),
    ...(waiting > 0 ? (["nextRequest"] as const) : []),
    "putAside",
  ];
}

/** The options from which on the last line names the search. */
const MANY = 8;

/** The keys with an effect in this state, in reading order. */
function keysOf(form: FormState, more: boolean): readonly KeyName[] {
  if (form.side !== undefined)
    return form.side.is === "search" ? ["seek", "endSearch"] : ["endNote", "newLine"];
  const leaveOut: readonly KeyName[] = form.options.leavesOut && mayLeaveOut(form) ? ["leaveOut"] : [];
  const tabs: readonly KeyName[] = [...leaveOut, ...(hasReview(form) ? (["tabs"] as const) : [])];
  const read: readonly KeyName[] = more ? ["read"] : [];
  const shown = shownQuestion(form);
  if (shown === undefined) return ["move", "choose", "toAnswers", ...read, "decline"];
  const { question, draft, row } = shown;
  const count = questionRows(question, form.options).length;
  const move: readonly KeyName[] = count > 1 ? ["move"] : [];
  if (row.is === "confirm") return ["move", "confirm", ...tabs, ...read, "decline"];
  if (row.is === "discuss") return ["move", "discuss", ...tabs, ...read, "decline"];
  if (row.is === "own_text")
    return [...move, "confirm", ...tabs, ...read, draft.text.text === "" ? "decline" : "clear"];
  const own: readonly KeyName[] =
    !question.own_text || (hasReview(form) && form.options.typeAnywhere === false)
      ? []
      : hasReview(form)
        ? ["ownText"]
        : ["toOwnText"];
  const choose: readonly KeyName[] = !question.multi_select
    ? ["choose"]
    : form.options.enterToggles
      ? ["selectByEnter"]
      : ["select", "confirm"];
  return [...move, ...choose, ...own, ...tabs, ...read, "decline"];
}

/** Keys in the order of their weight. The last go first if room is short: keys that choose or decline stay longest. */
const weight: readonly KeyName[] = [
  "choose",
  "select",
  "selectByEnter",
  "confirm",
  "discuss",
  "endSearch",
  "endNote",
  "seek",
  "clear",
  "decline",
  "back",
  "read",
  "scroll",
  "move",
  "tabs",
  "leaveOut",
  "toAnswers",
  "find",
  "newLine",
  "note",
  "nextRequest",
  "toOwnText",
  "ownText",
  "putAside",
  "ends",
];

const byWeight = (keys: readonly KeyName[]) =>
  [...keys].sort((one, other) => weight.indexOf(one) - weight.indexOf(other));

/** The last line of the full text: the position in it, and the keys to scroll and to return. */
export function readingHints(
  { first, last, all }: { first: number; last: number; all: number },
  { words, paint, texts, columns, ready }: Drawing,
): string {
  const { scroll, ends, back } = words.keys;
  const where = words.position(first, last, all);
  const choices = ready
    ? [[where, scroll, ends, back], [where, scroll, back], [where, back], [back]]
    : [[where]];
  const parts = choices.find((choice) => texts.widthOf(choice.join(BETWEEN)) <= columns);
  return paint("dim", parts?.join(BETWEEN) ?? texts.cut(where, columns));
}
