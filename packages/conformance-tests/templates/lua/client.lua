-- A client of Kimi Wire 1.10: it starts an agent, sends one prompt, and answers questions and approvals.
--
-- Neovim 0.7 or later is all it needs: `nvim --clean --headless -S client.lua`. `Person` stands for your user interface;
-- the conformance suite says what the person answers, by variables.

local uv = vim.uv or vim.loop
local INITIALIZE_MS, CLOSE_MS, FOREVER_MS = 8000, 1000, 2 ^ 31 - 1

--- Reads JSON, or returns nil. Neovim reads no half of a surrogate pair: U+FFFD takes its place.
local function decode(text)
  local escaped = text:gsub("\\\\", "\\u005c")
  escaped = escaped:gsub("\\u[dD][89abAB]%x%x\\u[dD][c-fC-F]%x%x", function(pair)
    return vim.json.decode('"' .. pair .. '"')
  end)
  local is_json, value = pcall(vim.json.decode, (escaped:gsub("\\u[dD][89a-fA-F]%x%x", "\\ufffd")))
  return is_json and value or nil
end

--- Put your user interface here. `answer` may be called at any time.
local Person = {}

function Person.show(text)
  io.stdout:write(tostring(text), "\n")
end

function Person.ask(words, payload, answer)
  local said = payload.questions and { answers = Person.answers(words, payload.questions) } or Person.approval(words)
  uv.new_timer():start(words.after_ms or 0, 0, function()
    answer(said)
  end)
end

--- Answers by the texts of the questions. What the person leaves out is not among them.
function Person.answers(words, questions)
  local answers = vim.empty_dict()
  for index, question in ipairs(words.dismiss and {} or questions) do
    local values, chosen = {}, (words.choose or {})[index] or {}
    for _, option in ipairs(question.options or {}) do
      if vim.tbl_contains(chosen, option.label) then table.insert(values, option.label) end
    end
    if index == 1 then table.insert(values, words.own_text) end
    if values[1] then answers[question.question] = table.concat(values, ", ") end
  end
  return answers
end

--- One of approve, approve_for_session and reject; and with a rejection, words to the agent.
function Person.approval(words)
  local response = words.approve or "reject"
  return { response = response, feedback = response == "reject" and words.own_text or "" }
end

local REQUESTS = { QuestionRequest = true, ApprovalRequest = true }
local SETTLED = { ApprovalResponse = true, ApprovalRequestResolved = true }

--- True if everything that the client needs of a request is there.
local function fits(kind, payload)
  local function has_texts(value, ...)
    for _, name in ipairs({ ... }) do
      if type(value) ~= "table" or type(value[name]) ~= "string" then return false end
    end
    return true
  end
  if kind == "ApprovalRequest" then
    return has_texts(payload, "id", "tool_call_id", "sender", "action", "description")
  end
  if not has_texts(payload, "id", "tool_call_id") or type(payload.questions) ~= "table" then return false end
  for _, question in ipairs(payload.questions) do
    if not has_texts(question, "question") then return false end
    local options = question.options == nil and {} or question.options
    for _, option in ipairs(type(options) == "table" and options or { options }) do
      if not has_texts(option, "label") then return false end
    end
  end
  return #payload.questions > 0
end

--- A conversation with an agent, over its standard streams.
local Client = {}
Client.__index = Client

function Client.start(command, arguments, words)
  local self = setmetatable({ words = words, open = {}, calls = {}, count = 0, pieces = {} }, Client)
  self.input, self.output = uv.new_pipe(false), uv.new_pipe(false)
  local env = {}
  for name, value in pairs(vim.fn.environ()) do
    if name ~= "DEBUG" then table.insert(env, name .. "=" .. value) end
  end
  local args = vim.list_extend(arguments, { "--wire" })
  local options = { args = args, env = env, stdio = { self.input, self.output, 2 } }
  local problem
  self.agent, problem = uv.spawn(command, options, function()
    self.has_ended = true
  end)
  if not self.agent then error(command .. ": " .. problem, 0) end
  self.output:read_start(function(_, bytes)
    if bytes then self:read(bytes) else self.is_silent = true end
  end)
  return self
end

--- Cuts what comes into lines, and those into messages. Anything but a JSON object is passed over.
function Client:read(bytes)
  local from, to = 1, bytes:find("\n", 1, true)
  while to do
    table.insert(self.pieces, bytes:sub(from, to - 1))
    local message = decode(table.concat(self.pieces))
    self.pieces, from = {}, to + 1
    if type(message) == "table" then self:receive(message) end
    to = bytes:find("\n", from, true)
  end
  table.insert(self.pieces, bytes:sub(from))
