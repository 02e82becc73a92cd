// The examples of docs/messages.md: parts of a conversation in the base profile, and of one in the extended profile.
// Each is what a message has under `params` or `result`; requests of an agent have their payload and its response.

const project = "/home/ada/shop";
const sessionId = "3f1c7a52-5d0e-4b7e-9a43-0c1f5d9e6b20";
const questionId = "090aff11-f495-4023-b58b-4645cd8996bf";
const approvalId = "2b943b44-db6a-4e0a-b7b7-b565cc47a643";
const source = "ae9dbec340b04384966d384c0c9d317a";

const shell = { type: "shell", language: "bash", command: "createdb shop" };
const approval = {
  id: approvalId,
  tool_call_id: "call_2",
  sender: "Shell",
  action: "run command",
  description: "Run the command `createdb shop`",
  source_kind: "foreground_turn",
  source_id: source,
  agent_id: null,
  subagent_type: null,
  source_description: null,
  display: [shell],
};
const question = "Which database?";
const calledTool = { id: "call_3", name: "open_file", arguments: `{"path": "schema.sql"}` };
const hookedCall = {
  subscription_id: "hook-1",
  event: "PreToolUse",
  target: "Shell",
  input_data: {
    hook_event_name: "PreToolUse",
    session_id: sessionId,
    cwd: project,
    tool_name: "Shell",
    tool_input: { command: "createdb shop" },
    tool_call_id: "call_2",
  },
};
const hookId = "c2a7c9de-0b54-4a4f-8a3e-6e1f2f0b7d11";
const unchanged = {
  context_usage: null,
  context_tokens: null,
  max_context_tokens: null,
  token_usage: null,
  message_id: null,
  plan_mode: null,
  mcp_status: null,
};
const offers = {
  external_tools: [
    {
      name: "open_file",
      description: "Opens a file in the person's editor.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
  hooks: [{ id: "hook-1", event: "PreToolUse", matcher: "^Shell$", timeout: 10 }],
};
const taken = {
  external_tools: { accepted: ["open_file"], rejected: [] },
  hooks: {
    supported_events: ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"],
    configured: { PreToolUse: 1 },
  },
};
const server = { name: "askwire", version: "0.1.0" };
const commands = [{ name: "compact", description: "Summarize the conversation so far", aliases: [] }];

export const base = {
  methods: {
    initialize: {
      params: {
        protocol_version: "1.10",
        client: { name: "my-client", version: "0.1.0" },
        ...offers,
        capabilities: { supports_question: true, supports_plan_mode: true },
      },
      result: {
        protocol_version: "1.10",
        server,
        slash_commands: commands,
        ...taken,
        capabilities: { supports_question: true },
      },
    },
    prompt: { params: { user_input: "Set up the project" }, result: { status: "finished" } },
    steer: { params: { user_input: "Call it shop" }, result: { status: "steered" } },
    replay: { result: { status: "finished", events: 14, requests: 1 } },
    set_plan_mode: { params: { enabled: true }, result: { status: "ok", plan_mode: true } },
    cancel: { result: {} },
  },
  events: {
    TurnBegin: { payload: { user_input: "Set up the project" } },
    SteerInput: { payload: { user_input: "Call it shop" } },
    TurnEnd: { payload: {} },
    StepBegin: { payload: { n: 1 } },
    StepInterrupted: { payload: {} },
    StepRetry: {
      payload: {
        n: 1,
        next_attempt: 2,
        max_attempts: 3,
        wait_s: 0.3,
        error_type: "APIStatusError",
        status_code: 503,
      },
    },
    CompactionBegin: { payload: {} },
    CompactionEnd: { payload: {} },
    HookTriggered: { payload: { event: "PreToolUse", target: "Shell", hook_count: 1 } },
    HookResolved: {
      payload: { event: "PreToolUse", target: "Shell", action: "allow", reason: "", duration_ms: 12 },
    },
    MCPLoadingBegin: { payload: {} },
    MCPLoadingEnd: { payload: {} },
    StatusUpdate: {
      payload: {
        ...unchanged,
        context_usage: 0.0128,
        context_tokens: 1280,
        max_context_tokens: 100000,
        token_usage: { input_other: 1200, output: 85, input_cache_read: 80, input_cache_creation: 0 },
        message_id: "msg_01",
        plan_mode: false,
      },
    },
    Notification: {
      payload: {
        id: "notice-1",
        category: "task",
        type: "task.done",
        source_kind: "background_task",
        source_id: "task-1",
        title: "The tests are done",
        body: "All 42 passed.",
        severity: "info",
        created_at: 1795444200.5,
        payload: { exit_code: 0 },
      },
    },
    ContentPart: { payload: { type: "text", text: "I need to know one thing." } },
    ToolCall: {
      payload: {
        type: "function",
        id: "call_1",
        function: { name: "AskUserQuestion", arguments: `{"questions": [{"question": "${question}", ` },
        extras: null,
      },
    },
    ToolCallPart: {
      payload: { arguments_part: `"options": [{"label": "SQLite"}, {"label": "PostgreSQL"}]}]}` },
    },
    ToolResult: {
      payload: {
        tool_call_id: "call_1",
        return_value: {
          is_error: false,
          output: `{"answers": {"${question}": "PostgreSQL"}}`,
          message: "User has answered.",
          display: [{ type: "brief", text: "User answered" }],
          extras: null,
        },
      },
    },
    ApprovalResponse: { payload: { request_id: approvalId, response: "approve", feedback: "" } },
    SubagentEvent: {
      payload: {
        parent_tool_call_id: "call_4",
        agent_id: "5b1f0c3e-2d5b-4a55-9a52-7c1f83c0f6ad",
        subagent_type: "coder",
        event: { type: "ContentPart", payload: { type: "text", text: "I write the tests." } },
      },
    },
    PlanDisplay: { payload: { content: "1. Make the database\n2. Write the tests", file_path: "plan.md" } },
    BtwBegin: { payload: { id: "btw-1", question: "Which port has PostgreSQL?" } },
    BtwEnd: { payload: { id: "btw-1", response: "5432, unless it was changed.", error: null } },
  },
  requests: {
    ApprovalRequest: {
      payload: approval,
      response: { request_id: approvalId, response: "approve", feedback: "" },
    },
    QuestionRequest: {
      payload: {
        id: questionId,
        tool_call_id: "call_1",
        questions: [
          {
            question,
            header: "",
            options: [
              { label: "SQLite", description: "" },
              { label: "PostgreSQL", description: "" },
            ],
            multi_select: false,
            body: "",
            other_label: "",
            other_description: "",
          },
        ],
      },
      response: { request_id: questionId, answers: { [question]: "PostgreSQL" } },
    },
    ToolCallRequest: {
      payload: calledTool,
      response: {
        tool_call_id: "call_3",
        return_value: {
          is_error: false,
          output: "The file is open.",
          message: "",
          display: [{ type: "brief", text: "Opened schema.sql" }],
          extras: null,
        },
      },
    },
    HookRequest: {
      payload: { id: hookId, ...hookedCall },
      response: { request_id: hookId, action: "allow", reason: "" },
    },
  },
};

const client = { name: "my-client", connection: "3425d494-8975-4795-885b-95c6a8a7ccca" };
const turn = "6c0f5a9e-3d0b-4a39-9f51-2f7a3a0f9c02";
const answered = (at) => ({ status: "answered", by: "human", client, at });
const items = [{ question_id: "q1", selected: ["q1_o2"], note: "version 17" }];
const shows = { revision: 3, previews: true, notes: true, attachments: true, skip: true, deadline: true };
const alsoShows = { fields: true, approval_options: true, edits: true };
const askId = "f4f1f5c4-2f4e-4c0e-8a4d-6d3e1b7a9c55";
const deadline = { at: "2026-11-23T14:35:31.200Z", remaining_ms: 300000, on_expiry: "default" };
const keptAt = Date.UTC(2026, 10, 22, 9, 30);
const keptSession = {
  ...{ id: "0d9f3c1a-52f4-4d0a-8a51-6f2f1f0f7c11", state: "kept", connections: 0 },
  ...{ title: "Build the shop", folder: project, host: "workstation", open: 0 },
  active_at: new Date(keptAt).toISOString(),
};
const otherSession = { id: "b1f8d1e2-7a55-4a0a-9c0e-4d0f6a2b8e77", state: "idle", connections: 0 };
const listed = {
  id: sessionId,
  state: "waiting",
  connections: 2,
  title: "Set up the project",
  folder: project,
  host: "workstation",
  made_at: "2026-11-23T14:30:02.100Z",
  active_at: "2026-11-23T14:30:31.200Z",
  open: 1,
  oldest: { request_id: questionId, kind: "question", text: question, since: "2026-11-23T14:30:31.200Z" },
};
const waiting = {
  request_id: questionId,
  kind: "question",
  text: question,
  since: "2026-11-23T14:30:31.200Z",
  state: "open",
  session_id: sessionId,
  title: "Set up the project",
  folder: project,
  host: "workstation",
};

export const extended = {
  methods: {
    initialize: {
      params: {
        protocol_version: "1.10",
        client: { name: "my-client", version: "0.1.0" },
        ...offers,
        capabilities: {
          supports_question: true,
          askwire: { ...shows, ...alsoShows, client_id: "5e0c3a0e-7f0b-4c8e-9a55-0d6d1c1f8a11" },
        },
        session: { id: sessionId },
      },
      result: {
        protocol_version: "1.10",
        server,
        slash_commands: commands,
        ...taken,
        capabilities: {
          supports_question: true,
          askwire: { ...shows, ...alsoShows, watch: true, history: true, do_not_ask: true, ask: true },
        },
        session: {
          id: sessionId,
          stream: "23f5d45a-9677-4191-8b2a-5bf407258cd9",
          seq: 0,
          state: "idle",
          plan_mode: false,
          resumes: true,
          pending: [],
          reset: false,
        },
      },
    },
    prompt: { params: { user_input: "Set up the project", turn_id: turn }, result: { status: "finished" } },
    answer: {
      params: { request_id: questionId, answer_id: "answer-1", outcome: { status: "answered" }, items },
      result: {
        outcome: answered("2026-11-23T14:30:33.582Z"),
        kind: "question",
        response: { answers: { [question]: "PostgreSQL" }, items },
        ...{ seq: 9, state: "running" },
      },
    },
    alive: { params: { received: 31 } },
    received: { params: { request_id: questionId } },
    touch: { params: { request_id: questionId }, result: {} },
    release: {
      params: { request_id: approvalId, reason: "unsupported", message: "no room to show it" },
      result: {},
    },
    keep_draft: {
      params: {
        request_id: questionId,
        draft: { items: [{ question_id: "q1", selected: ["q1_o2"], own_text: "with a nightly" }] },
      },
      result: {},
    },
    read_draft: {
      params: { request_id: questionId },
      result: {
        draft: { items: [{ question_id: "q1", selected: ["q1_o2"], own_text: "with a nightly" }] },
        age_ms: 41_250,
      },
    },
    set_do_not_ask: { params: { enabled: true }, result: { do_not_ask: true } },
    ask: {
      params: {
        key: "deploy-17",
        questions: [{ question: "Deploy now?", options: [{ label: "Yes" }, { label: "No" }] }],
        on_lost: "withdraw",
      },
      result: {
        request_id: askId,
        outcome: answered("2026-11-23T14:32:10.004Z"),
        answers: { "Deploy now?": "Yes" },
        items: [{ question_id: "q1", selected: ["q1_o1"] }],
      },
    },
    list_sessions: {
      params: { state: "kept", limit: 1 },
      result: { sessions: [keptSession], next: JSON.stringify([keptAt, keptSession.id]) },
    },
    create_session: { result: { session: otherSession } },
    close_session: { params: { session_id: otherSession.id }, result: {} },
    watch_sessions: { result: { sessions: [listed] } },
    unwatch_sessions: { result: {} },
    list_requests: {
      params: { kinds: ["question"], counts: true, limit: 1 },
      result: {
        counts: { all: 3214, kinds: { question: 3214, approval: 0 }, states: { open: 3200, kept: 14 } },
        requests: [waiting],
        next: JSON.stringify(["~", waiting.since, waiting.session_id, waiting.request_id]),
      },
    },
    watch_requests: { result: { requests: [waiting] } },
    unwatch_requests: { result: {} },
    list_decisions: {
      params: { text: "colour", limit: 1 },
      result: {
        decisions: [
          {
            ...{ at: "2026-11-23T14:32:33.582Z", asked_at: waiting.since, session_id: waiting.session_id },
            ...{ kind: "question", request_id: waiting.request_id, asked: waiting.text, status: "answered" },
            ...{ by: "human", answer: "Red", who: { id: "ann", name: "Ann", via: "token" }, client },
          },
        ],
        next: JSON.stringify([1_795_444_353_582, waiting.session_id, 4096]),
      },
    },
    claim: {
      params: { request_id: waiting.request_id, session_id: waiting.session_id },
      result: {
        by: { ...client, principal: { id: "ann", name: "Ann", via: "token" } },
        ...{ until: "2026-11-23T14:32:33.582Z", remaining_ms: 120_000, own: true },
      },
    },
    unclaim: {
      params: { request_id: waiting.request_id, session_id: waiting.session_id },
      result: {},
    },
    create_pairing_code: {
      params: { role: "answer", person: "Ann" },
      result: {
        code: "K7QMD-X2PFA",
        address: "https://ask.example",
        expires_in_ms: 600_000,
      },
    },
    await_pairing: {
      params: { code: "K7QMD-X2PFA" },
      result: { device: { id: "1o2sv6pf", name: "Chrome on Android" } },
    },
  },
  events: {
    TurnBegin: {
      payload: { user_input: "Set up the project", turn_id: turn, by: client },
      seq: 1,
      state: "running",
    },
    QuestionRequest: {
      payload: {
        id: questionId,
        tool_call_id: "call_1",
        questions: [
          {
            id: "q1",
            question,
            header: "",
            options: [
              { id: "q1_o1", label: "SQLite", description: "" },
              { id: "q1_o2", label: "PostgreSQL", description: "", recommended: true },
            ],
            multi_select: false,
            body: "",
            other_label: "",
            other_description: "",
            own_text: true,
            default: ["q1_o2"],
          },
        ],
        deadline,
      },
      seq: 6,
      state: "waiting",
    },
    InteractionUpdated: { payload: { request_id: questionId, deadline: null }, seq: 7 },
    InteractionSettled: {
      payload: {
        request_id: questionId,
        kind: "question",
        outcome: answered("2026-11-23T14:30:33.582Z"),
        response: { answers: { [question]: "PostgreSQL" }, items },
      },
      seq: 8,
      state: "running",
    },
    ApprovalRequest: {
      payload: {
        ...approval,
        options: [
          { id: "approve", label: "Approve", kind: "allow" },
          {
            id: "command",
            label: "Approve this command for this session",
            kind: "allow",
            scope: { kind: "command", value: shell.command, text: "this same command again too" },
          },
          { id: "reject", label: "Reject", kind: "reject" },
        ],
        edit: { content: shell.command, language: shell.language, max_length: 16384 },
      },
      seq: 13,
      state: "waiting",
    },
    TurnEnd: { payload: { turn_id: turn, by: client, status: "finished" }, seq: 24, state: "idle" },
    InteractionOpened: { payload: { request_id: askId, kind: "question" }, seq: 25, state: "waiting" },
    DoNotAsk: { payload: { enabled: true, by: client }, seq: 27 },
    CommandsChanged: {
      payload: { slash_commands: [{ name: "review", description: "Review the changes", aliases: [] }] },
      seq: 28,
    },
    PolicyDecided: {
      payload: {
        tool_call_id: "call_3",
        action: "run command",
        description: "Run `npm test`",
        response: "approve",
        rule: "decided_before",
      },
      seq: 29,
    },
    HistoryEnd: { payload: { whole: true }, replayed: true },
  },
  requests: {
    ToolCallRequest: {
      payload: { ...calledTool, request_id: "9a1d6f0e-4c3b-4f1a-8f8e-1b2c3d4e5f60" },
      response: {
        tool_call_id: "call_3",
        return_value: {
          is_error: false,
          output: "The file is open.",
          message: "",
          display: [],
          extras: null,
        },
      },
      seq: 17,
    },
    HookRequest: {
      payload: { request_id: "0f2e4d6c-8b1a-4c3d-9e5f-7a6b5c4d3e2f", id: hookId, ...hookedCall },
      response: { request_id: hookId, action: "allow", reason: "" },
      seq: 11,
    },
  },
  notifications: {
    alive: { seq: 27 },
    call_output: { tool_call_id: "call_1", text: "ok 11 - carts\nok 12 - prices\n", lines: 12 },
    sessions_changed: {
      sessions: [{ ...listed, state: "running", open: 0, oldest: undefined }],
      closed: [otherSession.id],
    },
    requests_changed: { requests: [], gone: [questionId] },
  },
};
