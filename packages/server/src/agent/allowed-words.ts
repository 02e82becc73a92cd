import type { ToolReturnValue } from "@askwire/protocol";
import { ApprovalRequest } from "../requests/approval-request.js";
import type { Wire } from "./wire.js";

/** The words of a person who allows what a call asks about. They reach the model with the result of the call (P-APR-5). */
export interface AllowedWords {
  /** The wire for the call, whose approvals are heard. */
  readonly wire: Wire;
  /** The result with the words so far, if there are any. */
  added(result: ToolReturnValue): ToolReturnValue;
}

export function allowedWords(wire: Wire): AllowedWords {
  const approvals = new Set<ApprovalRequest>();
  return {
    wire: {
      send(request) {
        if (request instanceof ApprovalRequest) approvals.add(request);
        wire.send(request);
      },
    },
    added(result) {
      const said = [...approvals].flatMap(({ answer }) => {
        const words = answer?.response === "reject" ? "" : (answer?.feedback ?? "").trim();
        return words === "" ? [] : [`The user approved this and said: ${words}`];
      });
      if (said.length === 0) return result;
      const message = [...said, result.message].filter((text) => text !== "").join("\n");
      return { ...result, message };
    },
  };
}
