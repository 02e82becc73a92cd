import { type TalkWords, whoAnswered } from "@askwire/client/words";
import { type ApprovalKind, isLasting } from "@askwire/protocol";
import type { ReactNode } from "react";
import { Choices } from "../cards/choices.js";
import { Foreign } from "../cards/foreign-text.js";
import { Icon } from "../looks/icon.js";
import type { EntryOf, Settled } from "./entries.js";
import { Lines } from "./folded.js";

/** A question or approval, and behind `↩` what came of it. */
export function AskedRow({
  entry: { about, isApproval, settled },
  isTold,
  onlyClient,
  words,
}: {
  readonly entry: EntryOf<"asked">;
  /** True where the row of a call says what is approved: it is not said again. */
  readonly isTold: boolean;
  /** The name of the client that alone answers, which goes without saying. Default: there are several. */
  readonly onlyClient?: string | undefined;
  readonly words: TalkWords;
}): ReactNode {
  const answers = settled?.answers ?? [];
  const who = isAlone(settled, onlyClient) ? undefined : whoAnswered(settled?.outcome, words.somebodyIn);
  const asked =
    answers.length > 0 ? answers.map(([question]) => question) : isTold ? about.slice(0, 1) : about;
  return (
    <div
      className="askwire-asked"
      data-open={settled === undefined || undefined}
      data-unanswered={isUnanswered(settled) || undefined}
    >
      <Icon
        name={
          settled !== undefined
            ? isUnanswered(settled)
              ? "cross"
              : "check"
            : isApproval
              ? "command"
              : "question"
        }
      />
      <div>
        <p className="askwire-unseen">{words.asked(isApproval)}</p>
        {asked.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: questions of one request never move
          <div key={index}>
            <Lines text={isApproval ? words.told(text) : text} />
            {answers[index] !== undefined && <Answer choices={answers[index][1]} />}
          </div>
        ))}
        {settled?.notes?.map((note) => (
          <p key={note}>
            <Icon name="note" /> <Foreign text={note} />
          </p>
        ))}
        {settled?.pictures !== undefined && (
          <p>
            <Icon name="picture" /> {words.pictures(settled.pictures)}
          </p>
        )}
        {settled !== undefined && answers.length === 0 && <End settled={settled} words={words} />}
        {who !== undefined && (
          <small>
            <Foreign text={words.by(who, settled?.outcome?.degraded)} />
          </small>
        )}
      </div>
    </div>
  );
}

/** True where the only client answered, and nobody is named in addition to it. */
const isAlone = (settled: Settled | undefined, onlyClient: string | undefined): boolean =>
  onlyClient !== undefined &&
  settled?.outcome?.client?.name === onlyClient &&
  whoAnswered({ ...settled.outcome, client: undefined }, () => "") === undefined;

/** True for a request that ended without a yes. */
const isUnanswered = (settled: Settled | undefined): boolean =>
  settled?.approval?.response === "reject" ||
  (settled !== undefined &&
    settled.approval === undefined &&
    settled.outcome?.status !== "answered" &&
    !settled.answers);

/** An answer, with a sign that goes along where it is copied or read aloud. */
const Answer = ({ choices }: { readonly choices: readonly string[] }): ReactNode => (
  <div className="askwire-text askwire-answer">
    <span className="askwire-unseen">↩ </span>
    <Choices choices={choices} />
  </div>
);

/** The answer to an approval, or the end without one. */
function End({
  settled: { outcome, approval },
  words,
}: {
  readonly settled: Settled;
  readonly words: TalkWords;
}): ReactNode {
  if (approval === undefined)
    return <Answer choices={[[outcome && words.ended(outcome), outcome?.note].filter(Boolean).join(": ")]} />;
  const { response, label, usual, isEdited, feedback } = approval;
  const said = usual !== undefined && isLasting(usual.scope) && words.optionLabel(usual.kind, usual.scope);
  const parts = [
    label ?? (said || approvalWord(response, words)),
    ...(isEdited ? [words.editedFirst] : []),
    feedback,
  ];
  return <Answer choices={parts.filter((text) => text !== "")} />;
}

/** The answer in a word. Of an option of the wire, `approve_for_session` is said by its scope. */
function approvalWord(response: string, words: TalkWords): string {
  const kinds = new Map<string, string>(
    Object.entries({
      approve: words.approved,
      approve_for_session: words.approvedForSession,
      reject: words.rejected,
    } satisfies Record<ApprovalKind, string>),
  );
  return kinds.get(response) ?? response;
}
