-- The person at a Neovim without a screen, as a plugin of pickers would be: prints what is shown, and decides by a list.
local decisions = vim.json.decode(os.getenv("EDITOR_DECISIONS"))

local function shown(title)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
    if lines[1] ~= "" then io.stdout:write(table.concat(lines, "\n"), "\n") end
  end
  io.stdout:write(title, "\n")
end

--- Calls back at once, as the pickers of Neovim do, or later, as those that draw windows.
local function decide(done, choice)
  if os.getenv("EDITOR_DECIDES") == "later" then
    vim.schedule(function()
      done(choice)
    end)
  else
    done(choice)
  end
end

vim.ui.select = function(rows, options, done)
  shown(options.prompt)
  local wanted, choice = table.remove(decisions, 1), nil
  if wanted == "Fail" then error("the picker failed") end
  for _, row in ipairs(rows) do
    io.stdout:write("- ", options.format_item(row), "\n")
    if row.label == wanted then choice = row end
  end
  decide(done, choice)
end

vim.ui.input = function(options, done)
  shown(options.prompt)
  decide(done, table.remove(decisions, 1))
end

vim.notify = function(text)
  io.stdout:write(text, "\n")
end

vim.cmd("autocmd User AskwireEnded qall!")
