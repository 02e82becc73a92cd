// A page of nothing but cards: it answers an agent's questions and approvals.
import { connectWebSocket } from "@askwire/client/websocket";
import { ApprovalCard, cardAbilities, openRequests, QuestionCard, useStore } from "@askwire/react";
import { createRoot } from "react-dom/client";

const requests = openRequests();

const Cards = () =>
  useStore(requests).map((one) =>
    one.kind === "question" ? <QuestionCard key={one.id} {...one} /> : <ApprovalCard key={one.id} {...one} />,
  );

createRoot(document.getElementById("cards") as Element).render(<Cards />);
await connectWebSocket(location.hash.slice(1), { shows: cardAbilities, handlers: requests.handlers });
