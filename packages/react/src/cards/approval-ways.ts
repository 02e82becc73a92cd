import type { ApprovalView } from "@askwire/client";
import type { CardWords } from "@askwire/client/words";
import {
  type ApprovalKind,
  type ApprovalOption,
  isLasting,
  rejectionOf,
  standardLabel,
  standardScopeText,
} from "@askwire/protocol";

/** A way to answer an approval. */
export interface Way {
  readonly id: string;
  readonly kind: ApprovalOption["kind"];
  readonly label: string;
  /** True where it reaches beyond this call. */
  readonly lasts: boolean;
  /** The extent in words, where it is more than this call. */
  readonly covers: string;
  readonly reply: { readonly response: ApprovalKind } | { readonly option: string };
}

/** The ways to answer an approval, by what a press means. */
export interface Ways {
  /** The ways to allow it, the narrowest first. */
  readonly allow: readonly Way[];
  /** The ways to reject: first that of this call alone, then others, such as for the rest of the session. */
  readonly rejects: readonly Way[];
}

/** The ways of an approval: the options of the wire, or the base profile's three. */
export function shownWays(request: ApprovalView, words: CardWords): Ways {
  const ways = request.options === undefined ? threeWays(request, words) : optionWays(request, words);
  const allow = ways.filter(({ kind }) => kind === "allow");
  const rejects = ways.filter(({ kind }) => kind === "reject");
  const plain = request.options && rejectionOf(request.options);
  const reject = rejects.find(
    ({ reply }) => plain !== undefined && "option" in reply && reply.option === plain.id,
  );
  return {
    allow: [...allow.filter(({ lasts }) => !lasts), ...allow.filter(({ lasts }) => lasts)],
    rejects: [...rejects.filter((way) => way === reject), ...rejects.filter((way) => way !== reject)],
  };
}

/** The options of the wire, in this language where the asker left the words to us. Each has an id by its position. */
const optionWays = ({ options = [], action }: ApprovalView, words: CardWords): Way[] =>
  options.map((option, index) => {
    const { id, kind, scope, label } = option;
    const lasts = isLasting(scope);
    const plain = kind === "allow" ? words.approve : words.reject;
    const ours = lasts ? words.optionLabel(kind, scope) : plain;
    const isOurs = scope?.text !== undefined && scope.text === standardScopeText(scope, action);
    // That it is this call alone, the label says.
    const extent = isOurs && lasts ? words.scope(scope, action) : "";
    return {
      ...{ id: `way${index}`, kind, lasts, reply: { option: id } },
      label: label === standardLabel(option) ? ours : label,
      covers: isOurs ? extent : (scope?.text ?? ""),
    };
  });

const threeWays = ({ action }: ApprovalView, words: CardWords): Way[] => [
  {
    ...{ id: "way0", kind: "allow", label: words.approve, lasts: false, covers: "" },
    reply: { response: "approve" },
  },
  {
    ...{ id: "way1", kind: "allow", label: words.approveForSession, lasts: true },
    ...{ covers: words.scope({ kind: "action" }, action), reply: { response: "approve_for_session" } },
  },
  {
    ...{ id: "way2", kind: "reject", label: words.reject, lasts: false, covers: "" },
    reply: { response: "reject" },
  },
];
