"use client";

import { requestsInOrder } from "@askwire/client";
import {
  addressedIn,
  approvalsIn,
  claimIn,
  type InboxWords,
  inboxWords,
  whoActs,
} from "@askwire/client/words/inbox";
import type { HeardRequest } from "@askwire/protocol";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import { useNow } from "../hooks/use-now.js";
import { everything, InboxFilter, isWanted } from "./inbox-filter.js";
import { folderName } from "./session-groups.js";

/** The props of an {@link InboxList}. */
export interface InboxListProps<Row extends HeardRequest = HeardRequest> {
  /** All that waits, as `useWaitingRequests` gives it. Undefined: it is not known yet. */
  readonly requests: readonly Row[] | undefined;
  /** The number of all that waits, where that is more than `requests` has. Default: their number. */
  readonly all?: number | undefined;
  /** Leads to the session of a request, and to its card there. */
  onOpen(row: Row): void;
  /** The name of the server of a request, where there are several. Default: none is named. */
  serverOf?(row: Row): string | undefined;
  /** True for the row whose card is open beside the list. Default: none is. */
  isCurrent?(row: Row): boolean;
  /**
   * Takes a request for the person, or gives it back, as `claim` and `unclaim` of the client do: a row then has a button.
   * A promise that rejects says why not. Undefined for a row of a server where nobody can. Default: no row has one.
   */
  claimOf?(row: Row): ((takes: boolean) => Promise<unknown>) | undefined;
  /** Shown where nothing waits, below the words that say so. Default: nothing. */
  readonly children?: ReactNode;
  /** The words of the component. Default: English, `inboxWords.en`. */
  readonly words?: InboxWords;
}

/**
 * All that waits for a person, over all sessions: what has a deadline first, then the oldest. More than four can be
 * searched, and narrowed to a kind. Of more than fifty, the first are shown, with their number and that of all.
 */
export function InboxList<Row extends HeardRequest>(props: InboxListProps<Row>): ReactNode {
  const { words = inboxWords.en } = props;
  return (
    <ErrorBoundary part={words.list} words={words.failure}>
      <Inbox {...props} words={words} />
    </ErrorBoundary>
  );
}

function Inbox<Row extends HeardRequest>({
  requests,
  all: waiting = 0,
  children,
  words,
  ...row
}: InboxListProps<Row> & { readonly words: InboxWords }): ReactNode {
  const id = useId();
  const now = useNow(SECOND_MS);
  const [wanted, setWanted] = useState(everything);
  const all = requestsInOrder(requests ?? []);
  const found = all.filter((one) => isWanted(one, wanted));
  const [most, setMost] = useState(STEP);
  const rows = found.slice(0, most);
  const left = found.length - rows.length;
  const count = Math.max(all.length, waiting);
  const groups = [
    [words.due, rows.filter(({ deadline }) => deadline !== undefined)],
    [words.oldest, rows.filter(({ deadline }) => deadline === undefined)],
  ] as const;
  return (
    <section className="askwire askwire-inbox" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {words.title}
      </h2>
      <p className="askwire-unseen" role="status">
        {requests === undefined ? "" : all.length === 0 ? words.empty : words.way(count)}
      </p>
      {requests === undefined && <p>{words.loading}</p>}
      {(all.length > FEW || wanted !== everything) && (
        <ErrorBoundary part={words.filter.search} words={words.failure} isQuiet>
          <InboxFilter
            {...{ id, wanted, words, count }}
            rows={all}
            shown={rows.length}
            onChange={(wish) => {
              setWanted(wish);
              setMost(STEP);
            }}
          />
        </ErrorBoundary>
      )}
      {requests !== undefined && all.length === 0 && (
        <div className="askwire-empty">
          <p>{words.empty}</p>
          {children}
        </div>
      )}
      {groups.map(([name, some]) =>
        some.length === 0 ? null : (
          <Group key={name} name={name}>
            {some.map((one) => (
              <li key={`${row.serverOf?.(one) ?? ""} ${one.session_id} ${one.request_id}`}>
                <ErrorBoundary part={words.row} words={words.failure} isQuiet>
                  <Row {...row} {...{ one, now, words }} />
                </ErrorBoundary>
              </li>
            ))}
          </Group>
        ),
      )}
      {left > 0 && (
        <button type="button" className="askwire-plain" onClick={() => setMost(most + STEP)}>
          {words.more(Math.min(STEP, left), left)}
        </button>
      )}
    </section>
  );
}

const SECOND_MS = 1_000;
/** The most requests that a look takes in. */
const FEW = 4;
/** The requests that are shown at first, and that come with each wish for more. */
const STEP = 50;

