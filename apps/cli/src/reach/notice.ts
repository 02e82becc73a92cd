import { visibleLine, visibleText } from "@askwire/client/text";
import { type Addressees, standardLabel } from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { PersonRequest } from "@askwire/server";

/** The part of a request that is told: its kind, its header too, or all its words and options. */
export type NotifyText = "none" | "header" | "full";

/** The news of a request, as the command of `--notify` reads it. */
export interface ReachNotice {
  /** `asked` when it opens, `escalated` when it is for more people, `settled` when it is answered or ends otherwise. */
  readonly event: "asked" | "escalated" | "settled";
  /** The id of the request. */
  readonly id: string;
  readonly kind: "question" | "approval";
  /** A line. */
  readonly title: string;
  /** The words of the request; empty unless the text is `full`. */
  readonly body: string;
  /** The labels of a single question or an approval; empty unless the text is `full`. */
  readonly options: readonly string[];
  /** The address of the page, without a secret; absent where no page is served. */
  readonly url?: string;
  /** The id of the session. */
  readonly session: string;
  /** The person who answered, by the word of the door (P-WHO-3); absent where it knows none. */
  readonly by?: string;
  /** Those who alone may answer it (P-XTO-1); absent where anybody may. */
  readonly to?: Addressees;
  /** The end of the person's time, in ISO 8601; absent without one. */
  readonly deadline?: string;
}

/** The most UTF-16 units of a line, and of the words of a request. */
const MOST_LINE = 200;
const MOST_BODY = 4_000;

/** The title of a request; an empty header leaves only its kind. */
const englishTitle = (kind: PersonRequest["kind"], header: string) => {
  const name = kind === "question" ? "Question" : "Approval";
  return header === "" ? name : `${name}: ${header}`;
};

/**
 * The news that a request has opened. Characters of the agent that nobody would see become visible.
 *
 * @param titleOf makes the title of a kind and a header. Default: in English.
 */
export function noticeOf(
  request: PersonRequest,
  {
    session,
    text,
    url,
    to,
    titleOf = englishTitle,
  }: {
    readonly session: string;
    readonly text: NotifyText;
    readonly url: string | undefined;
    /** Default: anybody may answer. */
    readonly to?: Addressees | undefined;
    readonly titleOf?: typeof englishTitle;
  },
): ReachNotice {
  const { id, kind } = request;
  const deadline = request.kind === "question" ? request.deadline?.wire?.at : undefined;
  const { header, body, options } = wordsOf(request);
  const full = text === "full";
  return {
    event: "asked",
    id,
    kind,
    title: short(titleOf(kind, text === "none" ? "" : visibleLine(header)), MOST_LINE),
    body: full ? short(visibleText(body), MOST_BODY) : "",
    options: full ? options.map((option) => short(visibleLine(option), MOST_LINE)) : [],
    ...defined({ url, session, to, deadline }),
  };
}

function wordsOf(request: PersonRequest): { header: string; body: string; options: readonly string[] } {
  if (request.kind === "approval") {
    const { action, description, options } = request;
    const labels = options?.map(({ label }) => label) ?? [
      standardLabel({ kind: "allow" }),
      standardLabel({ kind: "reject" }),
    ];
    return { header: action, body: description, options: labels };
  }
  const { questions } = request;
  const [first, another] = questions;
  return {
    header: first?.header ?? "",
    body: questions.map(({ question }) => question).join("\n"),
    options: another === undefined ? (first?.options ?? []).map(({ label }) => label) : [],
  };
}

/** The beginning of a text that is too long, without half a character at its end. */
export const short = (text: string, most: number) =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
