import { isWaiting, useStore } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { type FollowedDrafts, followDrafts } from "./follow-drafts.js";
import { NextWaiting } from "./next-waiting.js";

/** The part behind the cards, which the first question waits for no more than it waits for other parts. */
export default function BehindDock(props: ComponentProps<typeof NextWaiting>): ReactNode {
  const { visit } = props;
  const [followed, setFollowed] = useState<FollowedDrafts>();
  useEffect(() => {
    const following = followDrafts(visit, document, Date.now);
    setFollowed(following);
    return () => following.stop();
  }, [visit]);
  return (
    <>
      {followed && <FromElsewhere {...props} filled={followed.filled} />}
      <NextWaiting {...props} />
    </>
  );
}

/** The line that a card has what the person began on another device. */
function FromElsewhere({
  list,
  language,
  filled,
}: ComponentProps<typeof NextWaiting> & Pick<FollowedDrafts, "filled">): ReactNode {
  const names = useStore(filled);
  const isTold = list.some((one) => isWaiting(one) && names.has(one.id));
  return (
    <p className="quiet" role="status">
      {isTold && inboxWords[language].fromElsewhere}
    </p>
  );
}
