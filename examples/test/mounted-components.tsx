// Each component of @askwire/react as docs/react.md pictures it: in the light, and beside it in the dark.
import type { ApprovalView } from "@askwire/client";
import { questionForm, reduceForm } from "@askwire/client/form";
import { coreQuestion, QuestionInputs } from "@askwire/protocol";
import {
  ApprovalCard,
  CardFold,
  ConnectionLine,
  connectionWords,
  ErrorBoundary,
  OpenList,
  openRequests,
  PromptBox,
  QuestionCard,
  SessionList,
  Transcript,
  transcript,
  useStore,
} from "@askwire/react";
import { InboxList } from "@askwire/react/inbox";
import { Markdown, renderMarkdown } from "@askwire/react/markdown";
import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

const nothing = () => {};
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const questions = QuestionInputs.parse([
  {
    question: "Which database should the shop use?",
    header: "Database",
    options: [
      { label: "SQLite (Recommended)", description: "One file, nothing to run" },
      { label: "PostgreSQL", description: "A server, for several machines" },
    ],
  },
]).map(coreQuestion);
const chosen = reduceForm(questionForm(questions), { type: "select", row: 0 });

const approval: ApprovalView = {
  ...{ id: "a1", tool_call_id: "t2", sender: "Shell", action: "run command" },
  description: "Runs the tests with the new database.",
  ...{ source_kind: null, source_id: null, agent_id: null, subagent_type: null, source_description: null },
  display: [{ type: "shell", language: "sh", command: "npm install better-sqlite3 && npm test" }],
};

const requests = openRequests();
const context = () => ({
  signal: new AbortController().signal,
  ...{ issues: [], touch: nothing, onDelivery: nothing },
});
void requests.handlers.question({ id: "q1", tool_call_id: "t1", questions }, context());
void requests.handlers.approval(approval, context());

const talk = transcript();
for (const event of [
  { type: "TurnBegin", payload: { user_input: "Keep the carts over a restart" } },
  { type: "ContentPart", payload: { type: "text", text: "Carts live in a `Map` in `src/cart.ts`." } },
  {
    type: "ToolCall",
    payload: {
      ...{ type: "function", id: "c1" },
      function: { name: "ReadFile", arguments: '{"path":"src/cart.ts"}' },
    },
  },
  {
    type: "ToolResult",
    payload: {
      tool_call_id: "c1",
      return_value: { is_error: false, output: "120 lines", message: "", display: [] },
    },
  },
  {
    type: "ContentPart",
    payload: { type: "text", text: "They need something that **two processes** open." },
  },
])
  talk.handlers.event(event as Parameters<typeof talk.handlers.event>[0]);

const sessions = [
  {
    ...{ id: "s1", title: "Keep the carts", state: "waiting", connections: 1, open: 1, folder: "~/shop" },
    oldest: {
      kind: "question",
      request_id: "q1",
      text: "Which database should the shop use?",
      since: ago(4),
    },
  },
  { id: "s2", title: "Reminder mails", state: "running", connections: 1, folder: "~/mails" },
] as unknown as Parameters<typeof SessionList>[0]["sessions"];

const waiting = [
  { ...{ request_id: "q1", kind: "question", text: "Which database should the shop use?" }, since: ago(4) },
  { ...{ request_id: "a1", kind: "approval", text: "Shell: npm test" }, since: ago(12) },
].map((one) => ({
  ...one,
  ...{ session_id: "s1", state: "open", title: "Keep the carts", folder: "~/shop" },
})) as unknown as NonNullable<Parameters<typeof InboxList>[0]["requests"]>;

const markdown =
  "### Steps\n\n1. Move the carts to **SQLite**\n2. Run `npm test`\n\n| Reader | File |\n| --- | --- |\n| Checkout | `src/a.ts` |";

function Conversation(): ReactNode {
  return (
    <div style={{ display: "flex", blockSize: "16rem" }}>
      <Transcript conversation={useStore(talk)} renderMarkdown={renderMarkdown} />
    </div>
  );
}

/** Puts its card aside at once. */
function Folded(): ReactNode {
  const [box, setBox] = useState<HTMLElement | null>(null);
  useEffect(() => {
    box?.querySelector<HTMLElement>("[aria-expanded=true]")?.click();
  }, [box]);
  const [first] = useStore(requests);
  return (
    <div ref={setBox}>
      {first && (
        <CardFold request={first}>
          <p>The card</p>
        </CardFold>
      )}
    </div>
  );
}

function Failing(): ReactNode {
  throw new Error("the list of sessions has an entry without an id");
}

const scenes: Readonly<Record<string, () => ReactNode>> = {
  ConnectionLine: () => (
    <ConnectionLine
      link={{ is: "lost", retryAt: performance.now() + 1e9, why: "" }}
      onRetry={nothing}
      words={{ ...connectionWords.en, nextTry: () => "Next try in 8 s" }}
    />
  ),
  QuestionCard: () => (
    <QuestionCard
      request={{ id: "q2", tool_call_id: "t1", questions }}
      draft={{ form: chosen }}
      onReply={nothing}
    />
  ),
  ApprovalCard: () => <ApprovalCard request={approval} onReply={nothing} />,
  Transcript: () => <Conversation />,
  PromptBox: () => <PromptBox onSend={nothing} onPlanMode={nothing} isRunning onCancel={nothing} />,
  SessionList: () => (
    <SessionList {...{ sessions }} current="s1" onOpen={nothing} onNew={nothing} onClose={nothing} />
  ),
  OpenList: () => <OpenList requests={useStore(requests)} />,
  CardFold: () => <Folded />,
  InboxList: () => <InboxList requests={waiting} onOpen={nothing} />,
  Markdown: () => <Markdown text={markdown} />,
  ErrorBoundary: () => (
    <ErrorBoundary part="The list of sessions">
      <Failing />
    </ErrorBoundary>
  ),
};

function Pane({
  scheme,
  scene: Scene,
}: {
  readonly scheme: "light" | "dark";
  readonly scene: () => ReactNode;
}) {
  return (
    <div
      className="askwire-tokens"
      style={{
        ...{ colorScheme: scheme, padding: "1rem", minInlineSize: 0 },
        background: "var(--askwire-ground)",
      }}
    >
      <Scene />
    </div>
  );
}

createRoot(document.getElementById("cards") as Element, { onCaughtError: nothing }).render(
  Object.entries(scenes).map(([name, scene]) => (
    <figure
      key={name}
      data-scene={name}
      style={{ display: "grid", gridTemplateColumns: "26rem 26rem", inlineSize: "52rem", margin: 0 }}
    >
      <Pane scheme="light" scene={scene} />
      <Pane scheme="dark" scene={scene} />
    </figure>
  )),
);
