import type { Tool } from "./agent.js";

/**
 * Two tools of one session cannot have one name (P-DIA-1).
 *
 * @throws TypeError that names it.
 */
export function refuseRepeatedNames(tools: readonly Pick<Tool, "name">[]): void {
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) throw new TypeError(`tools: two are called "${name}": leave one of them out`);
    names.add(name);
  }
}
