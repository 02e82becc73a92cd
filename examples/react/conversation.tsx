// A page with the whole conversation: it shows what the agent does, answers what is asked, and has a place to write.
import type { ClientSession, Delivery } from "@askwire/client";
import {
  ApprovalCard,
  CardFold,
  ConnectionLine,
  cardAbilities,
  openRequests,
  PromptBox,
  QuestionCard,
  Transcript,
  transcript,
  useConnection,
  useStore,
} from "@askwire/react";
import { renderMarkdown } from "@askwire/react/markdown";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const talk = transcript({ handlers: requests.handlers });

function Page({ address }: { readonly address: string }) {
  const { session, ...connection } = useConnection(address, {
    shows: cardAbilities,
    handlers: talk.handlers,
    onConnection: (change) => void (change.state === "connected" && change.reset && talk.reset()),
  });
  return (
    <>
      <ConnectionLine {...connection} onReload={() => location.reload()} />
      {session && <Conversation session={session} outbox={connection.outbox} />}
    </>
  );
}

function Conversation({
  session,
  outbox,
}: {
  readonly session: ClientSession;
  readonly outbox: readonly Delivery[];
}) {
  const conversation = useStore(talk);
  const open = useStore(requests);
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

createRoot(document.getElementById("cards") as Element).render(
  <StrictMode>
    <Page address={location.hash.slice(1)} />
  </StrictMode>,
);
