import type { AgentMemory } from "../agent/agent-session.js";
import type { Journal } from "../journal/journal.js";

/** The most characters of a kept value, as JSON. */
const MOST_KEPT = 16_384;

/** The value that an agent keeps in the journal of its session (P-JRN-13). */
export function agentMemory(journal: Pick<Journal, "agentMemory" | "agentMemorySet">): AgentMemory {
  let value = journal.agentMemory;
  return {
    get: () => value,
    set(next) {
      const text = JSON.stringify(next);
      if (text === undefined) throw new TypeError("memory: expected a JSON value");
      if (text.length > MOST_KEPT) {
        throw new TypeError(`memory: expected at most ${MOST_KEPT} characters of JSON, found ${text.length}`);
      }
      value = JSON.parse(text);
      journal.agentMemorySet(value);
    },
  };
}
