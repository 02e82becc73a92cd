import { statusOf } from "@askwire/client/form";
import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { requestText } from "../cards/request-text.js";
import { useSecondsLeft } from "../cards/time-left.js";
import { ErrorBoundary } from "../failures/error-boundary.js";
import type { OpenRequest } from "../hooks/open-requests.js";

/** A request on one line, which stays a way to its card where that line fails. */
export const SafeRequestLine = (props: Parameters<typeof RequestLine>[0]): ReactNode => (
  <ErrorBoundary part="" instead={() => props.words.asked(props.request.kind === "approval")}>
    <RequestLine {...props} />
  </ErrorBoundary>
);

/** A request on one line: its text, the program that asks, its answered questions, and the time left. */
function RequestLine({
  request: one,
  words,
}: {
  readonly request: OpenRequest;
  readonly words: TalkWords;
}): ReactNode {
  const { deadline, deadlineSince } = one.kind === "question" ? one : {};
  const seconds = useSecondsLeft(deadline ?? null, deadlineSince);
  const { program } = one.request;
  const details = [
    ...(program === undefined ? [] : [visibleText(program.name), ...originOf(program, words)]),
    words.asked(one.kind === "approval"),
    ...progress(one, words),
    ...(seconds === undefined ? [] : [words.secondsLeft(seconds)]),
    ...(one.settled === undefined ? onTheWay(one, words) : [words.isOver]),
  ];
  return (
    <span className="askwire-line">
      <Foreign text={requestText(one, words)} /> <small>({details.join(", ")})</small>
    </span>
  );
}

function originOf(program: NonNullable<OpenRequest["request"]["program"]>, words: TalkWords): string[] {
  const origin = words.origin(program.origin);
  return origin === "" ? [] : [visibleText(origin)];
}

/** What is told of an answer that is on its way. */
function onTheWay({ delivery: { is } }: OpenRequest, words: TalkWords): string[] {
  if (is === "undelivered") return [words.undelivered];
  return is === "sending" ? [words.sending] : [];
}

function progress({ kind, request, draft }: OpenRequest, words: TalkWords): string[] {
  if (kind !== "question" || request.questions.length < 2) return [];
  const answered = request.questions.filter((question, at) => {
    const work = draft?.form.drafts[at];
    return work !== undefined && statusOf(question, work) === "answered";
  });
  return [words.progress(answered.length, request.questions.length)];
}
