-- Puts the requests of an agent to the person at Neovim, by the pickers that they have chosen (`vim.ui`).
local person = {}

-- #region wait
--- Waits for the callback of a picker. One that calls back later needs a coroutine around it.
local function wait_for(begin)
  local thread, is_waiting, is_done, value = coroutine.running(), false, false, nil
  begin(function(chosen)
    if is_done then return end
    is_done, value = true, chosen
    if is_waiting then assert(coroutine.resume(thread)) end
  end)
  if not is_done then
    assert(thread, "before Neovim 0.10, this picker needs the line framing: let g:askwire_by = 'lines'")
    is_waiting = true
    coroutine.yield()
  end
  return value
end
-- #endregion wait

local function pick(rows, title)
  local function format_item(row)
    local mark = row.is_on == nil and "" or row.is_on and "[x] " or "[ ] "
    return mark .. row.label .. ((row.description or "") ~= "" and " – " .. row.description or "")
  end
  return wait_for(function(done)
    vim.ui.select(rows, { prompt = title, format_item = format_item, kind = "askwire" }, done)
  end)
end

local function words(title)
  return wait_for(function(done)
    vim.ui.input({ prompt = title .. " " }, done)
  end)
end

-- #region beside
--- Shows a text in a window of its own, under a title, while `decide` asks the person. Returns what that returns.
local function beside(title, text, filetype, decide)
  if text == "" then return decide() end
  vim.cmd("botright new")
  local window, buffer = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype, vim.bo[buffer].bufhidden, vim.bo[buffer].filetype = "nofile", "wipe", filetype
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, "\n"))
  local line = title:gsub("%%", "%%%%"):gsub("%c", " ")
  vim.api.nvim_set_option_value("statusline", line, { scope = "local" })
  vim.cmd("redraw")
  local has_decided, value = pcall(decide)
  if vim.api.nvim_win_is_valid(window) then vim.api.nvim_win_close(window, true) end
  if not has_decided then error(value, 0) end
  return value
end

--- The text of a block of an approval. A type that this client does not know has none.
local function text_of(block)
  if block.type == "diff" then return block.path .. "\n" .. vim.diff(block.old_text, block.new_text) end
  return block.command or block.text or ""
end
-- #endregion beside

-- #region question
--- The answer to one question: its labels, then own words. Escape leaves the question out.
local function ask(question)
  local rows, own = {}, { label = question.other_label ~= "" and question.other_label or "Other…" }
  for _, option in ipairs(question.options) do
    table.insert(rows, { label = option.label, description = option.description })
    if question.multi_select then rows[#rows].is_on = false end
  end
  local options = #rows
  table.insert(rows, own)
  if question.multi_select then table.insert(rows, 1, { label = "Done", is_last = true }) end
  local picked
  repeat
    picked = options == 0 and own or pick(rows, question.question)
    if picked == own then own.words = words(question.question) end
    if picked and picked ~= own then picked.is_on = not picked.is_on end
  until not picked or picked.is_last or not question.multi_select or options == 0
  local values = {}
  for _, row in ipairs(picked and rows or {}) do
    if row.is_on and not row.is_last then table.insert(values, row.label) end
  end
  if picked and (own.words or "") ~= "" then table.insert(values, own.words) end
  return values[1] and table.concat(values, ", ")
end

function person.QuestionRequest(payload)
  local answers = vim.empty_dict()
  for _, question in ipairs(payload.questions) do
    answers[question.question] = beside(question.question, question.body, "markdown", function()
      return ask(question)
    end)
  end
  return { request_id = payload.id, answers = answers }
end
-- #endregion question

-- #region approval
function person.ApprovalRequest(payload)
  local title = payload.sender .. ": " .. payload.description
  local text = vim.trim(table.concat(vim.tbl_map(text_of, payload.display), "\n\n"))
  return beside(title, text, "diff", function()
    local picked = pick({
      { label = "Approve", response = "approve" },
      { label = "Approve for this session", response = "approve_for_session" },
      { label = "Reject", response = "reject" },
      { label = "Reject and say why", response = "reject", has_words = true },
    }, title)
    local feedback = picked and picked.has_words and words("Why not?") or ""
    return { request_id = payload.id, response = picked and picked.response or "reject", feedback = feedback }
  end)
end
-- #endregion approval

return person
