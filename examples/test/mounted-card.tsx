// A card that stays on its page after its reply. The first reply is refused; the page's title is what was replied last.
import type { QuestionReply, QuestionView, RequestContext } from "@askwire/client";
import { cardWords, QuestionCard } from "@askwire/react";
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

function Mounted() {
  const [issues, setIssues] = useState<RequestContext["issues"]>([]);
  const onReply = (reply: QuestionReply) => {
    document.title = JSON.stringify(reply);
    setIssues((before) => (before.length === 0 ? (refusal as RequestContext["issues"]) : before));
  };
  return <QuestionCard {...{ request, issues, onReply }} words={cardWords.zh} />;
}

createRoot(document.getElementById("cards") as Element).render(<Mounted />);
