import type { ClientSession } from "@askwire/client";
import { tellsDecisions, type WantedDecisions } from "@askwire/client/decisions";
import { ErrorBoundary } from "@askwire/react/cards";
import { inboxWords } from "@askwire/react/inbox";
import { type ReactNode, useId, useMemo, useState } from "react";
import type { Visit } from "../visits/visit.js";
import { DecidedExport } from "./decided-export.js";
import { DecidedRow } from "./decided-row.js";
import type { AllWords } from "./parts.js";
import { useDecisions } from "./use-decisions.js";

/** The choice of a person, as its fields have it. */
const everything = { text: "", kind: "all", who: "", from: "", to: "" };
type Wish = typeof everything;

const sessionOf = ({ connection }: Visit) => connection.session();

/** The decisions of a server's sessions, to be searched, read and exported. */
export default function Decided({
  visits,
  words: { language },
}: {
  readonly visits: readonly Visit[];
  readonly words: AllWords;
}): ReactNode {
  const words = inboxWords[language];
  const { decided } = words;
  const telling = visits.filter((one) => {
    const session = sessionOf(one);
    return session !== undefined && tellsDecisions(session);
  });
  const [origin, setOrigin] = useState("");
  const visit = telling.find(({ server }) => server.origin === origin) ?? telling[0];
  const session = visit && sessionOf(visit);
  return (
    <section className="askwire askwire-inbox" aria-label={decided.title}>
      {telling.length > 1 && (
        <label className="server-choice">
          {decided.server}
          <select value={visit?.server.origin} onChange={({ target }) => setOrigin(target.value)}>
            {telling.map(({ server }) => (
              <option key={server.origin} value={server.origin}>
                {new URL(server.origin).host}
              </option>
            ))}
          </select>
        </label>
      )}
      {session !== undefined && (
        <ErrorBoundary key={visit?.server.origin} part={decided.title} words={words.failure}>
          <List session={session} words={decided} locale={language} />
        </ErrorBoundary>
      )}
    </section>
  );
}

/** The midnight at which a day begins here, or so many days after it, in ISO 8601. */
function midnight(day: string, later = 0): string | undefined {
  const [year, month, date] = day.split("-").map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const at = new Date(year, month - 1, date + later);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

function wantedBy({ text, kind, who, from, to }: Wish): WantedDecisions {
  const [since, until] = [midnight(from), midnight(to, 1)];
  return {
    ...(text.trim() !== "" && { text: text.trim() }),
    ...(kind !== "all" && { kinds: [kind as "question" | "approval"] }),
    ...(who.trim() !== "" && { who: who.trim() }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

function List({
  session,
  words,
  locale,
}: {
  readonly session: ClientSession;
  readonly words: (typeof inboxWords)["en"]["decided"];
  readonly locale: string;
}): ReactNode {
  const [wish, setWish] = useState(everything);
  const wanted = useMemo(() => wantedBy(wish), [wish]);
  const [{ is, rows, next, why = "" }, readOn] = useDecisions(session, wanted);
  const none = wish === everything ? words.none : words.noneFound;
  return (
    <>
      <Filter wish={wish} words={words} onChange={setWish} />
      <DecidedExport {...{ session, wanted, words }} />
      <p className="askwire-unseen" role="status">
        {is === "reading" ? words.looking : rows.length === 0 ? "" : words.shown(rows.length)}
      </p>
      <ul className="decisions">
        {rows.map((row, nth) => (
          <li key={`${row.session_id} ${row.request_id ?? row.tool_call_id ?? nth} ${row.at}`}>
            <DecidedRow {...{ row, words, locale }} />
          </li>
        ))}
      </ul>
      {is === "reading" && <p>{words.looking}</p>}
      {is === "here" && rows.length === 0 && <p className="askwire-empty">{none}</p>}
      {is === "failed" && <p role="alert">{words.failed(why)}</p>}
      {(is === "failed" || (is === "here" && next !== undefined)) && (
        <button type="button" className="askwire-plain" onClick={readOn}>
          {is === "failed" ? words.again : words.more}
        </button>
      )}
    </>
  );
}

function Filter({
  wish,
  words,
  onChange,
}: {
  readonly wish: Wish;
  readonly words: (typeof inboxWords)["en"]["decided"];
  onChange(wish: Wish): void;
}): ReactNode {
  const id = useId();
  const field = (name: "who" | "from" | "to", type: string) => (
    <label>
      {words[name]}
      <input
        type={type}
        dir="auto"
        maxLength={200}
        value={wish[name]}
        onChange={({ target }) => onChange({ ...wish, [name]: target.value })}
      />
    </label>
  );
  return (
    <search className="askwire-filter">
      <input
        type="search"
        dir="auto"
        maxLength={200}
        aria-label={words.search}
        placeholder={words.search}
        value={wish.text}
        onChange={({ target }) => onChange({ ...wish, text: target.value })}
      />
      <fieldset className="askwire-segment">
        <legend className="askwire-unseen">{words.kind}</legend>
        {Object.entries(words.kinds).map(([kind, name]) => (
          <label key={kind}>
            <input
              type="radio"
              name={id}
              checked={wish.kind === kind}
              onChange={() => onChange({ ...wish, kind })}
            />
            {name}
          </label>
        ))}
      </fieldset>
      <div className="fields">
        {field("who", "text")}
        {field("from", "date")}
        {field("to", "date")}
      </div>
    </search>
  );
}
