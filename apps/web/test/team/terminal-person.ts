import type { Terminal } from "../../../cli/test/terminal.js";
import type { Pace, Person } from "./person.js";

/** The time for which a screen may stay as it is under a person's keys, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A person at a terminal, who opens the row at the cursor and answers by the keys that the screen names. */
export function terminalPerson(name: string, open: () => Terminal, { random, think }: Pace): Person {
  let terminal = open();
  let seen = "";
  let since = performance.now();
  return {
    name,
    async step() {
      await think();
      const text = terminal.rows().join("\n");
      const isIdle = text.includes("Nothing waits for you.") || text.includes("Nothing here is for you");
      if (text !== seen || isIdle) since = performance.now();
      seen = text;
      if (performance.now() - since > PATIENCE_MS) {
        since = performance.now();
        throw new Error("the screen stays as it is");
      }
      if (isIdle) return;
      if (!text.includes("Esc back")) {
        // In the list: down a row or none, then Enter.
        if (random() < 0.3) terminal.type("\u001b[B");
        return terminal.type("\r");
      }
      if (/\[ \]/.test(text) && !/\[[x✓]\]/.test(text)) terminal.type(" ");
      terminal.type("\r");
    },
    async anew() {
      terminal.close();
      await terminal.ended;
      terminal = open();
    },
    screen: async () => terminal.rows().join("\n"),
  };
}
