// Installed clients of ACP that a person works in: scripts/hosts.mjs puts them into a folder, but for Neovim.
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "../../cli/test/askwire.js";
import { openTerminal, type Terminal } from "../../cli/test/terminal.js";
import { hostsFolder } from "./host-run.js";

/** A client of ACP in a terminal. */
export interface AcpEditor {
  readonly name: string;
  /** False where it is not installed. */
  readonly isHere: boolean;
  /** True for one that shows the questions of its agent itself. */
  readonly hasForms: boolean;
  /** Starts it in a folder, with `askwire acp` in its agent's place, and has it prompt the agent. */
  open(cwd: string, env: Readonly<Record<string, string>>): Promise<Terminal>;
  /** The words of its card for the file that the agent wants to write. */
  card(file: string): RegExp;
  /** The keys that allow, in its card. */
  readonly allow: string;
  /** True for one that keeps its card after the page has answered: a press of `allow` puts it away. */
  readonly keepsCard: boolean;
}

const agent = [process.execPath, command, "acp", "--", "claude-agent-acp"];
const neovim = process.env.ASKWIRE_NEOVIM;
const plugins = process.env.ASKWIRE_NEOVIM_PLUGINS ?? "";
const withForms = fileURLToPath(new URL("../../../scripts/hosts/acpx-forms.mjs", import.meta.url));

/** Opens a program of the folder in a terminal, with the Node of the hosts. */
function open(words: readonly [string, ...string[]], cwd: string, env: Readonly<Record<string, string>>) {
  const bin = join(hostsFolder ?? "", "node_modules/.bin");
  const PATH = [bin, process.env.ASKWIRE_HOSTS_NODE, process.env.PATH].join(delimiter);
  const [file, ...args] = words;
  return openTerminal(file, args, { cwd, columns: 120, rows: 40, env: { ...env, PATH } });
}

const node = join(process.env.ASKWIRE_HOSTS_NODE ?? "", "node");

const acpx: AcpEditor = {
  name: "acpx",
  isHere: hostsFolder !== undefined,
  hasForms: false,
  open: async (cwd, env) =>
    open(
      [
        ...([node, join(hostsFolder ?? "", "node_modules/acpx/dist/cli.js")] as const),
        ...["--approve-reads", "--ttl", "1", "--agent", agent.join(" "), "exec", "Set up a database"],
      ],
      cwd,
      env,
    ),
  card: (file) => new RegExp(`Allow Write ${file}.*\\(y/N\\)`),
  allow: "y\r",
  keepsCard: false,
};

const acpxForms: AcpEditor = {
  ...acpx,
  name: "acpx as a library, with forms",
  hasForms: true,
  open: async (cwd, env) => open([node, withForms, JSON.stringify(agent)], cwd, env),
};

const init = `
for _, name in ipairs({ "plenary.nvim", "codecompanion.nvim" }) do
  vim.opt.rtp:prepend(vim.env.PLUGINS .. "/" .. name)
end
require("codecompanion").setup({
  adapters = { acp = { claude_code = function()
    return require("codecompanion.adapters").extend("claude_code", {
      commands = { default = vim.json.decode(vim.env.AGENT) },
      handlers = { auth = function() return true end },
    })
  end } },
  interactions = { chat = { adapter = "claude_code" } },
})
-- A prompt that is sent before the chat is connected opens a second connection.
vim.api.nvim_create_autocmd("User", {
  pattern = "CodeCompanionACPSessionPost",
  once = true,
  callback = function()
    vim.defer_fn(function() vim.api.nvim_input("iSet up a database<Esc><CR>") end, 500)
  end,
})
`;

const codeCompanion: AcpEditor = {
  name: "Neovim with CodeCompanion",
  isHere: hostsFolder !== undefined && neovim !== undefined,
  hasForms: false,
  async open(cwd, env) {
    await writeFile(join(cwd, "init.lua"), init);
    const more = { PLUGINS: plugins, AGENT: JSON.stringify(agent) };
    return open([neovim ?? "", "-u", "init.lua", "-c", "CodeCompanionChat"], cwd, { ...env, ...more });
  },
  card: (file) => new RegExp(`Proposed edits for .${file}[\\s\\S]*g2. - Accept`),
  allow: "g2",
  keepsCard: true,
};

export const acpEditors = [acpx, acpxForms, codeCompanion];
