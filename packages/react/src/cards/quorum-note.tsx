import { type CardWords, whoActs } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { ApprovalCardProps } from "./card-props.js";
import { Foreign } from "./foreign-text.js";

/** Says how many people must approve, and who has, where one person is not enough. */
export const QuorumNote = ({
  request: { quorum },
  approvedBy = [],
  words,
}: Pick<ApprovalCardProps, "request" | "approvedBy"> & { readonly words: CardWords }): ReactNode =>
  quorum !== undefined && (
    <p className="askwire-others" role="status">
      <Foreign
        text={words.mustApprove(
          quorum,
          approvedBy.map((one) => whoActs(one, words.somebodyIn)),
        )}
      />
    </p>
  );
