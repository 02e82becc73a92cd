import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { usageFailure } from "../input/failure.js";
import { gatewayOptions } from "./mcp.js";
import { type OptionsOf, placeOptions } from "./shared-options.js";

/** `askwire acp`. */
export const acpCommand = (program: CommandUnknownOpts) =>
  placeOptions(gatewayOptions(program.command("acp")))
    .summary("stand between an editor and its ACP agent: you are asked on your phone too")
    .description(
      "Start an ACP agent for an editor that speaks ACP, such as Zed, JetBrains, Neovim or Emacs. The agent's " +
        "permissions and questions appear in the editor, in a browser, on a phone and in a terminal: the first answer wins.",
    )
    .argument("[command...]", "after --: the command of the agent, as the editor would run it")
    .option("--agent <name>", "an agent by its name, as in serve, in the place of a command")
    .addHelpText(
      "after",
      `
Put this command where your editor has that of the agent. An editor that cannot show questions gets none: you answer
them on the page, which "askwire open" opens, or with "askwire inbox". All else passes through as it is.
See docs/acp-editors.md for the settings of each editor.

Examples:
  askwire acp -- claude-agent-acp      Claude's agent, asked in the editor and on your phone
  askwire acp -- gemini --acp          Gemini CLI
  askwire acp --agent claude           an agent by its name
  askwire open                         answer in your browser`,
    )
    .hook("preAction", (acp) => {
      const { agent } = acp.opts();
      if (acp.args.length > 0 === (agent !== undefined))
        throw usageFailure("acp: expected a program, such as: askwire acp -- claude-agent-acp");
    });

export type AcpOptions = OptionsOf<typeof acpCommand>;
