-- An agent over the line framing, with no client but `jobstart`: any picker, and requests that end without the person.
local person = require("askwire.person")

-- #region lines
--- Runs one turn. `finish` gets what went wrong, or nil, and all that the agent said.
local function prompt(command, words, finish)
  local agent, rest, said, calls, open, trouble, is_over, last_words = nil, "", {}, {}, {}, nil, false, ""

  local function send(message)
    message.jsonrpc = "2.0"
    pcall(vim.fn.chansend, agent, vim.json.encode(message) .. "\n") -- An agent that is gone reads nothing.
  end
  local function call(id, method, params, reply)
    calls[id] = reply
    send({ id = id, method = method, params = params })
  end
  local function end_with(problem)
    is_over, trouble = true, problem and problem.message
    vim.fn.chanclose(agent, "stdin")
  end

  --- The person's word, or that they could not be asked, unless the request was settled without it.
  local function answer(id, request)
    local payload = request.payload
    open[payload.id] = payload
    local has_asked, said = pcall(person[request.type], payload)
    local reply = has_asked and { result = said } or { error = { code = -32603, message = tostring(said) } }
    reply.id = id
    if open[payload.id] then send(reply) end
    open[payload.id] = nil
  end

  local function hear(event)
    local payload = event.payload
    if event.type == "ContentPart" and payload.type == "text" then table.insert(said, payload.text) end
    if event.type == "TurnEnd" then open = {} end
    if event.type == "ApprovalResponse" then open[payload.request_id] = nil end
    for id, request in pairs(event.type == "ToolResult" and open or {}) do
      if request.tool_call_id == payload.tool_call_id then open[id] = nil end
    end
  end

  local function receive(line)
    local message = vim.json.decode(line, { luanil = { object = true } })
    if message.method == "event" then return hear(message.params) end
    if message.method == "request" and person[message.params.type] then
      return coroutine.wrap(answer)(message.id, message.params)
    end
    if message.method and message.id then
      return send({ id = message.id, error = { code = -32601, message = "not here" } })
    end
    local reply = calls[message.id]
    if reply then reply(message.error) end
  end

  agent = vim.fn.jobstart(command, {
    on_stdout = function(_, pieces)
      pieces[1] = rest .. pieces[1]
      rest = table.remove(pieces)
      for _, line in ipairs(pieces) do
        local is_read, problem = pcall(receive, line)
        if not is_read then vim.notify("askwire: " .. tostring(problem), vim.log.levels.WARN) end
      end
    end,
    on_stderr = function(_, pieces)
      local words = vim.trim(table.concat(pieces, "\n"))
      if words ~= "" then last_words = words end
    end,
    on_exit = function(_, code)
      local ended = vim.trim("the agent ended with " .. code .. "\n" .. last_words)
      finish(trouble or not is_over and ended or nil, table.concat(said))
    end,
  })
  local about = { protocol_version = "1.10", capabilities = { supports_question = true } }
  call("1", "initialize", about, function(problem)
    if problem then return end_with(problem) end
    call("2", "prompt", { user_input = words }, end_with)
  end)
end
-- #endregion lines

return { prompt = prompt }
