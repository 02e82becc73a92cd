import type { PageWords } from "@askwire/client/words";
import { ApprovalCard } from "@askwire/react/approval";
import { type CardWords, type OpenApproval, useStore } from "@askwire/react/cards";
import type { Highlight } from "@askwire/react/code";
import type { ReactNode } from "react";
import type { PageDrafts } from "../kept/drafts.js";
import { useKeptDraft } from "./use-kept-draft.js";

/** An approval's card, with the work that an earlier page has kept for the approval. */
export default function PageApproval({
  one,
  words,
  page,
  drafts,
  highlight,
}: {
  readonly one: OpenApproval;
  readonly words: CardWords;
  readonly page: PageWords;
  readonly drafts: PageDrafts;
  readonly highlight: Highlight;
}): ReactNode {
  const { isComing: _, isWhole: __, ...kept } = useKeptDraft(one, drafts.ofApproval, drafts);
  const isUnkept = useStore(drafts.unkept).has(one.id);
  return (
    <>
      <p className="quiet" role="status">
        {isUnkept && page.draftUnkept}
      </p>
      <ApprovalCard key={one.fill} {...one} {...kept} {...{ words, highlight }} />
    </>
  );
}
