// Cards that stay on their page after their replies. The first reply is refused; the page's title is the last reply.
import type { ApprovalView, QuestionView, RequestContext } from "@askwire/client";
import { questionForm, reduceForm } from "@askwire/client/form";
import { ApprovalCard, cardWords, QuestionCard } from "@askwire/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const request: QuestionView = {
  ...{ id: "r-1", tool_call_id: "call-1" },
  questions: [
    {
      ...{ id: "q1", question: "哪个名字？", header: "", options: [], multi_select: false, own_text: true },
      ...{ body: "", other_label: "", other_description: "" },
    },
  ],
};
const refusal = [{ question_id: "q1", message: "expected a shorter name", code: "pattern" }];

const approval: ApprovalView = {
  ...{
    id: "r-2",
    tool_call_id: "call-2",
    sender: "Shell",
    action: "run command",
    description: "",
    display: [],
  },
  ...{ source_kind: null, source_id: null, agent_id: null, subagent_type: null, source_description: null },
};
const notTaken = [{ question_id: null, message: "expected words in English", code: "unexpected" }];

/** Refuses the first reply of a card. */
function useRefusal(first: typeof refusal | typeof notTaken) {
  const [issues, setIssues] = useState<RequestContext["issues"]>([]);
  const onReply = (reply: unknown) => {
    document.title = JSON.stringify(reply);
    setIssues((before) => (before.length === 0 ? (first as RequestContext["issues"]) : before));
  };
  return { issues, onReply, words: cardWords.zh };
}

const questions = (question: string) =>
  request.questions.map((one) => ({ ...one, question, header: question }));

/** A server that comes to ask something else under the same id. */
function Changing() {
  const [question, setQuestion] = useState("Which fruit?");
  return (
    <>
      <QuestionCard request={{ ...request, id: "r-3", questions: questions(question) }} onReply={() => {}} />
      <button type="button" onClick={() => setQuestion("Which file may I delete?")}>
        Ask otherwise
      </button>
    </>
  );
}

const dated: QuestionView = {
  ...{ id: "r-5", tool_call_id: "call-5" },
  questions: request.questions.map((one) => ({ ...one, question: "Since when?", field: { type: "date" } })),
};
/** Work on a date by somebody who had no calendar. */
const inWords = reduceForm(questionForm(dated.questions), { type: "set", text: "last March", caret: 10 });

const deadline = (at: string) => ({ at, remaining_ms: 58_000, on_expiry: "cancel" }) as const;

/** A question whose time stands still, since somebody else has begun, and runs anew once they are gone. */
function Timed() {
  const [now, setNow] = useState<ReturnType<typeof deadline> | null>(null);
  const [begun, setBegun] = useState(0);
  return (
    <div id="timed">
      <QuestionCard
        request={{ ...request, id: "r-4", questions: questions("When?") }}
        deadline={now}
        onBegin={() => setBegun((count) => count + 1)}
        onReply={() => {}}
      />
      <button type="button" onClick={() => setNow(deadline("2026-01-01T00:00:00Z"))}>
        They leave
      </button>
      <p>told {begun} times</p>
    </div>
  );
}

const Mounted = () => (
  <>
    <Timed />
    <Changing />
    <QuestionCard request={dated} draft={{ form: inWords }} onReply={() => {}} />
    <QuestionCard request={request} {...useRefusal(refusal)} />
    <ApprovalCard request={approval} {...useRefusal(notTaken)} />
  </>
);

createRoot(document.getElementById("cards") as Element).render(<Mounted />);
