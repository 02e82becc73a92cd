// A page that draws approvals with its own markup: what is approved, how far, and a step that rejects with words.
import { visibleText } from "@askwire/client/text";
import {
  type ApprovalWay,
  ConnectionLine,
  type OpenApproval,
  openRequests,
  useApprovalForm,
  useConnection,
  useStore,
} from "@askwire/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const { approval, event } = requests.handlers;

function OwnApproval(one: OpenApproval) {
  const { blocks, end, allows, rejects, hint, box, approve, step, why, reject, text } = useApprovalForm(one);
  return (
    <section {...box}>
      <h2 tabIndex={-1}>{visibleText(one.request.description)}</h2>
      {blocks.map((block) => (
        <pre key={JSON.stringify(block)}>
          {visibleText(JSON.stringify(block, null, 2))}
          <span {...end} />
        </pre>
      ))}
      {text && <textarea {...text} aria-label="What is approved" />}
      <Ways ways={why ? rejects : allows} />
      {why && <textarea {...why} aria-label="Why not?" />}
      <p role="status">{one.settled?.message ?? hint}</p>
      <button {...step}>{why ? "Back" : "Reject…"}</button>
      {reject && <button {...reject}>Reject</button>}
      {approve && <button {...approve}>Approve</button>}
    </section>
  );
}

/** The extents, where there are several: the narrowest is chosen. */
const Ways = ({ ways }: { readonly ways: readonly ApprovalWay[] }) =>
  ways.length < 2
    ? null
    : ways.map(({ label, covers, radio }) => (
        <label key={radio.id}>
          <input {...radio} /> {visibleText(label)} <small>{visibleText(covers)}</small>
        </label>
      ));

function Approvals({ address }: { readonly address: string }) {
  const shows = { approvalOptions: true, edits: true };
  const connection = useConnection(address, { shows, handlers: { approval, event } });
  const open = useStore(requests).filter((one) => one.kind === "approval");
  return (
    <>
      <ConnectionLine {...connection} />
      {open.map((one) => (
        <OwnApproval key={one.id} {...one} />
      ))}
    </>
  );
}

createRoot(document.getElementById("cards") as Element).render(
  <StrictMode>
    <Approvals address={location.hash.slice(1)} />
  </StrictMode>,
);
