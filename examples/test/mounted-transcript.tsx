// A page with the conversation above the cards of its requests.
import { connectWebSocket } from "@askwire/client/websocket";
import {
  ApprovalCard,
  cardAbilities,
  openRequests,
  QuestionCard,
  Transcript,
  talkWords,
  transcript,
  useOpenRequests,
  useTranscript,
} from "@askwire/react";
import { renderMarkdown } from "@askwire/react/markdown";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const store = transcript({ handlers: requests.handlers });

function Page() {
  const [language, setLanguage] = useState<"en" | "zh">("en");
  Object.assign(globalThis, { setLanguage });
  return (
    <>
      <div style={{ display: "flex", height: "20rem" }}>
        <Transcript
          conversation={useTranscript(store)}
          renderMarkdown={renderMarkdown}
          words={talkWords[language]}
        />
      </div>
      {useOpenRequests(requests).map((one) =>
        one.kind === "question" ? (
          <QuestionCard key={one.id} {...one} />
        ) : (
          <ApprovalCard key={one.id} {...one} />
        ),
      )}
    </>
  );
}

createRoot(document.getElementById("cards") as Element).render(<Page />);
const session = await connectWebSocket(location.hash.slice(1), {
  client: { name: "page" },
  shows: cardAbilities,
  handlers: store.handlers,
  onConnection: (change) => void (change.state === "connected" && change.reset && store.reset()),
});
// For the test, which prompts and acts in the page's name.
Object.assign(globalThis, {
  prompt: (text: string) => void store.prompting(session.prompt(text)).result.catch(() => {}),
  session,
});
