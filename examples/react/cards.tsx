// A page of nothing but cards: it answers an agent's questions and approvals, and says how its connection is.
import {
  ApprovalCard,
  ConnectionLine,
  cardAbilities,
  openRequests,
  QuestionCard,
  useConnection,
  useStore,
} from "@askwire/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();

function Cards({ address }: { readonly address: string }) {
  const connection = useConnection(address, { shows: cardAbilities, handlers: requests.handlers });
  return (
    <>
      <ConnectionLine {...connection} onReload={() => location.reload()} />
      {useStore(requests).map((one) =>
        one.kind === "question" ? (
          <QuestionCard key={one.id} {...one} />
        ) : (
          <ApprovalCard key={one.id} {...one} />
        ),
      )}
    </>
  );
}

createRoot(document.getElementById("cards") as Element).render(
  <StrictMode>
    <Cards address={location.hash.slice(1)} />
  </StrictMode>,
);
