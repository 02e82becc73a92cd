-- An agent behind Neovim's own client for language servers, which frames messages by `Content-Length`.
local person = require("askwire.person")

-- #region lsp
local function start(command, dispatchers)
  if vim.fn.has("nvim-0.10") == 1 then return vim.lsp.rpc.start(command, dispatchers) end
  return vim.lsp.rpc.start(command[1], vim.list_slice(command, 2), dispatchers)
end

--- Runs one turn. `finish` gets what went wrong, or nil, and all that the agent said.
local function prompt(command, words, finish)
  local said, trouble, is_over = {}, nil, false
  local over = vim.schedule_wrap(function(problem)
    finish(problem, table.concat(said))
  end)
  local agent = start(command, {
    -- The agent reports. This runs outside of Neovim's main loop: it may not touch windows.
    notification = function(_, event)
      local part = event.type == "ContentPart" and event.payload or {}
      if part.type == "text" then table.insert(said, part.text) end
    end,
    -- The agent asks, and awaits what this function returns.
    server_request = function(_, request)
      local answer = person[request.type]
      if not answer then return nil, vim.lsp.rpc.rpc_response_error(-32601) end
      return answer(request.payload)
    end,
    -- The agent has ended, by itself or because it was told to.
    on_exit = function(code)
      over(trouble or not is_over and "the agent ended with " .. code or nil)
    end,
    on_error = function(kind, problem)
      trouble = kind .. ": " .. vim.inspect(problem)
    end,
  })
  if not agent then return over("the agent does not start") end
  local function end_with(problem)
    is_over, trouble = true, trouble or problem and problem.message
    if agent.terminate then agent.terminate() else agent.handle:kill("sigterm") end
  end
  local about = { protocol_version = "1.10", capabilities = { supports_question = true } }
  agent.request("initialize", about, function(problem)
    if problem then return end_with(problem) end
    agent.request("prompt", { user_input = words }, end_with)
  end)
end
-- #endregion lsp

return { prompt = prompt }
