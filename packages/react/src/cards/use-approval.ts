import type { ApprovalView } from "@askwire/client";
import type { CardWords } from "@askwire/client/words";
import { answerLimits } from "@askwire/protocol";
import { useState } from "react";
import { messageOf } from "../failures/failure-note.js";
import { type ApprovalDraft, isOnItsWay } from "../hooks/open-requests.js";
import type { Way } from "./approval-ways.js";
import { useIssues } from "./card.js";
import type { ApprovalCardProps, Outlived } from "./card-props.js";
import { keptApproval } from "./kept-form.js";

/** The person's work on an approval, and their acts on it. */
export function useApproval(props: ApprovalCardProps & Outlived) {
  const { edit } = props.request;
  const [{ work: first, isWhole }] = useState(() => keptApproval(props.draft, edit?.content));
  const [work, setWork] = useState(first);
  const [isSent, setSent] = useState(props.isAnswered);
  const [isRejecting, setRejecting] = useState(first.why !== "");
  const [isEditing, setEditing] = useState(first.edit !== undefined);
  /** The reason why the page did not take the last answer. */
  const [failed, setFailed] = useState("");
  const issues = useIssues(props.issues, ({ length }) => {
    if (length > 0) setSent(false);
    setFailed("");
  });
  const why = work.why.trim();
  const note = work.note?.trim() ?? "";
  const edited = work.edit?.text;
  const isOnWay = props.delivery !== undefined && isOnItsWay(props.delivery);
  const isClosed = props.settled !== undefined || isSent || isOnWay;

  const isChanged = edited !== undefined && edited !== edit?.content;

  function keep(change: Partial<ApprovalDraft>): void {
    const next = { ...work, ...change };
    setWork(next);
    props.onDraft?.(next);
  }

  return {
    ...{ work, isWhole, isClosed, isRejecting, isEditing, isChanged, keep },
    /** Opens the step that rejects, or goes back from it. The words stay. */
    showReject: setRejecting,
    /** Opens the editor in place of what it changes, or puts the difference there again. The changes stay. */
    showEditor(isShown: boolean): void {
      setEditing(isShown);
      if (isShown && work.edit === undefined && edit !== undefined)
        keep({ edit: { of: edit.content, text: edit.content } });
    },
    /** The reasons why the last answer was not taken. */
    reasons: isSent ? [] : failed === "" ? issues.map(({ message }) => message) : [failed],
    /** False where the card is closed, or the words that would go with the answer are longer than is taken. */
    takes: ({ kind }: Way): boolean =>
      !isClosed &&
      (kind === "reject"
        ? why.length <= answerLimits.words
        : note.length <= answerLimits.words && (edited ?? "").length <= (edit?.max_length ?? 0)),
    answer({ kind, reply }: Way): void {
      const said = kind === "reject" ? why : note;
      setSent(true);
      try {
        props.onReply({
          ...reply,
          ...(said !== "" && { feedback: said }),
          ...(kind === "allow" && isChanged && { edited }),
        });
      } catch (error) {
        reportError(error);
        setSent(false);
        setFailed(messageOf(error));
      }
    },
  };
}

export type Approving = ReturnType<typeof useApproval>;

/** The props of the part of an approval that answers. */
export interface ApprovalPageProps {
  readonly id: string;
  readonly request: ApprovalView;
  /** The person's work so far, and what changes it. */
  readonly approval: Approving;
  readonly words: CardWords;
  press(way: Way): void;
}
