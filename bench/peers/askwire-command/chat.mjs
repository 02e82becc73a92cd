/** @import { ChatModule } from "../../contract.js" */
import { fileURLToPath } from "node:url";

const file = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @type {ChatModule["chatLine"]} */
export const chatLine = (words) => {
  const command = [file("../../../apps/cli/bin/askwire.js"), "chat"];
  const agent = ["--", process.execPath, file("streaming-agent.mjs"), words.join(" ")];
  return {
    args: [...command, "--prompt", "go", ...agent],
    begins: { args: [...command, ...agent], mark: "> " },
  };
};
