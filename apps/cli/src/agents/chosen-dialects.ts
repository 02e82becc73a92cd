import { kimi } from "@askwire/dialects/kimi";
import type { Dialect, ServerOptions, ToolDialect } from "@askwire/server";
import { usageFailure } from "../input/failure.js";
import { languageOf } from "../input/language.js";

/** The value for a model without a tool to ask with. */
const NONE = "none";

/** The dialects that `--dialect` names. */
export interface ChosenDialects {
  readonly dialects: NonNullable<ServerOptions["dialects"]>;
  /** Set if the dialects bring the tools for the folder, so that the agent does not. */
  readonly bringTools: boolean;
}

/**
 * Loads the dialects that `--dialect` names, separated by commas. Without the option only Kimi's is loaded.
 *
 * @param workDir the folder for the tools that a dialect brings.
 * @param own set for an agent of this command, whose models may ask in the background where no dialect is named.
 * @throws Failure for an unknown name, and for two dialects with a tool of the same name.
 */
export async function chosenDialects(
  names: string | undefined,
  workDir: string,
  own = false,
): Promise<ChosenDialects> {
  if (names === undefined) return { dialects: [kimi({ background: own })], bringTools: false };
  const wanted = names.split(",").map((name) => name.trim());
  if (wanted.length === 1 && wanted[0] === NONE) return { dialects: [], bringTools: false };
  const { dialects, toolDialects } = await import("@askwire/dialects");
  const language = languageOf(undefined, process.env);
  const asking = new Map<string, () => Dialect>(Object.entries(dialects));
  for (const name of ["kilo", "kilo-xml"] as const) asking.set(name, () => dialects[name]({ language }));
  const calling = new Map(Object.entries(toolDialects));
  const known = [...asking.keys(), ...calling.keys()].join(", ");
  const chosen: (Dialect | ToolDialect)[] = [];
  for (const name of wanted) {
    const make = calling.get(name);
    const dialect = make === undefined ? asking.get(name)?.() : await withWorkTools(make, workDir);
    if (dialect === undefined)
      throw usageFailure(`--dialect ${names}: expected ${known}, or several with commas, or ${NONE} alone`);
    const twin = chosen.find((other) => doTheSame(other, dialect));
    if (twin !== undefined) throw usageFailure(`--dialect ${names}: ${clash(twin, dialect)}: leave one out`);
    chosen.push(dialect);
  }
  return { dialects: chosen, bringTools: chosen.some((dialect) => !asks(dialect)) };
}

const asks = (dialect: Dialect | ToolDialect): dialect is Dialect => "tool" in dialect;

/** Reports if two dialects have a tool of the same name. All dialects that bring the work tools bring the same. */
const doTheSame = (one: Dialect | ToolDialect, other: Dialect | ToolDialect) =>
  asks(one) && asks(other) ? one.tool.name === other.tool.name : asks(one) === asks(other);

const clash = (one: Dialect | ToolDialect, other: Dialect | ToolDialect) =>
  asks(one)
    ? `${one.name} and ${other.name} both call their tool ${one.tool.name}`
    : `${one.name} and ${other.name} both bring the tools of the folder`;

async function withWorkTools(
  make: (settings: {
    services: () => ReturnType<typeof import("./work-services.js").workServices>;
  }) => ToolDialect,
  workDir: string,
): Promise<ToolDialect> {
  const { workServices } = await import("./work-services.js");
  return make({ services: () => workServices(workDir) });
}

/** Reports if a script calls a tool that the dialects do not have. */
export function callsOtherTools(
  scripts: readonly string[],
  { dialects, bringTools }: ChosenDialects,
): boolean {
  if (bringTools) return false;
  const asking = new Set(dialects.filter(asks).map(({ tool }) => tool.name));
  return scripts.some((script) =>
    [...script.matchAll(/^\s*tool_call:.*$/gm)].some(
      ([line]) => ![...line.matchAll(/\bname\W+(\w+)/g)].some(([, name = ""]) => asking.has(name)),
    ),
  );
}
