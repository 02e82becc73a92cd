import { isOnItsWay } from "@askwire/react";
import { useState } from "react";
import type { ShownCard } from "../view-state.js";

type Issues = ShownCard["issues"];

const none: Issues = [];

/**
 * The reasons why the last answer of a card was not taken, by the agent or by the host: the same object until another answer
 * is refused, since each message of the host brings a copy.
 */
export function useRefusal({ issues, delivery }: ShownCard) {
  const [heard, setHeard] = useState({ issues, isSent: false });
  const [byHost, setByHost] = useState(none);
  const isSent = isOnItsWay(delivery);
  const isNews = !isSent && (heard.isSent || JSON.stringify(issues) !== JSON.stringify(heard.issues));
  if (isNews) setHeard({ issues, isSent });
  else if (isSent !== heard.isSent) setHeard({ ...heard, isSent });
  return {
    issues: byHost.length > 0 ? byHost : heard.issues,
    /** Follows an answer to the host, which may not take it. */
    follow(answer: Promise<void>): void {
      setByHost(none);
      answer.catch((error: Error) =>
        setByHost([{ question_id: null, code: "unexpected", message: error.message }]),
      );
    },
  };
}
