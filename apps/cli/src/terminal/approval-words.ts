import type { ApprovalWords } from "@askwire/client/form";
import type { AskedWords } from "@askwire/client/words";
import { type ApprovalScope, standardLabel, standardScopeText } from "@askwire/protocol";

/**
 * The words of an approval's rows: the asker's own, and in this language those that the asker left to us.
 *
 * @param edits set for a row that opens the text to change. Default: false.
 */
export const approvalWords = (words: AskedWords, edits = false): ApprovalWords => ({
  row: (kind, action) => ({
    label: { approve: words.approve, approve_for_session: words.approveForSession, reject: words.reject }[
      kind
    ],
    description: kind === "approve_for_session" ? words.scope({ kind: "action" }, action) : "",
  }),
  option(option, action) {
    const { scope, kind, label } = option;
    return {
      label: label === standardLabel(option) ? words.optionLabel(kind, scope) : label,
      description: scope === undefined ? "" : scopeWords(scope, action, words),
    };
  },
  rejectAndSay: words.rejectAndSay,
  ...(edits && {
    edit: (edited: boolean) => ({
      label: edited ? words.editAgain : words.edit,
      description: words.inEditor,
    }),
  }),
});

/** The extent of a scope: in this language where the asker left the words to us. */
export const scopeWords = (scope: ApprovalScope, action: string, words: AskedWords): string =>
  scope.text === standardScopeText(scope, action) ? words.scope(scope, action) : scope.text;
