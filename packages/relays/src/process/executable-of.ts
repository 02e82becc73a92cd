/**
 * A command with an executable.
 *
 * @throws TypeError for an empty command.
 */
export function executableOf([executable, ...args]: readonly string[]): readonly [string, ...string[]] {
  if (executable === undefined) throw new TypeError("command: expected an executable and its arguments");
  return [executable, ...args];
}
