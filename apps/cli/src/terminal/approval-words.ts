import type { ApprovalWords } from "@askwire/client/form";
import { standardLabel, standardScopeText } from "@askwire/protocol";
import type { AskedWords } from "../words/asked-words.js";

/** The words of an approval's rows: the asker's own, and in this language those that the asker left to us. */
export const approvalWords = (words: AskedWords): ApprovalWords => ({
  row: (kind, action) => ({
    label: { approve: words.approve, approve_for_session: words.approveForSession, reject: words.reject }[
      kind
    ],
    description: kind === "approve_for_session" ? words.scope({ kind: "action" }, action) : "",
  }),
  option(option, action) {
    const { scope, kind, label } = option;
    const isStandard = scope !== undefined && scope.text === standardScopeText(scope, action);
    return {
      label: label === standardLabel(option) ? words.optionLabel(kind, scope) : label,
      description: isStandard ? words.scope(scope, action) : (scope?.text ?? ""),
    };
  },
  rejectAndSay: words.rejectAndSay,
});
