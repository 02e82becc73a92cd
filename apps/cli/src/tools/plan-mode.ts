import { ToolError, type ToolRun } from "@askwire/server";

/** Throws while the agent may only look and plan. For tools that change something. */
export function refuseInPlanMode({ planMode }: ToolRun): void {
  if (!planMode) return;
  throw new ToolError({
    message:
      "Plan mode is on, in which nothing is changed: only look. When the plan is ready call ExitPlanMode; this works again once the user approved it.",
    brief: "Refused in plan mode",
  });
}
