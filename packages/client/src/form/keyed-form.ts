import type { FormAction } from "./actions.js";
import { isTextPlace } from "./key-table.js";
import { cursorPlace, type FormKey, formAction, keyColumn } from "./keys.js";
import { hinted, reduceForm, withoutHint } from "./reduce.js";
import { type FormHint, type FormState, isBegun, shownQuestion } from "./state.js";

/** The time that a character with a meaning waits for a second character, which makes both words, in milliseconds. */
export const HELD_MS = 300;

/** The time in which a letter that moved the cursor still begins the following words, in milliseconds. */
const BEGUN_MS = 1_000;

/**
 * A form, with the text that a person is typing at it.
 * On a row without a text field, digits, blanks and shortcuts have a meaning only alone: without another character
 * within {@link HELD_MS}.
 * All else is prose. Prose goes to own text, or nowhere if the question takes none. Enter after lost prose chooses
 * nothing. Never changed: each key makes a new object.
 */
export interface KeyedForm {
  readonly form: FormState;
  /** A character whose meaning is still open. */
  readonly held?: HeldKey;
  /** The time of the last character, or of an Enter or Tab right behind a character, in milliseconds. */
  readonly typedAt: number;
  /** Letters that stood alone, and begin the words that follow soon. */
  readonly begun?: { readonly text: string; readonly until: number };
  /**
   * The place of characters that reached nothing: here, or before the form took keys. The next Enter belongs to them.
   */
  readonly lost?: "here" | "before";
  /** The time at which Enter brought another question, or at which an Enter behind that one was not taken. */
  readonly movedAt?: number;
}

type Typed = Exclude<FormKey, { readonly key: unknown }>;

interface HeldKey {
  readonly text: string;
  /** The form without the held character. */
  readonly before: FormState;
  /** The action at `until`. Undefined if that action is done, or the character has none. */
  readonly action: FormAction | undefined;
  readonly toggles: boolean;
  readonly until: number;
  /** Keys pressed meanwhile, up to the first Enter. */
  readonly next: readonly TypedName[];
}

type TypedName = "enter" | "tab" | "back_tab";

/** A form without typing. After a click, begin anew: `keyedForm(reduceForm(keyed.form, action))`. */
export const keyedForm = (form: FormState): KeyedForm => ({ form, typedAt: Number.NEGATIVE_INFINITY });

