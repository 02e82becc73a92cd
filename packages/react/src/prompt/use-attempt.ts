import { errorText } from "@askwire/client/text";
import { useState } from "react";

/** Does what may fail. Gives the message of the last failure, empty without one. */
export function useAttempt(): {
  readonly problem: string;
  /** Resolves with true if it was done. */
  attempt(act: () => unknown): Promise<boolean>;
} {
  const [problem, setProblem] = useState("");
  return {
    problem,
    async attempt(act) {
      try {
        await act();
        setProblem("");
        return true;
      } catch (error) {
        setProblem(error instanceof Error ? error.message : errorText(error));
        return false;
      }
    },
  };
}
