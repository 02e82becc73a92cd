import type { Delivery } from "@askwire/client";
import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { saidByInput } from "./change.js";
import { SaidText } from "./said-text.js";

/** Words of this person that the agent has not read, with how far they have come. */
export function SaidRow({
  said: { input, state },
  words,
}: {
  readonly said: Extract<Delivery, { kind: "words" }>;
  readonly words: TalkWords;
}): ReactNode {
  const { saidWaits, you } = words;
  return (
    <div className="askwire-prompt askwire-own-prompt askwire-waits">
      <p className="askwire-who" role="status">
        {you} · {state.is in saidWaits && saidWaits[state.is as keyof typeof saidWaits]}
      </p>
      <SaidText said={saidByInput(input)} words={words} />
    </div>
  );
}
