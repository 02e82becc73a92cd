// The meaning of each message of docs/messages.md and of each of its fields, by the names under $defs of the schema.
// `extended` are the fields that only the extended profile has. A field that is missing here, or is not in the schema,
// ends the script.

const userInput = { user_input: "the person's words" };
const client = (path, meaning) => ({
  [path]: meaning,
  [`${path}.name`]: "its name in `initialize`",
  [`${path}.connection`]: "the server's id of its connection",
});
/** A client that acts, with the person that it was let in as. */
const actingClient = (path, meaning) => ({
  ...client(path, meaning),
  [`${path}.principal`]: "the person that it was let in as (P-WHO-7)",
});
const turnMarks = {
  turn_id: "the id of the turn",
  ...actingClient("by", "the client that prompted; absent if no client did"),
  at: "in a replay and a history: when it was recorded, in ISO 8601 (P-XTR-4)",
};
const requestId = { request_id: "the `id` of the question or approval" };
const returnValue = {
  return_value: "the result",
  "return_value.is_error": "true if the call failed",
  "return_value.output": "for the model",
  "return_value.message": "explains the output to the model",
  "return_value.display": "for the person",
  "return_value.extras": "further data of the tool",
};
const ownRequestId = { request_id: "the server's own id, the same when sent again (P-XTH-1)" };
const sessions = { sessions: "the sessions in memory, or the page" };
const countFields = {
  counts: "the numbers of all that is chosen, where they were asked for (P-XRQ-4)",
  "counts.all": "all of them",
  "counts.kinds": "by kind",
  "counts.kinds.question": "questions",
  "counts.kinds.approval": "approvals",
  "counts.states": "by state",
  "counts.states.open": "in sessions in memory and parked ones",
  "counts.states.kept": "in sessions on disk alone",
};
const questionFields = (path) => ({
  [`${path}.question`]: "the text, not blank; the key of its answer",
  [`${path}.header`]: "a short tag",
  [`${path}.options`]: "the choices; none for an open question",
  [`${path}.options[].label`]: "the text of the option; the value of an answer",
  [`${path}.options[].description`]: "a line on its meaning",
  [`${path}.multi_select`]: "true if several options may be chosen",
  [`${path}.body`]: "Markdown above the options",
  [`${path}.other_label`]: "names the row for own text",
  [`${path}.other_description`]: "explains that row",
});
const originFields = (path) => ({
  [path]: "where the ask comes from, in the words of its program (P-XAK-12)",
  [`${path}.host`]: "the program that it asks for, such as an editor",
  [`${path}.folder`]: "the folder of the work",
  [`${path}.tool`]: "the tool whose call asks",
  [`${path}.subagent`]: "the kind of the sub-agent that asks",
});
const programFields = (id) => ({
  program: `the connected program that asks (${id})`,
  "program.key": "the key of its ask",
  "program.name": "its name",
  "program.connection": "the server's id of its connection",
  ...originFields("program.origin"),
});

const extendedQuestionFields = (path) => ({
  [`${path}.id`]: "its id in an answer; by position `q1` (P-QST-2)",
  [`${path}.options[].id`]: "its id in an answer; by position `q1_o1`",
  [`${path}.options[].preview`]: "Markdown to look at before choosing",
  [`${path}.options[].recommended`]: "true if the asker advises it",
  [`${path}.own_text`]: "true if own text counts, and so it does if absent",
  [`${path}.placeholder`]: "what an empty field for own text shows",
  [`${path}.default`]: "ids of the options that count when a deadline passes",
  [`${path}.field`]: "the form of the answer, in place of options (P-XFL-1)",
  [`${path}.field.type`]: "which form",
  [`${path}.field.bounds`]: "the limits of the value",
  [`${path}.field.bounds.min`]: "the least number or date, or the fewest characters",
  [`${path}.field.bounds.max`]: "the greatest, or the most characters",
  [`${path}.field.pattern`]: "a regular expression that the server checks",
  [`${path}.field.required`]: "false if it may be left empty (P-XFL-5)",
  [`${path}.field.prefill`]: "the text that a form begins with",
  [`${path}.min`]: "the fewest choices of several",
  [`${path}.max`]: "the most choices, own text counted as one",
  [`${path}.picture`]:
    "true if a picture is wanted with the answer, where the client declared `attachments` (P-XQS-4)",
});

