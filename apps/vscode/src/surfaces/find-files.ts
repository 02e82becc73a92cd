// The files of the workspace that the person may name in a prompt.
import { TabInputText, type Uri, window, workspace } from "vscode";
import { globFor, pathsFor } from "./path-order.js";

/** The most files that the editor looks for: the best of them are suggested. */
const MOST_FOUND = 500;

/** Finds the files that a part of a path may mean, by their paths in the workspace, the best first. Open files come first. */
export async function findFiles(begun: string): Promise<readonly string[]> {
  const pathOf = (uri: Uri) => workspace.asRelativePath(uri);
  const open = window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []))
    .filter((uri) => workspace.getWorkspaceFolder(uri) !== undefined);
  // An editor without its program for the search has the open files alone.
  const found = await Promise.resolve(workspace.findFiles(globFor(begun), undefined, MOST_FOUND)).catch(
    () => [],
  );
  return pathsFor(begun, open.map(pathOf), found.map(pathOf));
}
