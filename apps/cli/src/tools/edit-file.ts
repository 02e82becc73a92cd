import { applyWrite, type PlannedWrite, planWrite } from "@askwire/agent/work-folder";
import { type ApprovalOptionInit, requireApproval, type ToolReturn, type ToolRun } from "@askwire/server";
import { structuredPatch } from "diff";
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
      const { edited } = await requireApproval({
        action: EDIT_ACTION,
        description: describe(plan),
        display,
        options: optionsFor(plan.path),
        for_session: "action",
        ...(plan.new_text.length <= MOST_EDITED && {
          edit: { content: plan.new_text, path: plan.path, max_length: MOST_EDITED },
        }),
      });
      run.signal.throwIfAborted();
      const made = edited === undefined ? plan : { ...plan, new_text: edited };
      if (made.new_text === plan.old_text) {
        return {
          message: `The user changed the text before it was written, back to what ${plan.path} has; nothing was written.`,
        };
      }
      await telling(() => applyWrite(made));
      const bytes = Buffer.byteLength(made.new_text);
      const done = made.old_text === null ? "Created" : "Changed";
      const message = `${done} ${made.path}, which has ${bytes} bytes now.`;
      if (edited === undefined) return { message, display };
      return {
        message: `The user changed the text before it was written. ${message}\n${changeOf(plan.new_text, edited)}`,
        display: diffBlocks(plan.absolute, plan.old_text, edited),
      };
    });
}

/** The most UTF-16 units of a text that the person may change, and of the change that the model is told. */
const MOST_EDITED = 262_144;
const MAX_TOLD = 4_000;

/** The person's change of the text, for the model. */
function changeOf(before: string, after: string): string {
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: 1,
    maxEditLength: 1_000,
  });
  const lines = patch?.hunks.flatMap(({ lines }) => ["@@", ...lines]).join("\n");
  return lines === undefined || lines.length > MAX_TOLD
    ? "The change is long: read the file before you go on."
    : `Their change of your text:\n${lines}`;
}

const describe = ({ path, old_text }: PlannedWrite) =>
  `${old_text === null ? "Create" : "Change"} the file ${path}`;
