import { type ApprovalOptionInit, requireApproval, type ToolReturn, type ToolRun } from "@askwire/server";
import { applyWrite, type PlannedWrite, planWrite } from "@askwire/server/work-folder";
import { diffBlocks } from "./diff-blocks.js";
import { oneAtATime } from "./one-at-a-time.js";
import { refuseInPlanMode } from "./plan-mode.js";
import { fromWorkDir, telling } from "./work-path.js";

/** The action of an edit by either tool, all within the work directory. */
const EDIT_ACTION = "edit file";

/** The ways to approve an edit: this once, further edits of the file, and every further edit (P-XAO-7). */
const optionsFor = (path: string): ApprovalOptionInit[] => [
  { id: "approve", kind: "allow" },
  { id: "file", kind: "allow", scope: { kind: "file", value: path } },
  { id: "action", kind: "allow", scope: { kind: "action" } },
];

/** Changes one file: shows the change, asks, and writes if the file has not changed since. */
export type EditFile = (
  run: ToolRun,
  path: string,
  newText: (oldText: string | null) => string,
) => Promise<ToolReturn>;

/** Makes an editor that works on one edit after another, so that each shown difference is the one made. */
export function fileEditor(workDir: string): EditFile {
  const inTurn = oneAtATime();
  return (run, path, newText) =>
    inTurn(async () => {
      run.signal.throwIfAborted();
      refuseInPlanMode(run);
      const plan = await telling(async () => planWrite(workDir, await fromWorkDir(workDir, path), newText));
      if (!plan.changed) {
        return { message: `${plan.path} has that text already; nothing was written.` };
      }
      const display = diffBlocks(plan.absolute, plan.old_text, plan.new_text);
      await requireApproval({
        action: EDIT_ACTION,
        description: describe(plan),
        display,
        options: optionsFor(plan.path),
        for_session: "action",
      });
      run.signal.throwIfAborted();
      await telling(() => applyWrite(plan));
      const bytes = Buffer.byteLength(plan.new_text);
      const done = plan.old_text === null ? "Created" : "Changed";
      return { message: `${done} ${plan.path}, which has ${bytes} bytes now.`, display };
    });
}

const describe = ({ path, old_text }: PlannedWrite) =>
  `${old_text === null ? "Create" : "Change"} the file ${path}`;