function Group({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <>
      <h3 id={id}>{name}</h3>
      <ul aria-labelledby={id} onKeyDown={walk}>
        {children}
      </ul>
    </>
  );
}

/** Goes up and down the rows by the arrows, over all groups. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const rows = [
    ...(event.currentTarget.closest(".askwire-inbox")?.querySelectorAll<HTMLElement>("li > button") ?? []),
  ];
  const here = (event.target as HTMLElement).closest("li");
  const next = rows[rows.findIndex(({ parentElement }) => parentElement === here) + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function Row<One extends HeardRequest>({
  one,
  now,
  words,
  onOpen,
  serverOf,
  isCurrent,
  claimOf,
}: Pick<InboxListProps<One>, "onOpen" | "serverOf" | "isCurrent" | "claimOf"> & {
  readonly one: One;
  readonly now: number;
  readonly words: InboxWords;
}): ReactNode {
  const { kind, text, title, folder = "", host = "", program, answering = [], since, deadline, state } = one;
  const place = [title ?? words.untitled, words.place(folderName(folder), host), serverOf?.(one)];
  const left = deadline === undefined ? undefined : Math.ceil((Date.parse(deadline) - now) / SECOND_MS);
  const age = Math.max(0, Math.floor((now - Date.parse(since)) / SECOND_MS));
  const id = useId();
  const taken = claimIn(answering);
  const others = answering.filter((other) => other !== taken?.by);
  const { names, mayAnswer, isEscalated } = addressedIn(one);
  const approvals = approvalsIn(one, words.somebodyIn);
  const claim = mayAnswer ? claimOf?.(one) : undefined;
  const row = (
    <button
      type="button"
      className="askwire-waiting"
      data-kind={kind}
      aria-current={isCurrent?.(one) || undefined}
      onClick={() => onOpen(one)}
    >
      <small className="askwire-kind">{kind === "approval" ? words.approval : words.question}</small>
      <strong id={id}>
        <Foreign text={kind === "approval" ? words.told(text) : text} />
      </strong>
      <small>
        <Foreign text={place.filter((part) => part !== undefined && part !== "").join(" · ")} />
      </small>
      <small className="askwire-times">
        {left !== undefined && <b className="askwire-due">{words.left(left)} </b>}
        <span>{words.since(age)}</span>
        {program !== undefined && (
          <span>
            {" "}
            <Foreign text={words.asks(program)} />
          </span>
        )}
        {taken !== undefined && (
          <span>
            {" "}
            {taken.isOwn ? (
              words.isOwn
            ) : (
              <Foreign text={words.isTaken(whoActs(taken.by, words.somebodyIn))} />
            )}
          </span>
        )}
        {others.length > 0 && (
          <span>
            {" "}
            <Foreign text={words.isAnswering(others.map((one) => whoActs(one, words.somebodyIn)))} />
          </span>
        )}
        {names.length > 0 && (
          <span>
            {" "}
            <Foreign text={mayAnswer ? words.isFor(names) : words.isForOthers(names)} />
          </span>
        )}
        {isEscalated && <span> {words.escalated}</span>}
        {approvals !== undefined && (
          <span>
            {" "}
            <Foreign text={words.mustApprove(approvals.needed, approvals.names)} />
          </span>
        )}
        {state === "kept" && <span> {words.kept}</span>}
      </small>
    </button>
  );
  if (claim === undefined) return row;
  return (
    <>
      {row}
      <Claim {...{ claim, words }} of={id} isOwn={taken?.isOwn === true} isFree={taken === undefined} />
    </>
  );
}

/** Takes a request, or gives it back. What another person has taken has no button: it can be answered all the same. */
function Claim({
  claim,
  of,
  isOwn,
  isFree,
  words,
}: {
  readonly claim: (takes: boolean) => Promise<unknown>;
  /** The id of the element with the text of the request. */
  readonly of: string;
  readonly isOwn: boolean;
  readonly isFree: boolean;
  readonly words: InboxWords;
}): ReactNode {
  const [problem, setProblem] = useState("");
  const act = () => {
    setProblem("");
    claim(!isOwn).catch((error: unknown) =>
      setProblem(words.notDone(error instanceof Error ? error.message : String(error))),
    );
  };
  return (
    <div className="askwire-claim">
      {(isOwn || isFree) && (
        <button type="button" className="askwire-plain" aria-describedby={of} onClick={act}>
          {isOwn ? words.giveBack : words.take}
        </button>
      )}
      <span role="status">{problem !== "" && <Foreign text={problem} />}</span>
    </div>
  );
}
