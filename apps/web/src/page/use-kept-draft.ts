import { useEffect, useState } from "react";
import type { FoundDraft, PageDrafts } from "../kept/drafts.js";

/** The person's work on a request, of this page or kept by an earlier one, and the way to keep more of it. */
export interface KeptDraft<Draft> {
  /** True while the work is being fetched: a card that were shown by then would begin without. */
  readonly isComing: boolean;
  /** False where pictures of it are gone. */
  readonly isWhole: boolean;
  readonly draft?: Draft;
  onDraft(draft: Draft): void;
}

export function useKeptDraft<Draft extends Parameters<PageDrafts["keep"]>[1]>(
  one: { readonly id: string; readonly draft?: Draft; onDraft(draft: Draft): void },
  find: (id: string) => FoundDraft<Draft> | Promise<FoundDraft<Draft> | undefined> | undefined,
  drafts: PageDrafts,
): KeptDraft<Draft> {
  const [kept, setKept] = useState(() => (one.draft === undefined ? find(one.id) : undefined));
  useEffect(() => {
    if (!(kept instanceof Promise)) return;
    let isHere = true;
    void kept.then((found) => isHere && setKept(found));
    return () => {
      isHere = false;
    };
  }, [kept]);

  const isComing = kept instanceof Promise;
  const found = isComing ? undefined : kept;
  const draft = one.draft ?? found?.draft;
  return {
    ...{ isComing, isWhole: found?.isWhole ?? true },
    ...(draft !== undefined && { draft }),
    onDraft(next) {
      one.onDraft(next);
      drafts.keep(one.id, next);
    },
  };
}
