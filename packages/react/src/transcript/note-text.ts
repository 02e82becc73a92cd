import { type TalkWords, whoActs } from "@askwire/client/words";
import { wireErrorCodes } from "@askwire/protocol";
import type { NotedEvent } from "./entries.js";

/** An event as a line. */
export function noteText({ type, payload }: NotedEvent, words: TalkWords): string {
  switch (type) {
    case "StepInterrupted":
      return words.stepInterrupted;
    case "StepRetry": {
      const { wait_s, status_code, error_type, next_attempt, max_attempts } = payload;
      const why = String(status_code ?? error_type);
      return words.tryingAgain(Math.round(wait_s * 10) / 10, why, next_attempt, max_attempts);
    }
    case "CompactionBegin":
      return words.summingUp;
    case "CompactionEnd":
      return words.summedUp;
    case "HookResolved":
      return words.hookBlocked(payload.event, payload.target, payload.reason.trim());
    case "Notification":
      return words.notification(
        payload.severity,
        [payload.title, payload.body].filter((text) => text.trim() !== "").join(": "),
      );
    case "StatusUpdate":
      return words.planMode(payload.plan_mode === true);
    case "DoNotAsk":
      return words.doNotAsk(payload.enabled, payload.by ? whoActs(payload.by, words.somebodyIn) : "");
    case "PolicyDecided":
      return words.policyDecided(payload.response === "approve", payload.rule, payload.description);
    case "TurnEnd":
      if (payload.status === "cancelled") return words.cancelled;
      if (payload.status === "max_steps_reached") return words.stoppedAfter(payload.steps);
      return words.turnFailed(
        payload.error?.code === wireErrorCodes.ModelNotSupported
          ? words.takesNoMedia
          : (payload.error?.message ?? ""),
      );
  }
}
