import { usageFailure } from "./failure.js";
import { readPrivateFile } from "./private-file.js";
import { keyVariables } from "./provider-keys.js";

const OPTION = "--keys-file";
const names: readonly string[] = Object.values(keyVariables);

/**
 * Reads the keys of model providers from a file of `NAME=value` lines, so that they are in no environment, which the
 * agent's commands could read in /proc. Blank lines and lines that begin with `#` are nothing.
 *
 * @throws Failure for a file that others may read, and for a line that does not fit. No value is in its message.
 */
export function readKeysFile(file: string): Readonly<Record<string, string>> {
  const text = readPrivateFile(OPTION, file);
  const keys: Record<string, string> = {};
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(line) ?? [];
    const place = `${OPTION} ${file}: line ${index + 1}`;
    if (!names.includes(name)) throw usageFailure(`${place}: expected NAME=value with ${names.join(" or ")}`);
    if (Object.hasOwn(keys, name)) throw usageFailure(`${place}: ${name} is there twice: remove one`);
    if (value.trim() === "") throw usageFailure(`${place}: expected the key after ${name}=`);
    keys[name] = value.trim();
  }
  return keys;
}
