import { statusOf } from "@askwire/client/form";
import { visibleText } from "@askwire/client/text";
import type { ReactNode } from "react";
import { Foreign } from "../cards/foreign-text.js";
import { requestText } from "../cards/request-text.js";
import { useSecondsLeft } from "../cards/time-left.js";
import type { OpenRequest } from "../hooks/open-requests.js";
import type { TalkWords } from "../words/talk-words.js";

/** A request on one line: its text, the program that asks, its answered questions, and the time left. */
export function RequestLine({
  request: one,
  words,
}: {
  readonly request: OpenRequest;
  readonly words: TalkWords;
}): ReactNode {
  const { deadline, deadlineSince } = one.kind === "question" ? one : {};
  const seconds = useSecondsLeft(deadline ?? null, deadlineSince);
  const program = one.kind === "question" ? one.request.program : undefined;
  const details = [
    ...(program === undefined ? [] : [visibleText(program.name)]),
    words.asked(one.kind === "approval"),
    ...progress(one, words),
    ...(seconds === undefined ? [] : [words.secondsLeft(seconds)]),
    ...(one.settled === undefined ? [] : [words.isOver]),
  ];
  return (
    <span className="askwire-line">
      <Foreign text={requestText(one, words)} /> <small>({details.join(", ")})</small>
    </span>
  );
}

function progress({ kind, request, draft }: OpenRequest, words: TalkWords): string[] {
  if (kind !== "question" || request.questions.length < 2) return [];
  const answered = request.questions.filter((question, at) => {
    const work = draft?.form.drafts[at];
    return work !== undefined && statusOf(question, work) === "answered";
  });
  return [words.progress(answered.length, request.questions.length)];
}
