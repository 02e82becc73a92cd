import {
  type ApprovalKind,
  type ApprovalOption,
  type ApprovalOptionKind,
  type ApprovalScope,
  type CoreQuestion,
  isLasting,
  rejectionOf,
  standardLabel,
  standardScopeText,
} from "@askwire/protocol";

/** An option of an approval, as whoever asks names it. */
export interface ApprovalOptionInit {
  /** The id that the answer names. Ids of one approval differ. */
  readonly id: string;
  /** The words on the row, which differ too. Default: by kind and scope, such as `Approve` or `Approve npm for this session`. */
  readonly label?: string | undefined;
  /** `allow` approves the call, `reject` does not. */
  readonly kind: ApprovalOptionKind;
  /** The extent beyond this call. Default: this call alone. */
  readonly scope?: ApprovalScopeInit | undefined;
}

/**
 * The extent of an option in the rest of the session. Later approvals with the same `action` that offer an equal scope
 * are answered by policy (P-XAO-4).
 */
export interface ApprovalScopeInit {
  /** `command`, `program`, `file` or `action`, or a custom kind. `call` covers nothing further. */
  readonly kind: "call" | "command" | "program" | "file" | "action" | (string & {});
  /** The covered command, program or file. Equal values are equal scopes. Default: none. */
  readonly value?: string | undefined;
  /** The extent in words. Default: by kind; a custom kind needs words. */
  readonly text?: string | undefined;
}

/** The most options of an approval, and UTF-16 units of an id. */
const MOST_OPTIONS = 64;
const MOST_ID = 128;

/**
 * The options of an approval, with all that was left out. A way to reject this call alone is always among them.
 *
 * @throws TypeError for options that do not fit.
 */
export function approvalOptions(
  given: readonly ApprovalOptionInit[],
  action: string,
): readonly ApprovalOption[] {
  const options = given.map((option, index) => optionOf(option, action, `options[${index}]`));
  if (rejectionOf(options) === undefined) {
    const label = standardLabel({ kind: "reject" });
    options.push({ id: freeId(options, "reject"), label: freeLabel(options, label), kind: "reject" });
  }
  const problem = listProblem(options);
  if (problem !== undefined) throw new TypeError(`options: ${problem}`);
  return options;
}

function listProblem(options: readonly ApprovalOption[]): string | undefined {
  if (options.length > MOST_OPTIONS) return `expected at most ${MOST_OPTIONS}`;
  if (!options.some(({ kind }) => kind === "allow")) return 'expected one of kind "allow" at least';
  const differ = (texts: readonly string[]) => new Set(texts).size === texts.length;
  if (!differ(options.map(({ id }) => id))) return "expected ids that differ";
  return differ(options.map(({ label }) => label)) ? undefined : "expected labels that differ";
}

function optionOf(
  { id, label, kind, scope }: ApprovalOptionInit,
  action: string,
  place: string,
): ApprovalOption {
  if (typeof id !== "string" || id === "" || id.length > MOST_ID) {
    throw new TypeError(`${place}.id: expected 1 to ${MOST_ID} characters`);
  }
  if (kind !== "allow" && kind !== "reject") {
    throw new TypeError(`${place}.kind: expected "allow" or "reject"`);
  }
  const said = label ?? standardLabel({ kind, scope });
  if (said.trim() === "") throw new TypeError(`${place}.label: expected words`);
  return { id, label: said, kind, ...(scope !== undefined && { scope: scopeOf(scope, action, place) }) };
}

function scopeOf({ kind, value, text }: ApprovalScopeInit, action: string, place: string): ApprovalScope {
  const words = text ?? standardScopeText({ kind, value }, action);
  if (words === undefined) throw new TypeError(`${place}.scope.text: expected words for the scope "${kind}"`);
  return { kind, ...(value !== undefined && { value }), text: words };
}

function freeId(options: readonly ApprovalOption[], wanted: string): string {
  return options.some(({ id }) => id === wanted) ? freeId(options, `${wanted}_`) : wanted;
}

/** The label that none has: an option that lasts may be called "Reject" too. */
function freeLabel(options: readonly ApprovalOption[], wanted: string): string {
  return options.some(({ label }) => label === wanted) ? freeLabel(options, `${wanted} once`) : wanted;
}

/** The option that each of the base profile's three words stands for (P-XAO-5). */
export type OptionsOfWords = Readonly<Record<ApprovalKind, ApprovalOption>>;

/**
 * The meaning of the base profile's three words; undefined where they do not suffice.
 *
 * @param forSession the id of the option that `approve_for_session` stands for where several have a scope.
 * @throws TypeError if no option has that id.
 */
export function optionsOfWords(
  options: readonly ApprovalOption[],
  forSession: string | undefined,
): OptionsOfWords | undefined {
  const named = options.find(({ id }) => id === forSession);
  if (forSession !== undefined && (named?.kind !== "allow" || !isLasting(named.scope))) {
    throw new TypeError(`for_session: expected the id of an option that allows with a scope`);
  }
  const [once, ...further] = options.filter(({ kind, scope }) => kind === "allow" && !isLasting(scope));
  const lasting = options.filter(({ kind, scope }) => kind === "allow" && isLasting(scope));
  const reject = rejectionOf(options);
  const ways = options.filter(({ kind }) => kind === "reject").length;
  if (once === undefined || reject === undefined || further.length > 0 || ways > 1) return undefined;
  if (lasting.length > 1 && named === undefined) return undefined;
  return { approve: once, approve_for_session: named ?? lasting[0] ?? once, reject };
}

/** An approval as a question with its options as the choices, for clients that it cannot be put to otherwise (P-XAO-5). */
export const approvalQuestion = (
  { sender, description }: { readonly sender: string; readonly description: string },
  options: readonly ApprovalOption[],
  body: string,
): CoreQuestion => ({
  id: "approval",
  question: `${sender}: ${description}`,
  header: "Approval",
  options: options.map(({ id, label, scope }) => ({ id, label, description: scope?.text ?? "" })),
  multi_select: false,
  body,
  other_label: "Reject, and say why",
  other_description: "",
  own_text: true,
});
