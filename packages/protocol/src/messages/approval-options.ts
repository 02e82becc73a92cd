// The ways in which a person may answer an approval of the extended profile beyond yes and no (P-XAO-1 to P-XAO-3).

import * as z from "../zod.js";
import type { ApprovalKind } from "./events.js";

/** The kinds of an approval's options. */
export const approvalOptionKinds = ["allow", "reject"] as const;
/** A value of {@link approvalOptionKinds}. */
export type ApprovalOptionKind = (typeof approvalOptionKinds)[number];

/**
 * The extent of an option (P-XAO-2). `kind` is `call`, `command`, `program`, `file` or `action`, or the asker's own, and
 * `value` names the command, program or file. Later approvals of the session with an equal scope are not asked.
 */
export const ApprovalScope = z.looseObject({
  kind: z.string(),
  value: z.optional(z.string()),
  /** The extent in words. */
  text: z.string(),
});
export type ApprovalScope = z.output<typeof ApprovalScope>;

/** A way to answer an approval (P-XAO-1). Without `scope` it covers this call alone. */
export const ApprovalOption = z.looseObject({
  id: z.string(),
  label: z.string(),
  kind: z.literal(approvalOptionKinds),
  scope: z.optional(ApprovalScope),
  /** True for the option that `approve_for_session` of a base client stands for, where its asker names one (P-XAO-5). */
  for_session: z.optional(z.boolean()),
});
export type ApprovalOption = z.output<typeof ApprovalOption>;

/** A text that a person may change before approving (P-XAO-3): of a file where `path` names one. */
export const ApprovalEdit = z.looseObject({
  content: z.string(),
  path: z.optional(z.string()),
  /** The language of the text, such as `bash`. */
  language: z.optional(z.string()),
  /** UTF-16 units of the changed text, at most. */
  max_length: z.int().check(z.minimum(1)),
});
export type ApprovalEdit = z.output<typeof ApprovalEdit>;

/** True if a scope reaches beyond the call that asks. */
export const isLasting = (scope: Pick<ApprovalScope, "kind"> | undefined): boolean =>
  scope !== undefined && scope.kind !== "call";

/**
 * The option that words alone stand for, and that a press without a choice may mean: the first that rejects this call,
 * and nothing beyond it. Undefined where every way to reject lasts (P-XAO-10).
 */
export const rejectionOf = <O extends Pick<ApprovalOption, "kind" | "scope">>(
  options: readonly O[],
): O | undefined => options.find(({ kind, scope }) => kind === "reject" && !isLasting(scope));

/** The word of the base profile that says the most of an option. */
export function wordOf({ kind, scope }: Pick<ApprovalOption, "kind" | "scope">): ApprovalKind {
  if (kind === "reject") return "reject";
  return isLasting(scope) ? "approve_for_session" : "approve";
}

/** The label of an option whose asker gave none. User interfaces in other languages recognize these labels. */
export function standardLabel({ kind, scope }: Pick<ApprovalOption, "kind"> & { scope?: Scope }): string {
  const lasting = isLasting(scope) ? scope : undefined;
  if (lasting === undefined) return kind === "allow" ? "Approve" : "Reject";
  const what = Object.hasOwn(objects, lasting.kind)
    ? objects[lasting.kind as keyof typeof objects]
    : noObject;
  return `${kind === "allow" ? "Approve" : "Reject"}${what(lasting.value ?? "")} for this session`;
}

/** The extent of a scope whose asker gave no words; undefined for a kind of the asker's own. */
export function standardScopeText(
  { kind, value = "" }: NonNullable<Scope>,
  action: string,
): string | undefined {
  switch (kind) {
    case "call":
      return "this call only";
    case "command":
      return "this same command again too";
    case "program":
      return `further plain “${value}” commands too`;
    case "file":
      return `further changes of ${value} too`;
    case "action":
      return `every further “${action}” too`;
    default:
      return undefined;
  }
}

type Scope = { readonly kind: string; readonly value?: string | undefined } | undefined;

const noObject = () => "";
const objects = {
  command: () => " this command",
  program: (value: string) => ` ${value}`,
  file: () => " this file",
  action: noObject,
} satisfies Record<string, (value: string) => string>;
