// Paths of an agent as files of the workspace. A path is data: nothing outside is opened without a question.
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { visibleLine } from "@askwire/client/text";
import { commands, FileType, l10n, Position, Range, Uri, window, workspace } from "vscode";

/** The file that a path of the agent means: below the first folder of the workspace, unless it is absolute. */
export function fileOf(path: string): Uri {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) return Uri.file(resolve("/", path));
  return folder.with({ path: Uri.file(isAbsolute(path) ? path : resolve(folder.fsPath, path)).path });
}

/** True for a file in no folder of the workspace, also where a link inside leads to it. */
export function isOutside(uri: Uri): boolean {
  const file = withoutLinks(uri.fsPath);
  return !(workspace.workspaceFolders ?? []).some(({ uri: folder }) => {
    const way = relative(withoutLinks(folder.fsPath), file);
    return !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
  });
}

/** The path without links, as far as there are files on it. */
export function withoutLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(withoutLinks(folder), basename(path));
  }
}

/** Opens the file that an agent names, at its line and column where it is written `path:line` or `path:line:column`. */
export async function openFile(named: string): Promise<void> {
  const [, path = named, line, column = "1"] = /^(.*?):(\d{1,7})(?::(\d{1,7}))?$/.exec(named) ?? [];
  const uri = fileOf(path);
  if (isOutside(uri)) {
    const open = l10n.t("Open");
    const question = l10n.t("{0} is outside of the workspace.", visibleLine(uri.fsPath));
    if ((await window.showWarningMessage(question, { modal: true }, open)) !== open) return;
  }
  const { type } = await workspace.fs.stat(uri);
  if ((type & FileType.Directory) !== 0) return void (await commands.executeCommand("revealInExplorer", uri));
  const at = new Position(Math.max(0, Number(line ?? 1) - 1), Math.max(0, Number(column) - 1));
  // In the editor of its kind, which for a picture is no editor of text.
  await commands.executeCommand("vscode.open", uri, {
    preview: true,
    ...(line !== undefined && { selection: new Range(at, at) }),
  });
}
