// The files of the workspace that the person may name in a prompt.
import { TabInputText, type Uri, window, workspace } from "vscode";
import { globFor, pathsFor } from "./path-order.js";

/** The most files that the editor looks for: the best of them are suggested. */
const MOST_FOUND = 500;

/** Finds the files that a part of a path may mean, by their paths in the workspace, the best first. Open files come first. */
export async function findFiles(begun: string): Promise<readonly string[]> {
  const folder = workspace.workspaceFolders?.[0];
  // The agent runs in the first folder: a file of another one has no path there.
  const pathOf = (uri: Uri) => workspace.asRelativePath(uri, false);
  const isThere = (uri: Uri) => folder !== undefined && workspace.getWorkspaceFolder(uri) === folder;
  const open = window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []))
    .filter(isThere);
  // An editor without its program for the search has the open files alone.
  const found = await Promise.resolve(workspace.findFiles(globFor(begun), unwanted(), MOST_FOUND)).catch(
    () => [],
  );
  return pathsFor(begun, open.map(pathOf), found.filter(isThere).map(pathOf));
}

/** The files that the editor leaves out of a search, by a glob. */
function unwanted(): string {
  const chosen = ["files", "search"].flatMap((section) =>
    Object.entries(workspace.getConfiguration(section).get<Record<string, unknown>>("exclude") ?? {}),
  );
  return `{${["**/node_modules", ...chosen.flatMap(([glob, is]) => (is === true ? [glob] : []))].join(",")}}`;
}
