import { access, constants } from "node:fs/promises";
import { dirname } from "node:path";

/** True if a folder can be written, or could be made. */
export async function canKeep(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const above = dirname(folder);
    return isMissing && above !== folder && canKeep(above);
  }
}
