// A page that draws questions with its own markup: radio buttons, own words or a typed field, and a button to send.
import { visibleText } from "@askwire/client/text";
import {
  ConnectionLine,
  type OpenQuestion,
  openRequests,
  useConnection,
  useQuestionForm,
  useStore,
} from "@askwire/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

const requests = openRequests();
const { question, event } = requests.handlers;

function OwnQuestion(one: OpenQuestion) {
  const { question, form, box, option, ownWords, isLine, hint, goesOn, send, decline } = useQuestionForm(one);
  const asked = question?.question ?? `Send ${form.questions.length} answers?`;
  return (
    <section {...box}>
      <h2 tabIndex={-1}>{visibleText(asked)}</h2>
      {question?.options.map(({ id, label, description }, index) => (
        <label key={id}>
          <input {...option(index)} /> {visibleText(label)} <small>{visibleText(description)}</small>
        </label>
      ))}
      {ownWords && isLine && <input {...ownWords} aria-label="Answer" />}
      {ownWords && !isLine && <textarea {...ownWords} aria-label="In your own words" />}
      <p role="status">{one.settled?.message ?? hint}</p>
      <button {...send}>{goesOn ? "Next" : "Send"}</button>
      <button {...decline}>Decline</button>
      {one.settled && (
        <button type="button" onClick={one.onDismiss}>
          Close
        </button>
      )}
    </section>
  );
}

function Questions({ address }: { readonly address: string }) {
  const connection = useConnection(address, { shows: { fields: true }, handlers: { question, event } });
  const open = useStore(requests).filter((one) => one.kind === "question");
  return (
    <>
      <ConnectionLine {...connection} />
      {open.map((one) => (
        <OwnQuestion key={one.id} {...one} />
      ))}
    </>
  );
}

createRoot(document.getElementById("cards") as Element).render(
  <StrictMode>
    <Questions address={location.hash.slice(1)} />
  </StrictMode>,
);
