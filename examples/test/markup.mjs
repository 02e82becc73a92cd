// Each component as a server renders it, before there is a page: its name and its HTML, a line each.

import { coreQuestion, QuestionInputs } from "@askwire/protocol";
import * as components from "@askwire/react";
import { InboxList } from "@askwire/react/inbox";
import { Markdown } from "@askwire/react/markdown";
import { createElement } from "react";
import { renderToString } from "react-dom/server";

const nothing = () => {};
const requests = components.openRequests();
const { question, approval } = requests.handlers;
const context = () => ({
  signal: new AbortController().signal,
  issues: [],
  touch: nothing,
  onDelivery: nothing,
});

/** @param {string} id @param {import("@askwire/protocol").QuestionInput[]} asked */
function ask(id, ...asked) {
  const deadline = { at: "2026-01-01T00:01:00Z", remaining_ms: 60_000, on_expiry: "cancel" };
  void question(
    { id, tool_call_id: "t1", questions: QuestionInputs.parse(asked).map(coreQuestion), deadline },
    context(),
  );
}
const options = ["SQLite", "MySQL"].map((label) => ({ label, preview: "*It*" }));
ask("one", { question: "Which database?", options, body: "**Both** do." });
ask("two", { question: "Which?", options }, { question: "How many?", field: { type: "integer" } });
const difference = { path: "a.txt", old_text: "a", new_text: "b", old_start: 1, new_start: 1 };
void approval(
  {
    ...{ id: "three", sender: "Shell", action: "run", description: "Run it", tool_call_id: "t2" },
    ...{ source_kind: null, source_id: null, agent_id: null, subagent_type: null, source_description: null },
    display: [
      { type: "shell", command: "ls", language: "sh" },
      { type: "diff", ...difference, is_summary: false },
    ],
    edit: { content: "ls", max_length: 100 },
  },
  context(),
);

const talk = components.transcript();
talk.handlers.event({ type: "TurnBegin", payload: { user_input: "Set up the project" } });
talk.handlers.event({ type: "ContentPart", payload: { type: "text", text: "# Done\n\nIt works." } });
await Promise.resolve();
const list = requests.current();
const [asked] = list;
const session = {
  id: "s1",
  title: "Shop",
  state: "waiting",
  oldest: { text: "Which?", since: "2026-01-01" },
};
const row = {
  ...{ request_id: "r1", kind: "question", text: "Which?", since: "2026-01-01", state: "open" },
  session_id: "s1",
};

/** What Markdown has beside headings and lists. */
const everything = [
  "## Steps\n\n1. *one*\n2. **two** and `three`\n   - nested",
  "> quoted\n\n---\n\n[a link](https://example.com) ~~gone~~",
  "```sh\nls\n```\n\n| a | b |\n| :-- | --: |\n| 1 | 2 |\n\n- [x] done\n",
].join("\n\n");

/** @type {Record<string, [object, ...string[]][]>} */
const given = {
  QuestionCard: list.filter(({ kind }) => kind === "question").map((one) => [one]),
  ApprovalCard: list.filter(({ kind }) => kind === "approval").map((one) => [one]),
  ConnectionLine: [
    [{ link: { is: "connecting" } }],
    [{ link: { is: "lost", retryAt: 0, why: "" }, onRetry: nothing }],
  ],
  CardFold: [[{ request: asked }, "the card"]],
  ErrorBoundary: [[{ part: "The inbox" }, "the inbox"]],
  Failures: [[{}]],
  InboxList: [[{ onOpen: nothing }], [{ requests: [row], onOpen: nothing }]],
  Markdown: [[{ text: `# Plan\n\n- one\n- two\n\n${everything}` }]],
  OpenList: [[{ requests: [] }], [{ requests: list }]],
  PromptBox: [[{ onSend: nothing, isRunning: true, onCancel: nothing, onPlanMode: nothing, draft: "Go" }]],
  SessionList: [[{ sessions: [session], onOpen: nothing, onNew: nothing, onClose: nothing }]],
  Transcript: [[{ conversation: talk.current() }]],
};

/** @type {Record<string, any>} */
const faces = { ...components, InboxList, Markdown };
for (const [name, component] of Object.entries(faces)) {
  if (!/^[A-Z]/.test(name)) continue;
  if (given[name] === undefined) throw new Error(`${name}: there are no props for it here`);
  for (const [props, ...children] of given[name])
    console.log(name, renderToString(createElement(component, props, ...children)));
}
