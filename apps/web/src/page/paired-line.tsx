import type { PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import type { ReactNode } from "react";
import type { Credentials } from "../kept/credentials.js";

/** Offers to remember a device that was paired: its code counts no second time, and the token goes with the tab. */
export function PairedLine({
  credentials,
  words,
}: {
  readonly credentials: Credentials;
  readonly words: PageWords;
}): ReactNode {
  const isRemembered = useStore(credentials.remembered);
  return (
    <div className="line">
      <p role="status">{isRemembered ? words.remembered : words.paired}</p>
      {!isRemembered && (
        <button type="button" onClick={() => credentials.remember(true)}>
          {words.rememberDevice}
        </button>
      )}
    </div>
  );
}
