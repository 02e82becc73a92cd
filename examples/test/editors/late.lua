-- A client that decides when the request is over: after it has cancelled the turn, or after the deadline. Then it prompts
-- again and answers at once. It prints what the agent says and how each turn ends.
local cancels = os.getenv("EDITOR_CANCELS") == "yes"
local agent, turn, is_over, code = nil, 0, false, nil
local command = vim.json.decode(os.getenv("EDITOR_AGENT"))

local function wait_for(what, condition)
  if not vim.wait(60000, condition, 5) then error("waited a minute for " .. what) end
end

local dispatchers = {
  notification = function(_, event)
    if event.type == "ContentPart" then io.stdout:write(event.payload.text, "\n") end
  end,
  on_exit = function(ended_with)
    code = ended_with
  end,
}

function dispatchers.server_request(_, request)
  io.stdout:write(request.type, "\n")
  local question = request.payload.questions[1]
  if turn == 1 then
    if cancels then agent.request("cancel", vim.empty_dict(), function() end) end
    wait_for("the end of the turn", function()
      return is_over
    end)
  end
  local answers = { [question.question] = question.options[1].label }
  return { request_id = request.payload.id, answers = answers }
end

if vim.fn.has("nvim-0.10") == 1 then
  agent = vim.lsp.rpc.start(command, dispatchers)
else
  agent = vim.lsp.rpc.start(command[1], vim.list_slice(command, 2), dispatchers)
end

local function prompt()
  turn, is_over = turn + 1, false
  agent.request("prompt", { user_input = "go" }, function(problem, result)
    io.stdout:write("turn ", turn, ": ", problem and problem.message or result.status, "\n")
    is_over = true
  end)
  wait_for("turn " .. turn, function()
    return is_over
  end)
end

agent.request("initialize", { protocol_version = "1.10", capabilities = { supports_question = true } }, function() end)
prompt()
prompt()
if agent.terminate then agent.terminate() else agent.handle:kill("sigterm") end
wait_for("the end of the agent", function()
  return code ~= nil
end)
vim.cmd("qall!")
