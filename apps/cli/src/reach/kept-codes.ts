// Pairing codes in files, so that one process makes a code and another takes it. A file is named by the code's digest.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CODE_MINUTES, codeKey, newCode, type PairingCodes } from "./pairing-codes.js";

/** Codes in a folder that only this person reads. */
export interface KeptCodes extends Pick<PairingCodes, "use"> {
  /** Makes a code that counts once, and for {@link CODE_MINUTES}. */
  make(): string;
  /** True while the code has not been used and still counts. */
  counts(code: string): boolean;
  /** Ends a code. */
  remove(code: string): void;
}

/** The codes of a folder. */
export function keptCodes(folder: string): KeptCodes {
  const fileOf = (code: string) => join(folder, codeKey(code));
  const isNew = (file: string) => {
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return made !== undefined && Date.now() - made < CODE_MINUTES * 60_000;
  };
  const remove = (code: string) => rmSync(fileOf(code), { force: true });

  return {
    make() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      for (const name of readdirSync(folder)) {
        if (!isNew(join(folder, name))) rmSync(join(folder, name), { force: true });
      }
      const code = newCode();
      writeFileSync(fileOf(code), "", { mode: 0o600, flag: "wx" });
      return code;
    },
    use(code, use) {
      if (!isNew(fileOf(code))) return undefined;
      const result = use({});
      remove(code);
      return result;
    },
    counts: (code) => isNew(fileOf(code)),
    remove,
  };
}
