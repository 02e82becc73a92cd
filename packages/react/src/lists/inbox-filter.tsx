import { addressedIn, type InboxWords } from "@askwire/client/words/inbox";
import type { HeardRequest } from "@askwire/protocol";
import type { ReactNode } from "react";
import { folderName } from "./session-groups.js";

/** The part of all that waits which a person wants to see: by words, and by kind, state or person. */
export interface InboxWish {
  readonly text: string;
  readonly kind: "all" | "mine" | "toMe" | "question" | "approval" | "kept";
}

/** The wish of a person who has none: all is shown. */
export const everything: InboxWish = { text: "", kind: "all" };

/** True for a request that is wanted: each word is in its text, its session, its folder, its host or its program. */
export function isWanted(one: HeardRequest, { text, kind }: InboxWish): boolean {
  const { title = "", folder = "", host = "", program = "" } = one;
  const all = [one.text, title, folderName(folder), host, program].join(" ").toLowerCase();
  const words = text.toLowerCase().split(/\s+/);
  return isOfKind(one, kind) && words.every((word) => all.includes(word));
}

const isOfKind = (one: HeardRequest, kind: InboxWish["kind"]): boolean =>
  kind === "all" ||
  one.kind === kind ||
  (kind === "kept" && one.state === "kept") ||
  (kind === "toMe" && addressedIn(one).isToMe) ||
  (kind === "mine" && one.mine === true);

/** A field to search what waits, and a choice of its kinds, each with its number. */
export function InboxFilter({
  id,
  rows,
  count,
  shown,
  wanted,
  onChange,
  words: { filter },
}: {
  readonly id: string;
  /** All that waits. */
  readonly rows: readonly HeardRequest[];
  /** The number of all that waits, which may be more. */
  readonly count: number;
  /** The number of those that are shown. */
  readonly shown: number;
  readonly wanted: InboxWish;
  onChange(wanted: InboxWish): void;
  readonly words: InboxWords;
}): ReactNode {
  const whole = (kind: InboxWish["kind"]) => (kind === "all" ? count : 0);
  const kinds = (Object.keys(filter.kinds) as InboxWish["kind"][]).map((kind) => ({
    kind,
    some: Math.max(whole(kind), rows.filter((one) => isOfKind(one, kind)).length),
  }));
  return (
    <search className="askwire-filter">
      <input
        type="search"
        dir="auto"
        aria-label={filter.search}
        placeholder={filter.search}
        value={wanted.text}
        onChange={({ target }) => onChange({ ...wanted, text: target.value })}
      />
      <fieldset className="askwire-segment">
        <legend className="askwire-unseen">{filter.kind}</legend>
        {kinds
          .filter(({ kind, some }) => kind === "all" || kind === wanted.kind || some > 0)
          .map(({ kind, some }) => (
            <label key={kind}>
              <input
                type="radio"
                name={`${id}k`}
                checked={wanted.kind === kind}
                onChange={() => onChange({ ...wanted, kind })}
              />
              {filter.kinds[kind]} {some}
            </label>
          ))}
      </fieldset>
      <p role="status">{shown < count && filter.found(shown, count)}</p>
    </search>
  );
}
