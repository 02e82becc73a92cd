// A page with the sessions of the server, the list of what is open, and cards that can be put aside.
import type { ClientSession } from "@askwire/client";
import { connectWebSocket } from "@askwire/client/websocket";
import {
  ApprovalCard,
  CardFold,
  cardAbilities,
  OpenList,
  openRequests,
  QuestionCard,
  SessionList,
  useSessions,
  useStore,
} from "@askwire/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();

function Page({ session }: { readonly session: ClientSession }) {
  const { sessions = [] } = useSessions(session);
  const open = useStore(requests);
  const [opened, setOpened] = useState("");
  return (
    <>
      <SessionList
        sessions={sessions}
        current={session.id ?? ""}
        onOpen={setOpened}
        onNew={async () => setOpened((await session.createSession()).id)}
        onClose={session.closeSession}
      />
      <output>{opened}</output>
      <OpenList requests={open} />
      {open.map((one) => (
        <CardFold key={one.id} request={one}>
          {one.kind === "question" ? <QuestionCard {...one} /> : <ApprovalCard {...one} />}
        </CardFold>
      ))}
    </>
  );
}

const session = await connectWebSocket(location.hash.slice(1), {
  shows: cardAbilities,
  handlers: requests.handlers,
});
createRoot(document.getElementById("cards") as Element).render(<Page session={session} />);
