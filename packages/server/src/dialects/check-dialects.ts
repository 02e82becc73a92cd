import { refuseRepeatedNames } from "../agent/tool-names.js";
import { Deadline } from "../requests/deadline.js";
import { pendingPolicies } from "../requests/question-request.js";
import type { Dialect, ToolDialect } from "./dialect.js";

/**
 * Checks the dialects of a server before any session exists (P-DIA-1).
 *
 * @throws TypeError that names the place and the expected value.
 */
export function checkDialects(
  dialects: readonly (Dialect | ToolDialect)[],
): readonly (Dialect | ToolDialect)[] {
  if (!Array.isArray(dialects)) throw new TypeError("dialects: expected an array, such as [kimi()]");
  const asking = dialects.flatMap((dialect: Dialect | ToolDialect, index) => {
    if (typeof dialect?.begin !== "function") {
      throw new TypeError(`dialects[${index}]: expected a dialect, such as kimi()`);
    }
    if (!("tool" in dialect)) return [];
    if (!pendingPolicies.includes(dialect.pending)) {
      throw new TypeError(`dialects[${index}].pending: expected ${pendingPolicies.join(", ")}`);
    }
    // Every question makes its own deadline. A trial here finds its mistakes early.
    if (dialect.deadline !== undefined) new Deadline(dialect.deadline);
    return [dialect.tool];
  });
  refuseRepeatedNames(asking);
  return dialects;
}
