import type { DisplayBlockInput } from "@askwire/protocol";
import { ToolReturnValue } from "@askwire/protocol";
import { QuestionUnavailable } from "../requests/errors.js";
import { ToolError } from "../requests/tool-error.js";
import type { ToolReturn } from "./agent.js";

/** True for an error with a text for the model. Other errors were not foreseen. */
export const isToldFailure = (error: unknown): error is ToolError | QuestionUnavailable =>
  error instanceof ToolError || error instanceof QuestionUnavailable;

/** Makes the result of a call whose tool threw. */
export function failedCall(error: unknown): ToolReturnValue {
  if (isToldFailure(error)) return toReturnValue(error instanceof ToolError ? error : error.toolError);
  const message = `The tool failed: ${error instanceof Error ? error.message : error}`;
  return toReturnValue(new ToolError({ message, brief: "Tool failed" }));
}

/** The call of a tool that does not exist. */
export function unknownTool(name: string): ToolReturnValue {
  return toReturnValue(new ToolError({ message: `There is no tool "${name}".`, brief: "Unknown tool" }));
}

/** A call that a hook of a client did not let pass (P-HOK-3). */
export function blockedByHook(reason: string): ToolReturnValue {
  const why = reason.trim() === "" ? "it gave no reason" : reason;
  return toReturnValue(
    new ToolError({
      message: `A hook blocked this call, and it was not run: ${why}`,
      brief: "Hook blocked",
    }),
  );
}

/** A call that was not run, since its start could not be kept: the next process would run it again (P-DUR-6). */
export function unkeptCall(): ToolReturnValue {
  return toReturnValue(
    new ToolError({
      message:
        "This call was not run, since the disk of the session cannot be written. Tell the user that, and do not call it again before they have replied.",
      brief: "Disk cannot be written",
    }),
  );
}

/** A result with every field of the wire. */
export function toReturnValue(result: string | ToolReturn | ToolError): ToolReturnValue {
  const value =
    typeof result === "string"
      ? { output: result }
      : result instanceof ToolError
        ? { is_error: true, output: result.output, message: result.message, display: brief(result.brief) }
        : result;
  return ToolReturnValue.parse({
    is_error: false,
    output: "",
    message: "",
    display: [],
    extras: null,
    ...value,
  });
}

/** A display of one short line. */
export function brief(text: string): DisplayBlockInput[] {
  return [{ type: "brief", text }];
}
