import type { PushWords } from "@askwire/client/push-words";
import type { ReactNode } from "react";
import type { DeviceChoices, PushCall, QuietSpan } from "../push/push-calls.js";
import type { Visits } from "../visits/visits.js";

/** The hours that are offered first. */
const NIGHT = { from: "22:00", until: "07:00" };

/** The choices about notifications that are on: when, of which sessions, and a test. */
export function PushChoicesPart({
  choices: { quiet, muted },
  words,
  call,
  places,
}: {
  readonly choices: DeviceChoices;
  readonly words: PushWords;
  readonly call: (asked: PushCall) => Promise<void>;
  readonly places: Visits;
}): ReactNode {
  const place = places.current();
  const session = place.is === "session" ? place.visit.connection.session()?.id : undefined;
  const setQuiet = (hours: Pick<QuietSpan, "from" | "until"> | null) => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return call({ do: "choose", quiet: hours === null ? null : { ...hours, zone: timeZone } });
  };
  const time = (end: "from" | "until") =>
    quiet !== null && (
      <label>
        {words[end]}
        <input
          type="time"
          value={quiet[end]}
          onChange={({ target: { value } }) =>
            value !== "" && void setQuiet({ from: quiet.from, until: quiet.until, [end]: value })
          }
        />
      </label>
    );
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ target }) => void setQuiet(target.checked ? NIGHT : null)}
        />
        {words.quiet}
      </label>
      {time("from")}
      {time("until")}
      {quiet !== null && <p className="quiet">{words.later}</p>}
      {session !== undefined && (
        <label>
          <input
            type="checkbox"
            checked={muted.includes(session)}
            onChange={({ target }) =>
              void call({
                do: "choose",
                muted: [
                  ...muted.filter((one) => one !== session).slice(-99),
                  ...(target.checked ? [session] : []),
                ],
              })
            }
          />
          {words.mute}
        </label>
      )}
      <button type="button" onClick={() => void call({ do: "test" })}>
        {words.test}
      </button>
    </>
  );
}
