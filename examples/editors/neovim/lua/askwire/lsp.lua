-- An agent behind Neovim's own client for language servers, which frames messages by `Content-Length`.
local person = require("askwire.person")

-- #region lsp
local dispatchers, turn = {}, nil

--- The agent reports. This runs outside of Neovim's main loop: it may not touch windows.
function dispatchers.notification(_, event)
  local part = event.type == "ContentPart" and event.payload or {}
  if part.type == "text" then table.insert(turn.said, part.text) end
end

--- The agent asks, and awaits what this function returns.
function dispatchers.server_request(_, request)
  local answer = person[request.type]
  if not answer then return nil, vim.lsp.rpc.rpc_response_error(-32601) end
  return answer(request.payload)
end

--- The agent has ended, by itself or because it was told to.
function dispatchers.on_exit(code)
  turn.finish(turn.problem or not turn.is_over and "the agent ended with " .. code or nil)
end

function dispatchers.on_error(kind, problem)
  turn.problem = kind .. ": " .. vim.inspect(problem)
end

local function start(command)
  if vim.fn.has("nvim-0.10") == 1 then return vim.lsp.rpc.start(command, dispatchers) end
  return vim.lsp.rpc.start(command[1], vim.list_slice(command, 2), dispatchers)
end

--- Runs one turn. `finish` gets what went wrong, or nil, and all that the agent said.
local function prompt(command, words, finish)
  turn = { said = {} }
  turn.finish = vim.schedule_wrap(function(problem)
    finish(problem, table.concat(turn.said))
  end)
  local agent = start(command)
  if not agent then return turn.finish("the agent does not start") end
  local function end_with(problem)
    turn.is_over, turn.problem = true, turn.problem or problem and problem.message
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
