import type { OpenApproval } from "@askwire/react/stores";
import { workspace } from "vscode";

type Approval = OpenApproval["request"];

/** An approval whose differences have paths as the workspace names them: a narrow view has no room for whole ones. */
export function nearPaths(approval: Approval): Approval {
  const display = approval.display.map((block) =>
    "path" in block && typeof block.path === "string"
      ? { ...block, path: workspace.asRelativePath(block.path) }
      : block,
  );
  return { ...approval, display };
}
