import { userInfo } from "node:os";
import { personProblem } from "@askwire/server";
import { usageFailure } from "./failure.js";

/**
 * The name of the user of this machine, as given or by the system; undefined where that has none.
 *
 * @throws Failure for a given name that cannot be shown.
 */
export function ownName({ name }: { readonly name?: string | undefined }): string | undefined {
  if (name !== undefined) {
    const problem = personProblem(name);
    if (problem !== undefined) throw usageFailure(`--name: ${problem}`);
    return name;
  }
  try {
    const { username } = userInfo();
    return personProblem(username) === undefined ? username : undefined;
  } catch {
    return undefined;
  }
}
