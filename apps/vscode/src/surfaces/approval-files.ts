// The files of an approval that changes several: the next one, the one before, or one by name.
import { l10n, Uri, workspace } from "vscode";
import { changesOf } from "../cards/whole-file.js";
import type { Differences } from "./diff.js";
import { approvalFor, differenceAt } from "./difference-tabs.js";
import { fileOf } from "./open-file.js";
import { quickPick } from "./pick.js";
import { plainLabel } from "./plain-text.js";
import type { SurfaceShown } from "./surface.js";
import { whileOpen } from "./while-open.js";

interface Parts extends SurfaceShown {
  readonly differences: Differences;
}

/** The approval whose difference is shown, with the paths of its files and the place of the shown one. */
function shownFiles(parts: Parts, uri: unknown) {
  const given = uri instanceof Uri ? uri : undefined;
  const found = approvalFor(parts, given);
  if (found === undefined) throw new Error(l10n.t("this approval is not open any more"));
  const paths = [...changesOf(found.request.request.display).keys()];
  const shown = differenceAt(given)?.path;
  return { ...found, paths, at: paths.findIndex((path) => fileOf(path).path === shown) };
}

/** Shows the file that is so many after the shown one; after the last comes the first. */
export async function stepFile(parts: Parts, uri: unknown, by: 1 | -1): Promise<void> {
  const { chat, request, paths, at } = shownFiles(parts, uri);
  const path = paths[(at + by + paths.length) % paths.length];
  if (path !== undefined) await parts.differences.showFile(chat, request.id, path);
}

/** Lets the person choose the file of the approval that is shown. */
export async function chooseFile(parts: Parts, uri: unknown): Promise<void> {
  const { chat, request, paths, at } = shownFiles(parts, uri);
  const rows = paths.map((path, index) => ({
    label: plainLabel(workspace.asRelativePath(fileOf(path))),
    ...(index === at && { description: l10n.t("shown now") }),
    value: path,
  }));
  const title = l10n.t("Files of this approval");
  const { signal, end } = whileOpen(parts, { chat, request });
  try {
    const picked = await quickPick(rows, { title, placeholder: title, signal });
    const [path] = Array.isArray(picked) ? picked : [];
    if (path !== undefined) await parts.differences.showFile(chat, request.id, path);
  } finally {
    end();
  }
}
