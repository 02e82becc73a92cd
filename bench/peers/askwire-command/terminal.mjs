/** @import { TerminalModule } from "../../contract.js" */
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../../../apps/cli/bin/askwire.js", import.meta.url));

/** @type {TerminalModule["terminalLine"]} */
export const terminalLine = () => ({
  args: [command, "ask", "--question", "Which one?", "--option", "Red", "--option", "Green"],
  marks: ["❯ 1. Red", "❯ 2. Green"],
  ends: "\r",
});