/** @type {Record<string, { means?: string, fields?: Record<string, string>, extended?: Record<string, string> }>} */
export const meanings = {
  InitializeParams: {
    means:
      "Introduces the client. The first message of a connection; again later to change what it offers (P-INI-4).",
    fields: {
      protocol_version: 'the version of the base profile: `"1.10"` (P-VER-1)',
      client: "who connects",
      "client.name": "the name of the program",
      "client.version": "its version",
      external_tools: "tools that the client runs itself (P-EXT-1)",
      "external_tools[].name": "what the model calls",
      "external_tools[].description": "tells the model when to call it",
      "external_tools[].parameters": "a JSON Schema of the arguments",
      hooks: "points at which the client wants a say (P-HOK-1)",
      "hooks[].id": "the client's own, the `subscription_id` of a HookRequest",
      "hooks[].event": "one of the table of P-HOK-5",
      "hooks[].matcher": "a regular expression on the target; empty matches all",
      "hooks[].timeout": "seconds that the server waits, 1 to 86400",
      "hooks[].on_failure": "the decision without an answer; absent: `allow`",
      capabilities: "what the client can show (P-CAP-1)",
      "capabilities.supports_question": "true if it can put a question to a person",
      "capabilities.supports_plan_mode": "true if it can show plan mode",
    },
    extended: {
      "capabilities.askwire": "asks for the extended profile (P-XNG-1)",
      session: "the session to attach to (P-XAT-2)",
      "session.id": "its id",
      "session.stream": "the `stream` that the client has followed",
      "session.after_seq": "the number of the last message that it has",
      "session.open": "true: open it where it is kept alone (P-XAT-10)",
      lobby: "true: join no session (P-XLB-1)",
    },
  },
  InitializeResult: {
    fields: {
      protocol_version: 'always `"1.10"`',
      server: "who answers",
      "server.name": "the name of the program",
      "server.version": "its version",
      slash_commands: "commands that may begin a prompt (P-SLH-1)",
      "slash_commands[].name": "without the slash",
      "slash_commands[].description": "for a person",
      "slash_commands[].aliases": "other names of it",
      external_tools: "only if some were offered",
      "external_tools.accepted": "names of those that the model may call",
      "external_tools.rejected": "the others",
      "external_tools.rejected[].name": "the name of the tool",
      "external_tools.rejected[].reason": "why not (P-EXT-2)",
      hooks: "what can be subscribed",
      "hooks.supported_events": "names of events",
      "hooks.configured": "by event, how many subscriptions are in force",
      offers_from: "`next_prompt` where tools and hooks reach the agent after the turn (P-EXT-9)",
      capabilities: "what the server may use",
      "capabilities.supports_question": "true if it may ask questions",
    },
    extended: {
      "capabilities.askwire": "grants the extended profile (P-XNG-1)",
      session: "the session as the client finds it (P-XAT-4)",
      "session.id": "its id",
      "session.stream": "a UUID: numbers of another stream say nothing",
      "session.seq": "the number of the last message so far",
      "session.state": "what it does (P-XST-2)",
      "session.connection": "the id under which others are told of this connection (P-XST-5)",
      "session.turn_id": "the turn that runs",
      "session.plan_mode": "true if plan mode is on",
      "session.do_not_ask": "true if nobody wants to be asked (P-XDN-1)",
      "session.role":
        "the role of the connection, such as `answer`; absent where it may do everything (P-XRL-4)",
      "session.permissions": "what a connection with a role may do (P-XRL-2)",
      "session.principal": "the person that the server takes this connection for (P-WHO-3)",
      "session.history": "true if the history follows (P-XHI-1)",
      "session.resumes": "true if open requests outlive the server (P-KPT-3)",
      "session.pending": "ids of the open requests, oldest first",
      "session.reset": "true if missed messages are not sent (P-XAT-6)",
      lobby: "there in the place of `session` for a client that joined none (P-XLB-1)",
      "lobby.role": "what kind of client it is",
      "lobby.permissions": "what it may do (P-XRL-2)",
    },
  },
  PromptParams: {
    means: "Begins a turn. Its answer comes when the turn has ended, so events come in between (P-TRN-2).",
    fields: userInput,
    extended: { turn_id: "the client's own id: sent again, no second turn begins (P-XTR-2)" },
  },
  PromptResult: {
    fields: {
      status: "how the turn ended; a turn that failed has an error instead (P-TRN-4)",
      steps: "the steps taken, with `max_steps_reached`",
    },
  },
  SteerParams: {
    means: "Says something to the agent while a turn runs (P-STR-1).",
    fields: userInput,
    extended: { steer_id: "the client's own id: sent again, the words are said once (P-XTR-3)" },
  },
  SteerResult: { fields: { status: "it waits for the next step" } },
  ReplayParams: {
    means:
      "Replays the conversation so far: events and requests come, then the result. A client answers each of these requests with `-32601` and asks nobody (P-CLI-9).",
  },
  ReplayResult: {
    fields: {
      status: "whether `cancel` ended it",
      events: "how many events were sent",
      requests: "how many requests were sent",
    },
  },
  SetPlanModeParams: {
    means: "Switches plan mode, at any time (P-PLN-1).",
    fields: { enabled: "on or off" },
  },
  SetPlanModeResult: { fields: { status: "done", plan_mode: "on or off, as it is now" } },
  CancelParams: {
    means:
      "Ends the turn that runs, and what is open in it. The prompt is then answered `cancelled` (P-TRN-6).",
  },
  CancelResult: {},

  TurnBegin: { means: "A turn begins: its first event.", fields: userInput, extended: turnMarks },
  SteerInput: { means: "The agent has taken what was said by `steer` (P-STR-2).", fields: userInput },
  TurnEnd: {
    means: "A turn ends: its last event, before the result of `prompt`.",
    extended: {
      ...turnMarks,
      status: "how it ended",
      steps: "the steps taken, with `max_steps_reached`",
      error: "why it failed",
      "error.code": "as in the error of the prompt",
      "error.message": "likewise",
      "error.data": "likewise",
    },
  },
  StepBegin: {
    means: "A step begins: a call of the model and the tool calls that come of it (P-STP-1).",
    fields: { n: "the number in the turn" },
  },
  StepInterrupted: { means: "A step failed; TurnEnd follows (P-TRN-4)." },
  StepRetry: {
    means:
      "A step failed temporarily and is tried again after a wait (P-STP-4), without another StepBegin. What the model said in it until now does not count.",
    fields: {
      n: "the number of the step",
      next_attempt: "the try that follows, from 2",
      max_attempts: "how many there are",
      wait_s: "seconds until then",
      error_type: "the kind of failure",
      status_code: "the HTTP status, if there was one",
    },
  },
  CompactionBegin: { means: "The conversation is being summarized to fit the model (P-CMP-1)." },
  CompactionEnd: { means: "The summarizing has ended, even if it failed." },
  HookTriggered: {
    means: "Hooks are being asked (P-HOK-2).",
    fields: { event: "the event of the hooks", target: "what they matched", hook_count: "how many" },
  },
  HookResolved: {
    means: "All hooks that were asked have answered.",
    fields: {
      event: "as in HookTriggered",
      target: "as in HookTriggered",
      action: "`allow` or `block`",
      reason: "of the first that blocks",
      duration_ms: "milliseconds since HookTriggered",
    },
  },
  MCPLoadingBegin: { means: "Tool servers of the agent are being started." },
  MCPLoadingEnd: { means: "The tool servers have started." },
  StatusUpdate: {
    means: "The session's figures. A null leaves what was said before (P-CLI-8, P-STP-7).",
    fields: {
      context_usage: "how full the model's context is, 0 to 1",
      context_tokens: "tokens in it",
      max_context_tokens: "its size in tokens",
      token_usage: "tokens of this step",
      "token_usage.input_other": "input, not from a cache",
      "token_usage.output": "output",
      "token_usage.input_cache_read": "input that a cache had",
      "token_usage.input_cache_creation": "input that a cache now has",
      message_id: "the provider's id of the answer",
      plan_mode: "true if plan mode is on",
      mcp_status: "the agent's tool servers",
      "mcp_status.loading": "true while they start",
      "mcp_status.connected": "how many are connected",
      "mcp_status.total": "how many there are",
      "mcp_status.tools": "how many tools they have",
      "mcp_status.servers": "each of them",
      "mcp_status.servers[].name": "its name",
      "mcp_status.servers[].status": "its state in a word",
      "mcp_status.servers[].tools": "names of its tools",
    },
  },
  Notification: {
    means: "Something beside the conversation, in a turn or between turns (P-NOT-1).",
    fields: {
      id: "its own id",
      category: "the kind of thing, such as `task`",
      type: "what happened to it, such as `task.done`",
      source_kind: "what it comes from, such as `background_task`",
      source_id: "which one",
      title: "a line for the person",
      body: "more of it",
      severity: "such as `info`",
      created_at: "seconds since 1970",
      payload: "further data",
    },
  },
  ToolCall: {
    means: "The model calls a tool (P-STP-1).",
    fields: {
      type: "always so",
      id: "the model's id of the call",
      function: "the call",
      "function.name": "the tool",
      "function.arguments": "JSON text, or the beginning of it",
      extras: "data of the model's provider; leave it alone (P-MOD-3)",
    },
  },
  ToolCallPart: {
    means: "More of the arguments of the ToolCall before it (P-MOD-1).",
    fields: { arguments_part: "to be added to its `function.arguments`" },
  },
  ToolResult: {
    means: "A tool call is done. A question of that call is over for a base client (P-CLI-1).",
    fields: { tool_call_id: "the `id` of the ToolCall", ...returnValue },
  },
  ApprovalResponse: {
    means: "An approval is settled, whoever answered it (P-APR-2).",
    fields: {
      request_id: "the `id` of the ApprovalRequest",
      response: "the answer",
      feedback: "the person's words",
    },
  },
  SubagentEvent: {
    means: "An event of a sub-agent, inside this one (P-SUB-1).",
    fields: {
      parent_tool_call_id: "the tool call that it works in",
      task_tool_call_id: "that name in versions before 1.6; read it, do not send it (P-MSG-10)",
      agent_id: "the id of the sub-agent",
      subagent_type: "its type",
      event: "the event",
      "event.type": "its type",
      "event.payload": "its payload, as in an event of that type",
    },
  },
  PlanDisplay: {
    means: "A plan to show, before it is asked about (P-PLN-5).",
    fields: { content: "Markdown", file_path: "where it is kept" },
  },
  BtwBegin: {
    means: "A question beside the conversation was put to the model.",
    fields: { id: "its id", question: "what was asked" },
  },
  BtwEnd: {
    means: "The question beside the conversation has an answer.",
    fields: { id: "as in BtwBegin", response: "the answer", error: "why there is none" },
  },

  ApprovalRequest: {
    means: "May this be done? (P-APR-1)",
    fields: {
      id: "the same text as the JSON-RPC `id`",
      tool_call_id: "the tool call that waits",
      sender: "the tool",
      action: "what `approve_for_session` covers (P-APR-3)",
      description: "for the person",
      source_kind: "`foreground_turn`",
      source_id: "equal for the approvals of one turn",
      agent_id: "the sub-agent that asks",
      subagent_type: "its type",
      source_description: "in words",
      display: "to show beside it",
    },
    extended: {
      options: "the ways to answer, where they are not the three words (P-XAO-1)",
      "options[].id": "the `option` of an answer",
      "options[].label": "its text",
      "options[].kind": "whether it allows or rejects",
      "options[].scope": "what it covers later; absent: this call alone (P-XAO-2)",
      "options[].scope.kind": "`call`, `command`, `program`, `file`, `action` or the asker's own",
      "options[].scope.value": "which command, program or file",
      "options[].scope.text": "the extent in words",
      "options[].for_session":
        "true for the option that `approve_for_session` of a base client stands for (P-XAO-5)",
      edit: "a text that may be changed before approving (P-XAO-3)",
      "edit.content": "the text",
      "edit.path": "of which file",
      "edit.language": "such as `bash`",
      "edit.max_length": "UTF-16 units of the changed text, at most",
      person_only: "true: no policy may answer it, also where it is passed on (P-XAO-10)",
      ...programFields("P-XAK-11"),
    },
  },
  ApprovalRequestResponse: {
    fields: {
      request_id: "the payload's `id`",
      response: "the person's decision",
      feedback: "words for the model; a rejection without them ends the turn (P-APR-5)",
    },
  },
  QuestionRequest: {
    means: "Questions to a person, for a client that declared `supports_question`.",
    fields: {
      id: "the same text as the JSON-RPC `id`",
      tool_call_id: "the tool call that waits",
      questions: "one at least, to be answered together; a base client is sent all these fields (P-MSG-6)",
      ...questionFields("questions[]"),
    },
    extended: {
      ...extendedQuestionFields("questions[]"),
      agent: "the sub-agent that asks",
      "agent.id": "its id",
      "agent.type": "its type",
      "agent.parent_tool_call_id": "the tool call that it works in",
      ...programFields("P-XAK-2"),
      background: "true if the agent goes on meanwhile (P-XBG-1)",
      deadline: "by when",
    },
  },
  QuestionRequestResponse: {
    fields: {
      request_id: "the payload's `id`",
      answers:
        'by `question`: a label, own text, or several of them joined by `", "`; `{}` declines (P-ANS-1, P-ANS-6)',
    },
  },
  ToolCallRequest: {
    means: "The model calls a tool of this client (P-EXT-4).",
    fields: {
      id: "the model's id of the call, the same text as the JSON-RPC `id`",
      name: "the tool",
      arguments: "JSON text as the model wrote it; null or blank means `{}`",
    },
    extended: ownRequestId,
  },
  ToolCallRequestResponse: { fields: { tool_call_id: "the payload's `id`", ...returnValue } },
  HookRequest: {
    means: "May the agent continue? (P-HOK-2)",
    fields: {
      id: "the same text as the JSON-RPC `id`",
      subscription_id: "the `id` of the hook in `initialize`",
      event: "what happens",
      target: "what the matcher was searched in",
      input_data: "by event, the table of P-HOK-5",
    },
    extended: ownRequestId,
  },
  HookRequestResponse: {
    fields: {
      request_id: "the payload's `id`",
      action: "the decision; not every event can be blocked (P-HOK-6)",
      reason: "told to the model",
    },
  },

  ContentPart: {
    means:
      "A piece of what a person or the model says. Texts that follow each other are pieces of one text, and so are thoughts.",
    fields: {
      text: "the text",
      think: "a thought of the model",
      encrypted: "data of the model's provider; leave it alone (P-MOD-3)",
      image_url: "an image",
      "image_url.url": "its address, or a data URL",
      "image_url.id": "an id of it",
      audio_url: "a sound",
      "audio_url.url": "its address, or a data URL",
      "audio_url.id": "an id of it",
      video_url: "a film",
      "video_url.url": "its address, or a data URL",
      "video_url.id": "an id of it",
    },
  },
  DisplayBlock: {
    means:
      "Something for the person's eyes. A block of another type is legal: show what of it is known, or nothing (P-MSG-5).",
    fields: {
      text: "a short line",
      path: "the file",
      old_text: "the lines before",
      new_text: "the lines after",
      old_start: "the number of the first line before",
      new_start: "and after",
      is_summary: "true if the texts only count lines",
      items: "the list of tasks",
      "items[].title": "the task",
      "items[].status": "such as `pending`, `in_progress`, `done`",
      language: "of the command, such as `bash`",
      command: "the command",
      task_id: "the id of the task",
      kind: "its kind",
      status: "its state",
      description: "what it does",
    },
  },

  AnswerParams: {
    means: "A person's word on a question or an approval (P-XAN-2).",
    extended: {
      ...requestId,
      answer_id: "the client's own: sent again, it has the first reply (P-XAN-5)",
      outcome: "what the person did",
      "outcome.status": "`answered` or `declined`",
      "outcome.reason": "of `declined`: `dismissed` or `discuss`; absent: `dismissed`",
      "outcome.note": "words beside it",
      "outcome.degraded": "of a client that passes requests on: what the person was not shown (P-XAN-10)",
      "outcome.degraded[].question_id": "the question; absent: all of the request",
      "outcome.degraded[].feature": "the feature (P-XQS-3)",
      answers: "of such a client: by question text, as a base client gave them (P-XAN-10)",
      items: "of a question: an item for each of its questions",
      response: "of an approval without `options`: the decision",
      option: "of an approval with `options`: the id of one",
      edited: "the changed text, where the approval had `edit`",
      feedback: "words for the model beside an approval's answer",
    },
  },
  AnswerResult: {
    extended: {
      outcome: "how the request ended",
      kind: "of a reply that stands for InteractionSettled: what the request is (P-XAN-2)",
      response: "of such a reply: what was answered (P-XST-1)",
      seq: "the number of the event that the reply stands for; without it the event comes as well (P-XAN-2)",
      state: "of such a reply: the session's state, if it is another one than before (P-XST-2)",
    },
  },
  AgentAliveParams: {
    means: "A sign of life, which the server replies to with its own (P-XAT-11).",
    extended: { received: "how many messages have come over this connection" },
  },
  ReceivedParams: {
    means: "The request is before a person (P-XAN-1).",
    extended: requestId,
  },
  TouchParams: {
    means: "A person has begun to answer: a deadline is taken away (P-XDL-3).",
    extended: requestId,
  },
  TouchResult: {},
  ReleaseParams: {
    means: "This client does not show the request, or no longer shows it (P-XAN-9).",
    extended: {
      ...requestId,
      reason: "why; absent: `protocol_error`",
      message: "in words",
    },
  },
  ReleaseResult: {},
  SetDoNotAskParams: {
    means: "A person does not want to be asked questions, or wants to be asked again (P-XDN-1).",
    extended: { enabled: "true: do not ask" },
  },
  SetDoNotAskResult: { extended: { do_not_ask: "as it is now" } },
  AskParams: {
    means: "This program asks the people of the session (P-XAK-1).",
    extended: {
      key: "the program's name of this ask: sent again, the same questions (P-XAK-4)",
      questions: "absent, as `approval` is: what was asked under the key",
      ...questionFields("questions[]"),
      ...extendedQuestionFields("questions[]"),
      approval: "an action to allow, in the place of questions (P-XAK-11)",
      "approval.action": "what `approve_for_session` covers (P-APR-3)",
      "approval.description": "for the person",
      "approval.display": "to show beside it",
      "approval.options": "the ways to answer; absent: the three words (P-XAO-1)",
      "approval.options[].id": "the `option` of the reply",
      "approval.options[].label": "its text; absent: by kind and scope",
      "approval.options[].kind": "whether it allows or rejects",
      "approval.options[].scope": "what it covers later; absent: this approval alone (P-XAO-2)",
      "approval.options[].scope.kind": "`call`, `command`, `program`, `file`, `action` or the asker's own",
      "approval.options[].scope.value": "which command, program or file",
      "approval.options[].scope.text": "the extent in words; absent: by kind",
      "approval.for_session":
        "the id of the option that `approve_for_session` stands for, where several last (P-XAO-5)",
      "approval.edit": "a text that may be changed before approving (P-XAO-3)",
      "approval.edit.content": "the text",
      "approval.edit.path": "of which file",
      "approval.edit.language": "such as `bash`",
      "approval.edit.max_length": "UTF-16 units of the changed text, at most; absent: 1,048,576",
      "approval.person_only": "true: no policy may answer it (P-XAO-10)",
      "approval.sender": "the part of the program that asks; absent: the name of the program",
      ...originFields("origin"),
      deadline: "by when",
      "deadline.ms": "milliseconds from now",
      "deadline.on_expiry": "then: no answer, or the defaults",
      wait: "false: reply at once; absent: with the outcome",
      here: "true: ask this client too",
      on_lost: "what becomes of what is asked if this client is lost; absent: `keep`",
      calls: "the calls of this client that wait for the outcome (P-XAK-10); absent: 1 that waits",
    },
  },
  AskResult: {
    extended: {
      request_id: "the id of the questions or the approval",
      outcome: "how they ended; absent while they are open",
      response: "the decision on an approval",
      option: "the chosen one, where the approval has its own",
      feedback: "the person's words about an approval",
      edited: "the text of an approval as the person changed it",
      answers: "by question text, as in the base profile",
      items: "by ids",
    },
  },
  ListSessionsParams: {
    means: "Lists the server's sessions, or those on disk alone; over WebSocket only (P-XSE-1, P-XSE-7).",
    extended: {
      state: "those on disk alone; if absent, those in memory",
      after: "the `next` of the page before (P-XSE-8)",
      limit: "rows of the page; without both, all in memory, up to 1,000, or 50 of those on disk",
    },
  },
  ListSessionsResult: { extended: { ...sessions, next: "where the next page begins" } },
  CreateSessionParams: {
    means: "Makes a session; the connection stays where it is. Over WebSocket only (P-XSE-2).",
  },
  CreateSessionResult: { extended: { session: "the new one" } },
  CloseSessionParams: {
    means: "Ends a session; over WebSocket only (P-XSE-3).",
    extended: { session_id: "which" },
  },
  CloseSessionResult: {},
  WatchSessionsParams: {
    means: "Lists the sessions and has changes told by `sessions_changed`; over WebSocket only (P-XSE-5).",
  },
  WatchSessionsResult: { extended: sessions },
  UnwatchSessionsParams: { means: "Ends that; over WebSocket only." },
  UnwatchSessionsResult: {},
  ListRequestsParams: {
    means: "Lists what waits for a person in all sessions; over WebSocket only (P-XRQ-1).",
    extended: {
      kinds: "questions, approvals or both; both if absent",
      text: "words that a row has to have",
      state: "`open` in memory, or `kept` on disk; both if absent",
      mine: "true for those of this person's sessions alone (P-XRQ-5)",
      counts: "true to have all of them counted (P-XRQ-4)",
      after: "the `next` of the page before",
      limit: "rows of the page; 50 if absent",
    },
  },
  ListRequestsResult: {
    extended: { requests: "the page", next: "where the next page begins", ...countFields },
  },
  WatchRequestsParams: {
    means: "Lists what waits and has changes told by `requests_changed`; over WebSocket only (P-XRQ-3).",
  },
  WatchRequestsResult: { extended: { requests: "the first 256" } },
  UnwatchRequestsParams: { means: "Ends that; over WebSocket only." },
  UnwatchRequestsResult: {},
  CreatePairingCodeParams: {
    means:
      "Makes a code for a device, for a client with the server's own token; over WebSocket only (P-DEV-7).",
    extended: {
      role: "`answer` for a device that may only answer",
      person: "the name of the person who will have it",
    },
  },
  CreatePairingCodeResult: {
    extended: {
      code: "the code, which counts once",
      address: "the origin at which a device takes it",
      expires_in_ms: "how long it counts",
    },
  },
  AwaitPairingParams: {
    means: "Waits until a code is over; over WebSocket only (P-DEV-8).",
    extended: { code: "the last code of this connection" },
  },
  AwaitPairingResult: {
    extended: {
      device: "the device that used it; absent if none did",
      "device.id": "by which it is listed and revoked",
      "device.name": "the kind of browser and system, as the device said it",
    },
  },

  InteractionOpened: {
    means: "A request was opened that this client is not asked, or no longer asked (P-XST-1).",
    extended: { request_id: "its id", kind: "what it is" },
  },
  InteractionSettled: {
    means: "A request is settled (P-XST-1).",
    extended: {
      request_id: "its id",
      kind: "what it is",
      outcome: "how it ended",
      response: "what was answered (P-XST-1)",
    },
  },
  InteractionUpdated: {
    means: "A deadline has changed (P-XST-3), or others answer than before (P-XST-5).",
    extended: {
      request_id: "the id of the request",
      deadline: "as it is now; null: none",
      answering: "the clients whose people answer (P-XST-5)",
      "answering[].name": "its name",
      "answering[].connection": "its connection",
      "answering[].principal": "the person that it was let in as (P-WHO-7)",
      calls: "the calls that wait for one answer, once there were several (P-XAK-10)",
    },
  },
  HistoryEnd: {
    means: "The history has been sent (P-XHI-1).",
    extended: { whole: "false if its beginning is not kept" },
  },
  DoNotAsk: {
    means: "What `set_do_not_ask` has changed (P-XDN-1).",
    extended: { enabled: "true: do not ask", ...actingClient("by", "the client that said so") },
  },
  PolicyDecided: {
    means: "A rule has answered an approval, so that nobody was asked (P-XAO-11).",
    extended: {
      tool_call_id: "the call that it was about",
      action: "the action, as an approval names it",
      description: "the action in a sentence",
      response: "`approve` or `reject`",
      rule: "`approve_all` where everything is approved, `decided_before` where a person decided for the session",
    },
  },
  CommandsChanged: {
    means: "The agent's commands are others than `initialize` said (P-SLH-3).",
    extended: {
      slash_commands: "all of them, as in `initialize`",
      "slash_commands[].name": "without the slash",
      "slash_commands[].description": "for a person",
      "slash_commands[].aliases": "other names of it",
    },
  },
  AliveParams: {
    means:
      "A sign of life: after 15 s without a message, to ask a client for one, and in reply to one (P-XAT-9, P-XAT-11).",
    extended: {
      seq: "the number of the last message",
      sent: "of a reply: how many messages the server had sent over this connection",
      received: "of a reply: how many had come before the client's sign of life",
    },
  },
  SessionsChangedParams: {
    means: "What is new since `watch_sessions` or the last of these (P-XSE-5).",
    extended: { sessions: "new and changed ones, as they are now", closed: "ids of those that are gone" },
  },
  RequestsChangedParams: {
    means: "What is new since `watch_requests` or the last of these (P-XRQ-3).",
    extended: { requests: "new and changed ones, as they are now", gone: "ids of those that no longer wait" },
  },
  CallOutputParams: {
    means: "The output of a running call so far, in the place of the one before (P-XCO-1).",
    extended: {
      tool_call_id: "the call",
      text: "its last lines",
      lines: "how many lines there were so far",
    },
  },

  AskwireCapabilities: {
    means:
      "`capabilities.askwire` of `initialize` and of its result. A client declares what it can show, a server what it may use (P-XNG-2).",
    extended: {
      revision: "of the extended profile: 3 (P-XNG-1)",
      client_id: "a UUID that the client keeps over its connections (P-XAT-1)",
      previews: "options with a preview",
      notes: "words beside a choice",
      attachments: "answers with images",
      skip: "one question of several left out",
      deadline: "deadlines",
      fields: "typed fields, and numbers of choices",
      approval_options: "approvals with options",
      edits: "texts of approvals that can be changed",
      presence: "`touch` whatever the deadline, and who answers (P-XST-5)",
      alive: "signs of life in both directions (P-XAT-11)",
      relay: "requests that are passed on to other clients (P-XAN-10)",
      watch: "of a server: `watch_sessions`",
      inbox: "of a server: `list_requests`",
      kept_sessions: "of a server: `list_sessions` with `state` (P-XSE-7)",
      pairing: "of a server: `create_pairing_code`, for this client (P-DEV-7)",
      history: "what was before is told, or wanted (P-XHI-1)",
      call_output: "what running calls print (P-XCO-1)",
      do_not_ask: "of a server: `set_do_not_ask`",
      ask: "of a server: `ask`",
    },
  },
  Outcome: {
    means: "How a request ended (P-OUT-1, P-OUT-3).",
    extended: {
      status: "what became of it",
      reason: "one of the status, by the table of P-OUT-1; `answered` has none",
      by: "who caused it",
      ...client("client", "the client that answered"),
      principal: "the person that it was let in as, by the word of the door (P-WHO-3)",
      at: "when, ISO 8601",
      note: "a person's words, or an error's",
      degraded: "what the answering client was not shown (P-XQS-3)",
      "degraded[].question_id": "of which question",
      "degraded[].feature": "what",
    },
  },
  Principal: {
    means: "A person, as the door of the server knows them (P-WHO-3). No client says it of itself.",
    extended: {
      id: "which person, among those of one `via`",
      name: "for people to read",
      via: "a token with a name, a paired device, the header of a trusted proxy, or the user of the server's machine",
      device: "the name of the device, where it is a person's",
    },
  },
  AnswerItem: {
    means: "The answer to one question (P-XAN-2, P-XAN-4).",
    extended: {
      question_id: "the `id` of the question",
      selected: "ids of options; empty beside own text alone",
      own_text: "the person's own words, or the value of a field",
      skipped: "true if it was left out, where `skip` was declared",
      note: "words beside the choice, where `notes` was declared",
      attachments: "images, where `attachments` was declared (P-XAN-6)",
    },
  },
  Deadline: {
    means: "By when a question is to be answered (P-XDL-1).",
    extended: {
      at: "the server's time, ISO 8601",
      remaining_ms: "milliseconds that were left when it was sent",
      on_expiry: "then: no answer, or the defaults",
    },
  },
  ListedSession: {
    means: "A session in a list (P-XSE-4).",
    extended: {
      id: "its id",
      state: "what it does",
      connections: "how many clients are attached",
      title: "what it is about",
      folder: "where its agent works",
      host: "on which machine",
      made_at: "when it began, ISO 8601",
      active_at: "when something last happened, ISO 8601",
      open: "how many questions and approvals are open",
      oldest: "the oldest of them",
      "oldest.request_id": "its id",
      "oldest.kind": "what it is",
      "oldest.text": "the question or description, one line",
      "oldest.since": "since when it is open, ISO 8601",
    },
  },
  ToldRequest: {
    means: "A question or approval in a list (P-XRQ-2).",
    extended: {
      request_id: "its id",
      kind: "what it is",
      text: "the question or description, one line",
      since: "since when it is open, ISO 8601",
      state: "`open` in memory, or `kept` on disk",
      session_id: "the session to attach to",
      mine: "true where this person began the last turn of that session (P-XRQ-5)",
      deadline: "by when it is to be answered, ISO 8601",
      program: "the connected program that asks",
      answering: "the clients whose persons are at it",
      "answering[].name": "as it introduced itself",
      "answering[].connection": "its connection",
      "answering[].principal": "the person that it was let in as (P-WHO-7)",
      title: "what the session is about",
      agent: "the server's name for the agent",
      folder: "where the agent works",
      host: "on which machine",
    },
  },
};
