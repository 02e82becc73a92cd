import type { AttachedFiles } from "@askwire/react";
import { type AnswerDraft, useStore } from "@askwire/react/cards";
import type { Visit } from "../visits/visit.js";
import { useKeptDraft } from "./use-kept-draft.js";

/** A file at the prompt as it is kept. A picture lies among `attachments`, as those of answers do. */
interface KeptFile {
  readonly name: string;
  readonly text?: string;
  readonly attachments?: readonly unknown[];
}

/** The pictures and files at the prompt, and how far they will outlive the page. */
export interface KeptFiles {
  readonly attached: readonly AttachedFiles[];
  /** True while they are fetched. */
  readonly isComing: boolean;
  /** False where some of them are gone. */
  readonly isWhole: boolean;
  /** True where the browser does not keep all of them. */
  readonly isUnkept: boolean;
  keep(attached: readonly AttachedFiles[]): void;
}

/** The pictures and files that were added at the prompt and not sent: those of this page, or of an earlier one. */
export function useKeptFiles({ files, server: { drafts } }: Visit, session: string): KeptFiles {
  const owner = `prompt-${session}`;
  const id = `${owner}.files`;
  const { isComing, isWhole, draft, onDraft } = useKeptDraft<AnswerDraft>(
    { id, onDraft() {} },
    drafts.ofQuestion,
    drafts,
  );
  const unkept = useStore(drafts.unkept);
  return {
    ...{ isComing, isWhole, isUnkept: unkept.has(id) },
    attached: files.current ?? filesIn(draft),
    keep(attached) {
      files.current = attached;
      if (attached.length > 0) onDraft(written(attached) as unknown as AnswerDraft);
      else drafts.drop(owner);
    },
  };
}

const written = (attached: readonly AttachedFiles[]): { readonly files: readonly KeptFile[] } => ({
  files: attached.map(({ name, part }) =>
    part.type === "text" ? { name, text: part.text } : { name, attachments: [part] },
  ),
});

/** The files of a kept draft. All else in it was written by another version, or the storage is damaged. */
function filesIn(draft: unknown): readonly AttachedFiles[] {
  const { files } = Object(draft) as { readonly files?: unknown };
  if (!Array.isArray(files)) return [];
  return files.flatMap((file) => {
    const { name, text, attachments } = Object(file) as { readonly [K in keyof KeptFile]?: unknown };
    if (typeof name !== "string") return [];
    if (typeof text === "string") return [{ name, part: { type: "text", text } }];
    const [picture] = Array.isArray(attachments) ? attachments : [];
    return picture === undefined ? [] : [{ name, part: picture }];
  });
}