end

--- Sends a request. The event loop takes all that comes up to its response, which is returned.
function Client:call(method, params, patience)
  self.count = self.count + 1
  local id, response = "c" .. self.count, nil
  self.calls[id] = function(message)
    response = message
  end
  self:send(id, { method = method, params = params })
  vim.wait(patience, function()
    return response ~= nil or self.is_silent
  end, 10)
  self.calls[id] = nil
  if not response then error(self.is_silent and "the agent has ended" or "the agent does not answer " .. method, 0) end
  return response
end

--- Introduces the client. An agent that does not know `initialize` (-32601) is older, and used without.
function Client:initialize()
  local response = self:call("initialize", {
    protocol_version = "1.10",
    client = { name = "my-client", version = "0.1.0" },
    capabilities = { supports_question = true },
  }, INITIALIZE_MS)
  if response.error and response.error.code == -32601 then return end
  local result = type(response.result) == "table" and response.result or {}
  if not (result.protocol_version and result.server and result.slash_commands) then
    error("the agent does not introduce itself", 0)
  end
end

--- Takes a message. Only a request has an answer.
function Client:receive(message)
  local params = type(message.params) == "table" and message.params or {}
  local id, kind, payload = message.id, params.type, params.payload
  if message.method == nil then
    local is_response = message.result ~= nil or type(message.error) == "table"
    if is_response and self.calls[id] then self.calls[id](message) end
  elseif message.method == "event" then
    self:hear(kind, type(payload) == "table" and payload or {})
  elseif id == nil or id == vim.NIL then
    return
  elseif message.method ~= "request" or type(kind) == "string" and not REQUESTS[kind] then
    self:refuse(id, -32601, "there is no such method or type")
  elseif type(kind) ~= "string" or not fits(kind, payload) then
    self:refuse(id, -32602, "the request does not fit")
  else
    -- The id of the payload goes into the answer, and that of the message around it.
    self.open[payload.id] = payload
    Person.ask(self.words, payload, function(said)
      if not self.open[payload.id] then return end
      self.open[payload.id], said.request_id = nil, payload.id
      self:send(id, { result = said })
    end)
  end
end

--- Shows what the agent says. A request that was settled elsewhere is no longer answered.
function Client:hear(kind, payload)
  if kind == "ContentPart" and payload.type == "text" then Person.show(payload.text) end
  if kind == "TurnEnd" then self.open = {} end
  for id, asked in pairs(self.open) do
    local by_result = kind == "ToolResult" and payload.tool_call_id == asked.tool_call_id
    if by_result or SETTLED[kind] and payload.request_id == id then self.open[id] = nil end
  end
end

function Client:refuse(id, code, message)
  self:send(id, { error = { code = code, message = message, data = vim.NIL } })
end

--- Writes a message: one JSON object on a line. An id that is a number is written with all of its digits.
function Client:send(id, message)
  local name = type(id) == "number" and ("%d"):format(id) or vim.json.encode(id)
  local members = vim.json.encode(message):gsub("\226\128([\168\169])", { ["\168"] = "\\u2028", ["\169"] = "\\u2029" })
  self.input:write('{"jsonrpc":"2.0","id":' .. name .. "," .. members:sub(2) .. "\n")
end

--- Ends the agent by the end of its input, then kindly, then by force.
function Client:close()
  self.input:shutdown()
  for _, signal in ipairs({ "sigterm", "sigkill", "sigkill" }) do
    local has_ended = vim.wait(CLOSE_MS, function()
      return self.has_ended
    end, 10)
    if has_ended then return end
    self.agent:kill(signal)
  end
end

local function run()
  local variables = vim.fn.environ()
  local arguments = decode(variables.ASKWIRE_CONFORMANCE_AGENT_ARGUMENTS or "[]")
  local words = decode(variables.ASKWIRE_CONFORMANCE_ANSWER or "{}")
  local client = Client.start(variables.ASKWIRE_CONFORMANCE_AGENT, arguments, words)
  local has_run, response = pcall(function()
    client:initialize()
    return client:call("prompt", { user_input = variables.ASKWIRE_CONFORMANCE_PROMPT }, FOREVER_MS)
  end)
  client:close()
  if not has_run then error(response, 0) end
  if response.error then error("the turn failed: " .. tostring(response.error.message), 0) end
end

local has_run, problem = pcall(run)
if not has_run then io.stderr:write("client: ", problem, "\n") end
vim.cmd("qall!")
