// A page with the conversation, the cards of its requests, and a place to write.
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import {
  ApprovalCard,
  cardAbilities,
  openRequests,
  PromptBox,
  QuestionCard,
  Transcript,
  talkWords,
  transcript,
  useStore,
} from "@askwire/react";
import { renderMarkdown } from "@askwire/react/markdown";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const store = transcript({ handlers: requests.handlers });

function Page({ session }: { readonly session: ClientSession }) {
  const [language, setLanguage] = useState<"en" | "zh">("en");
  const [isOff, setOff] = useState(false);
  const [draft, setDraft] = useState("");
  const conversation = useStore(store);
  const outbox = useStore(session.outbox);
  // For the test.
  Object.assign(globalThis, { setLanguage, setOff });
  const words = talkWords[language];
  return (
    <>
      <div style={{ display: "flex", height: "20rem" }}>
        <Transcript {...{ conversation, outbox, renderMarkdown, words }} />
      </div>
      {useStore(requests).map((one) =>
        one.kind === "question" ? (
          <QuestionCard key={one.id} {...one} />
        ) : (
          <ApprovalCard key={one.id} {...one} />
        ),
      )}
      <PromptBox
        onSend={(text) => session.outbox.say(text, store.prompting)}
        isRunning={conversation.isRunning}
        onCancel={session.cancel}
        planMode={session.status.plan_mode === true}
        onPlanMode={session.setPlanMode}
        commands={session.slashCommands}
        onDraft={setDraft}
        {...{ isOff, words }}
      />
      <output>{draft}</output>
    </>
  );
}

const session = await connectWebSocket(location.hash.slice(1), {
  client: { name: "page" },
  shows: cardAbilities,
  handlers: store.handlers,
  onConnection: (change) => void (change.state === "connected" && change.reset && store.reset()),
});
createRoot(document.getElementById("cards") as Element).render(<Page session={session} />);