/** The time when {@link passTime} is due, in milliseconds. Undefined while nothing waits. */
export function wakeAt({ held, form }: KeyedForm): number | undefined {
  const times = [held?.until, form.declineUntil].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** The form after a key. `at` is the time in milliseconds, of any monotonic clock. */
export function pressKey(keyed: KeyedForm, key: FormKey, at: number): KeyedForm {
  if (keyed.form.result !== undefined || ("composing" in key && key.composing)) return keyed;
  if (!("key" in key)) return typed(keyed, key, at);
  switch (key.key) {
    case "enter":
    case "tab":
    case "back_tab":
      return typedNamed(keyed, key.key, at);
    case "escape":
    case "backspace":
      if (keyed.held !== undefined) return keyedForm(withoutHint(keyed.held.before));
      if (keyed.lost === "here") return keyedForm(withoutHint(keyed.form));
  }
  return keyedForm(acted(settledBy(keyed), key, at));
}

/** The form after a key from before the form took any. Neither that key nor an Enter behind its words has an effect. */
export function dropKey(keyed: KeyedForm, key: FormKey): KeyedForm {
  const { lost, ...rest } = keyed;
  if (!("key" in key)) return { ...rest, lost: "before" };
  return lost !== undefined && key.key === "tab" ? keyed : rest;
}

/** The form after some time. A held character counts, and a hint that waits for a second Escape goes away. */
export function passTime(keyed: KeyedForm, at: number): KeyedForm {
  const form = reduceForm(keyed.form, { type: "tick", at });
  const { held } = keyed;
  if (held !== undefined && at >= held.until) return settled({ ...keyed, form }, held, at);
  return form === keyed.form ? keyed : { ...keyed, form };
}

function acted(form: FormState, key: FormKey, at: number): FormState {
  const action = formAction(form, key, at);
  return action === undefined ? form : reduceForm(form, action);
}

const isSoon = ({ typedAt }: KeyedForm, at: number) => at - typedAt < HELD_MS;

function typed(keyed: KeyedForm, key: Typed, at: number): KeyedForm {
  const { form, held, begun, lost } = keyed;
  const text = "paste" in key ? key.paste : key.text;
  if (text === "") return keyed;
  const first = begun !== undefined && at < begun.until ? begun.text : "";
  if (held !== undefined) return words(held.before, held.text + between(held) + text, at);
  const place = cursorPlace(form);
  if (isTextPlace(place)) return { form: acted(form, key, at), typedAt: at };
  if (place === "P") return read(keyed, key, at);
  const column = keyColumn(form, place, key);
  const meansSomething = column === "shortcut" || column === "space" || column === "digit";
  if (!meansSomething || isSoon(keyed, at) || lost === "here") return words(form, first + text, at);
  return hold(keyed, { text, first }, at);
}

/** The form after a key that leaves the full text, and may begin words too. */
function read(keyed: KeyedForm, key: Typed, at: number): KeyedForm {
  const form = isSoon(keyed, at) ? keyed.form : acted(keyed.form, key, at);
  const { begun: _begun, ...rest } = keyed;
  if (form.reading || !("text" in key)) return { ...rest, form, typedAt: at };
  return { ...rest, form, typedAt: at, begun: { text: key.text, until: at + HELD_MS } };
}

/** Enters prose, with the form as before the first character. */
function words(form: FormState, text: string, at: number): KeyedForm {
  const action = formAction(form, { paste: text }, at);
  return action === undefined
    ? { form: hinted(form, { why: "no_words_here" }), typedAt: at, lost: "here" }
    : { form: reduceForm(form, action), typedAt: at };
}

function hold(keyed: KeyedForm, { text, first }: { text: string; first: string }, at: number): KeyedForm {
  const { form } = keyed;
  const action = formAction(form, { text }, at);
  const toggles = action?.type === "choose";
  return {
    ...keyed,
    // The person sees at once what is toggled.
    form: toggles ? reduceForm(form, action) : form,
    held: {
      text: first + text,
      before: form,
      action: toggles ? undefined : action,
      toggles,
      until: at + HELD_MS,
      next: [],
    },
    typedAt: at,
  };
}

/** The characters of keys pressed while a character was held. Prose has line ends and tabs. */
const between = ({ next }: HeldKey) => next.map((name) => (name === "enter" ? "\n" : "\t")).join("");

/**
 * Counts a held character that no word follows, with the Enter or Tab behind it. A key pressed at the changed form
 * does not count.
 */
function settled(keyed: KeyedForm, held: HeldKey, at: number): KeyedForm {
  const { held: _held, begun: _begun, ...rest } = keyed;
  const form = held.action === undefined ? keyed.form : reduceForm(keyed.form, held.action);
  const begun = held.toggles ? {} : { begun: { text: held.text, until: held.until - HELD_MS + BEGUN_MS } };
  const after: KeyedForm = { ...rest, ...begun, form };
  if (held.toggles && held.next[0] === "enter") return typedNamed(after, "enter", at);
  const tabs = held.next.filter((name) => name !== "enter");
  const there = tabs.reduce((before, name) => typedNamed(before, name, at), after);
  return tabs.length < held.next.length ? notTaken(there, "enter_again") : there;
}

/** Counts a held character, since the next key cannot be prose. */
function settledBy({ form, held }: KeyedForm): FormState {
  return held?.action === undefined ? form : reduceForm(form, held.action);
}

/** Takes Enter and Tab, which prose has too. */
function typedNamed(keyed: KeyedForm, name: TypedName, at: number): KeyedForm {
  const { form, held, lost } = keyed;
  if (held?.next.includes("enter")) return keyed;
  if (held !== undefined) return { ...keyed, held: { ...held, next: [...held.next, name] } };
  const typedAt = isSoon(keyed, at) ? at : Number.NEGATIVE_INFINITY;
  const place = cursorPlace(form);
  const isRow = place !== "P" && !isTextPlace(place);
  const chooses = name === "enter" && (isRow || isUntouchedField(form));
  if (chooses && lost !== undefined)
    return notTaken({ form, typedAt }, lost === "here" && isRow ? "no_words_here" : "enter_again");
  if (chooses && place !== "B" && isSoon(keyed, at)) return notTaken({ form, typedAt }, "enter_again");
  // The second half of one double press, or a key that is held down, answers nothing that came between.
  if (chooses && at - (keyed.movedAt ?? Number.NEGATIVE_INFINITY) < HELD_MS)
    return { ...notTaken({ form, typedAt }, "enter_again"), movedAt: at };
  const after = acted(form, { key: name }, at);
  const isMoved = name === "enter" && (after.tab !== form.tab || (form.side !== undefined && !after.side));
  const isLost = lost !== undefined && (place === "P" || (name !== "enter" && isSoon(keyed, at)));
  return { form: after, typedAt, ...(isLost && { lost }), ...(isMoved && { movedAt: at }) };
}

/** True for a field as the form began with it: Enter would send its prefill, or leave it empty. */
function isUntouchedField(form: FormState): boolean {
  const { question, draft } = shownQuestion(form) ?? {};
  return question?.field !== undefined && draft !== undefined && !isBegun(question, draft);
}

const notTaken = (keyed: KeyedForm, why: Extract<FormHint["why"], "no_words_here" | "enter_again">) => ({
  ...keyed,
  form: hinted(keyed.form, { why }),
});
