import { type Dialect, kimi } from "@askwire/server";
import { usageFailure } from "../failure.js";

/** What says that a model gets no tool to ask with. */
const NONE = "none";

/**
 * The dialects that `--dialect` names, separated by commas; Kimi's without it, and no other is loaded then.
 *
 * @throws Failure for a name that there is not, and for two dialects that call their tools alike.
 */
export async function questionTools(names: string | undefined): Promise<readonly Dialect[]> {
  if (names === undefined) return [kimi()];
  const wanted = names.split(",").map((name) => name.trim());
  if (wanted.length === 1 && wanted[0] === NONE) return [];
  const table = new Map<string, () => Dialect>(
    Object.entries((await import("@askwire/server/dialects")).dialects),
  );
  const chosen: Dialect[] = [];
  for (const name of wanted) {
    const dialect = table.get(name)?.();
    if (dialect === undefined)
      throw usageFailure(
        `--dialect ${names}: expected ${[...table.keys()].join(", ")}, or several with commas, or ${NONE} alone`,
      );
    const twin = chosen.find(({ tool }) => tool.name === dialect.tool.name);
    if (twin !== undefined)
      throw usageFailure(
        `--dialect ${names}: ${twin.name} and ${name} both call their tool ${dialect.tool.name}: leave one out`,
      );
    chosen.push(dialect);
  }
  return chosen;
}

/** Whether a script calls another tool than those that ask. */
export function callsOtherTools(scripts: readonly string[], dialects: readonly Dialect[]): boolean {
  const asking = new Set(dialects.map(({ tool }) => tool.name));
  return scripts.some((script) =>
    [...script.matchAll(/^\s*tool_call:.*$/gm)].some(
      ([line]) => ![...line.matchAll(/\bname\W+(\w+)/g)].some(([, name = ""]) => asking.has(name)),
    ),
  );
}
