import type { AskedOption } from "@askwire/client";
import { AcpError } from "./acp-error.js";
import type { PermissionRequest } from "./shapes.js";

type Offered = PermissionRequest["options"];

/** The extent of an "always", which only the agent knows and remembers. */
const always = { kind: "agent", text: "further calls too, as far as the agent remembers" } as const;

/** The kinds of options that ACP names. */
const kinds = new Map<string, Pick<AskedOption, "kind" | "scope">>([
  ["allow_once", { kind: "allow" }],
  ["allow_always", { kind: "allow", scope: always }],
  ["reject_once", { kind: "reject" }],
  ["reject_always", { kind: "reject", scope: always }],
]);

/** The most options of an approval, without the way to reject that may be added, and characters of an id. */
const MOST_OPTIONS = 63;
const MOST_ID = 128;

/** Options with the ids and names that persons choose by: those of the agent, save where two would be alike. */
export interface NamedOption {
  readonly id: string;
  readonly label: string;
  readonly option: Offered[number];
}

/** @throws AcpError for two options of one id, since no answer could tell which was meant. */
export function namedOptions(offered: Offered): NamedOption[] {
  const twice = offered.findIndex(({ optionId }, index) =>
    offered.slice(0, index).some((other) => other.optionId === optionId),
  );
  if (twice >= 0) {
    const id = JSON.stringify(offered[twice]?.optionId);
    throw new AcpError(
      "invalidParams",
      `options[${twice}].optionId: expected ids that differ, found ${id} twice`,
    );
  }
  const times = (texts: readonly string[], text: string) => texts.filter((other) => other === text).length;
  const names = offered.map(({ name }) => name);
  return offered.map((option, index) => {
    const { optionId, name } = option;
    const isFit = optionId !== "" && optionId.length <= MOST_ID;
    const isClear = name.trim() !== "" && times(names, name) === 1;
    return {
      id: isFit ? optionId : `option-${index + 1}`,
      label: isClear ? name : `${name.trim()} (${optionId}, ${index + 1})`.trim(),
      option,
    };
  });
}

/**
 * The options of an approval; undefined where an approval cannot have them: none allows, there are too many, or one is
 * of a kind that nobody knows, so that it must not be taken for another.
 */
export function approvalOptionsOf(named: readonly NamedOption[]): AskedOption[] | undefined {
  const options = named.flatMap(({ id, label, option }) => {
    const kind = kinds.get(option.kind);
    return kind === undefined ? [] : [{ id, label, ...kind }];
  });
  const isWhole = options.length === named.length && options.length <= MOST_OPTIONS;
  return isWhole && options.some(({ kind }) => kind === "allow") ? options : undefined;
}
