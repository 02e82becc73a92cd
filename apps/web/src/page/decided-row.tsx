import type { HeardDecision } from "@askwire/client/decisions";
import { exactText } from "@askwire/client/text";
import type { InboxWords } from "@askwire/react/inbox";
import type { ReactNode } from "react";

type Words = InboxWords["decided"];

/** A text of somebody else, whose direction is its own. */
const Said = ({ text }: { readonly text: string }): ReactNode => <bdi dir="auto">{exactText(text)}</bdi>;

interface RowProps {
  readonly row: HeardDecision;
  readonly words: Words;
  readonly locale: string;
}

/** A decision: what was asked and what came of it; opened, all that was shown and answered. */
export function DecidedRow({ row, words, locale }: RowProps): ReactNode {
  const { asked = "", answer = "", kind, at, title } = row;
  const end = endOf(row);
  return (
    <details className="decided" data-kind={kind}>
      <summary>
        <strong>{asked === "" ? words.unknown : <Said text={asked} />}</strong>
        <span className="end" data-end={end}>
          {(words.ends as Readonly<Record<string, string>>)[end] ?? <Said text={end} />}
        </span>
        {answer !== "" && kind === "question" && (
          <span className="answer">
            <Said text={answer} />
          </span>
        )}
        <small>
          <Said text={whoIn(row, words)} /> · <time dateTime={at}>{momentIn(at, locale)}</time>
          {title !== undefined && (
            <>
              {" "}
              · <Said text={title} />
            </>
          )}
        </small>
      </summary>
      <Whole row={row} words={words} locale={locale} />
    </details>
  );
}

/** The status of the outcome; of an approval that was answered, the answer. */
function endOf({ kind, status, response }: HeardDecision): string {
  if (kind !== "approval" || status !== "answered") return status;
  return Object(response).response === "reject" ? "rejected" : "approved";
}

function whoIn({ by, who, client, forgotten, rule }: HeardDecision, words: Words): string {
  if (rule !== undefined) return `${words.causes.policy}: ${rule}`;
  if (by !== undefined && Object.hasOwn(words.causes, by))
    return words.causes[by as keyof typeof words.causes];
  if (forgotten !== undefined) return words.removed;
  if (who?.name !== undefined) return `${who.name} (${who.device ?? who.via})`;
  return client === undefined ? words.somebody : words.saysToBe(client.name);
}

const momentIn = (at: string | undefined, locale: string): string =>
  at === undefined ? "" : new Date(at).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });

function Whole({ row, words, locale }: RowProps): ReactNode {
  const { parts } = words;
  const { answer, note, reason, rule, program, title, folder, digest, asked_at, at, session_id } = row;
  const told: readonly (readonly [name: string, text: string | undefined])[] = [
    [parts.answer, answer],
    [parts.note, note],
    [parts.reason, reason],
    [parts.rule, rule],
    [parts.who, whoIn(row, words)],
    [parts.asked, momentIn(asked_at, locale)],
    [parts.decided, momentIn(at, locale)],
    [parts.program, program],
    [parts.session, title ?? session_id],
    [parts.folder, folder],
    [parts.digest, digest],
  ];
  return (
    <dl>
      <dt>{parts.shown}</dt>
      <dd>
        <Shown row={row} />
      </dd>
      {told.map(([name, text]) =>
        text === undefined || text === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={name === parts.digest ? "digest" : undefined}>
              <Said text={text} />
            </dd>
          </div>
        ),
      )}
      {row.cut && <dd>{words.cut}</dd>}
    </dl>
  );
}

/** The questions with their options, or what was to be approved, as far as the row has them. */
function Shown({ row: { request, asked = "" } }: { readonly row: HeardDecision }): ReactNode {
  const { questions, action, description, options } = Object(request);
  const all: readonly unknown[] = Array.isArray(questions) ? questions : [];
  if (all.length > 0)
    return all.map((one, nth) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the questions of a decision never change
      <Choice key={nth} text={Object(one).question} options={Object(one).options} />
    ));
  const text = [action, description].filter((one) => typeof one === "string" && one !== "").join("\n");
  return <Choice text={text === "" ? asked : text} options={options} />;
}

function Choice({ text, options }: { readonly text: unknown; readonly options: unknown }): ReactNode {
  const labels = (Array.isArray(options) ? options : [])
    .map((option) => Object(option).label)
    .filter((label) => typeof label === "string");
  return (
    <>
      <p>
        <Said text={String(text ?? "")} />
      </p>
      {labels.length > 0 && (
        <ul>
          {labels.map((label) => (
            <li key={label}>
              <Said text={label} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
