import { basename } from "node:path";
import { usageFailure } from "../../input/failure.js";

/**
 * Lets pass what an installation of this command has written, of any version and place.
 *
 * @throws Failure for another server of the same name.
 */
export function refuseOther(entry: unknown, file: string): void {
  if (entry === undefined) return;
  const { command, args } = Object(entry) as Readonly<Record<string, unknown>>;
  const words = [command, args].flat().filter((word): word is string => typeof word === "string");
  const at = words.findIndex((word) =>
    /^askwire(?:\.(?:c?js|exe))?$/.test(basename(word.replaceAll("\\", "/"))),
  );
  if (at >= 0 && words[at + 1] === "mcp") return;
  throw usageFailure(
    `${file}: there is another server named askwire (${words.join(" ").slice(0, 200) || "not a command"}); nothing was changed: remove or rename it first`,
  );
}
