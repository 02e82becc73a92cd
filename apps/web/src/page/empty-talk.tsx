import { visibleLine } from "@askwire/client/text";
import type { Language } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import type { ReactNode } from "react";
import { subjectOf, type Visit } from "../visits/visit.js";

/** The beginning of a conversation: suggestions that fill the prompt and send nothing, and a line on what the agent asks. */
export function EmptyTalk({
  visit,
  language,
}: {
  readonly visit: Visit;
  readonly language: Language;
}): ReactNode {
  const { connection, listed, requests, talk, fill } = visit;
  const { entries, isRunning, isComing } = useStore(talk);
  const outbox = useStore(connection.outbox);
  const open = useStore(requests);
  useStore(connection);
  useStore(listed);
  const session = connection.session();
  const isBegun = entries.length + outbox.length + open.length > 0 || isRunning;
  if (isBegun || session === undefined) return null;
  const { begin } = inboxWords[language];
  if (isComing)
    return (
      <p className="begin quiet" role="status">
        {begin.comes}
      </p>
    );
  if (!session.may("prompt")) return null;
  const { folder } = subjectOf(visit);
  return (
    <div className="begin">
      <h2>{begin.title(folder === undefined ? undefined : visibleLine(folder))}</h2>
      <p className="quiet">{begin.asks}</p>
      <ul>
        {begin.suggestions.map((text) => (
          <li key={text}>
            <button type="button" onClick={() => fill(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
