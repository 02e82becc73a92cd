/** @import { ChatModule } from "../../contract.js" */
import { fileURLToPath } from "node:url";

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {ChatModule["chatLine"]} */
export const chatLine = (words) => ({
  args: [
    file("../../../apps/cli/bin/askwire.js"),
    ...["chat", "--prompt", "go", "--", process.execPath, file("streaming-agent.mjs"), words.join(" ")],
  ],
});
