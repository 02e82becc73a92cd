// A page with the whole conversation: it shows what the agent does, answers what is asked, and has a place to write.
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import {
  ApprovalCard,
  CardFold,
  cardAbilities,
  openRequests,
  PromptBox,
  QuestionCard,
  Transcript,
  transcript,
  useStore,
} from "@askwire/react";
import { renderMarkdown } from "@askwire/react/markdown";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const talk = transcript({ handlers: requests.handlers });

function Conversation({ session }: { readonly session: ClientSession }) {
  const conversation = useStore(talk);
  const open = useStore(requests);
  const outbox = useStore(session.outbox);
  return (
    <>
      <Transcript conversation={conversation} outbox={outbox} renderMarkdown={renderMarkdown} />
      {open.map((one) => (
        <CardFold key={one.id} request={one}>
          {one.kind === "question" ? (
            <QuestionCard {...one} renderMarkdown={renderMarkdown} />
          ) : (
            <ApprovalCard {...one} />
          )}
        </CardFold>
      ))}
      <PromptBox
        onSend={(text) => session.outbox.say(text, talk.prompting)}
        isRunning={conversation.isRunning}
        onCancel={session.cancel}
        planMode={session.status.plan_mode === true}
        onPlanMode={session.setPlanMode}
        commands={session.slashCommands}
      />
    </>
  );
}

const session = await connectWebSocket(location.hash.slice(1), {
  shows: cardAbilities,
  handlers: talk.handlers,
  onConnection: (change) => void (change.state === "connected" && change.reset && talk.reset()),
});
createRoot(document.getElementById("cards") as Element).render(<Conversation session={session} />);
