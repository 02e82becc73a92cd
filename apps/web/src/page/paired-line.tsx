import { type ReactNode, useState } from "react";
import type { Credentials } from "../kept/credentials.js";
import type { PageWords } from "../words/page-words.js";

/** Offers to remember a device that was paired: its code counts no second time, and the token goes with the tab. */
export function PairedLine({
  credentials,
  words,
}: {
  readonly credentials: Credentials;
  readonly words: PageWords;
}): ReactNode {
  const [isRemembered, setRemembered] = useState(credentials.isRemembered);
  function remember(): void {
    credentials.remember(true);
    setRemembered(true);
  }
  return (
    <div className="line">
      <p role="status">{isRemembered ? words.remembered : words.paired}</p>
      {!isRemembered && (
        <button type="button" onClick={remember}>
          {words.rememberDevice}
        </button>
      )}
    </div>
  );
}
