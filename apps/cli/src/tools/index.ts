// The tools of the command's own agent. The packages have none of them.
import type { Tool } from "@askwire/server";
import { fileEditor } from "./edit-file.js";
import { readFileTool } from "./read-file.js";
import { setTodoListTool } from "./set-todo-list.js";
import { shellTool } from "./shell.js";
import { strReplaceFileTool } from "./str-replace-file.js";
import { writeFileTool } from "./write-file.js";

/**
 * Shell, ReadFile, WriteFile, StrReplaceFile and SetTodoList for one session, with its list and the order of its
 * edits.
 *
 * @param workDir where commands start, and what files are confined to.
 */
export function workTools({ workDir }: { readonly workDir: string }): Tool[] {
  const edit = fileEditor(workDir);
  return [
    shellTool(workDir),
    readFileTool(workDir),
    writeFileTool(edit),
    strReplaceFileTool(edit),
    setTodoListTool(),
  ];
}
