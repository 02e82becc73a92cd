-- :Askwire WORDS prompts an agent, which may ask before it is done.
--   g:askwire_agent  the agent's command, by default askwire serve --stdio
--   g:askwire_by     "lsp" or "lines": who carries the messages
-- #region plugin
vim.api.nvim_create_user_command("Askwire", function(typed)
  local carrier = require("askwire." .. (vim.g.askwire_by or "lsp"))
  carrier.prompt(vim.g.askwire_agent or { "askwire", "serve", "--stdio" }, typed.args, function(problem, said)
    vim.notify(problem or said, problem and vim.log.levels.ERROR or vim.log.levels.INFO)
    vim.cmd("doautocmd <nomodeline> User AskwireEnded")
  end)
end, { nargs = "+" })
-- #endregion plugin
