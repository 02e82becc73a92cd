import type { AskwireCapabilities, ClientCapabilities } from "./messages/handshake.js";
import type { Degradation } from "./outcome.js";
import type { CoreQuestion } from "./questions.js";

/** What matters of a request for whether a client can show it. */
export type Showable = { kind: "question"; questions: readonly ShowableQuestion[] } | { kind: "approval" };

/** What matters of a question for that. */
export interface ShowableQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string }[];
}

/** What a client declared. `askwire` only where the extended profile was negotiated (P-XNG-1). */
export type Shows = Pick<ClientCapabilities, "supports_question" | "askwire">;

/**
 * Whether a client can show a request (P-CAP-2). Approvals always; questions where the client declared
 * `supports_question`. A base client answers by texts, so it cannot show two questions with one text or two options with
 * one label; an extended one answers by id (P-XQS-2).
 */
export function canShow(request: Showable, client: Shows): boolean {
  if (request.kind === "approval") return true;
  if (!client.supports_question || isExtended(client)) return client.supports_question;
  const { questions } = request;
  return (
    differ(questions.map(({ question }) => question)) &&
    questions.every(({ options }) => differ(options.map(({ label }) => label)))
  );
}

const differ = (texts: readonly string[]) => new Set(texts).size === texts.length;

interface Feature {
  /** Whether the question has it. */
  readonly has: (question: CoreQuestion) => boolean;
  /** Whether an extended client shows it; absent: every one does. */
  readonly shown?: (askwire: AskwireCapabilities) => boolean;
}

/** What a question may have that some clients are not shown, or have no words for, in the order of P-XQS-3. */
const features = {
  preview: {
    has: ({ options }) => options.some(({ preview }) => preview !== undefined),
    shown: ({ previews }) => previews,
  },
  placeholder: { has: ({ placeholder }) => placeholder !== undefined },
  default: { has: (question) => question.default !== undefined },
  recommended: { has: ({ options }) => options.some(({ recommended }) => recommended === true) },
  own_text: { has: ({ own_text }) => !own_text },
  multi_label: {
    has: ({ multi_select, options }) => multi_select && options.some(({ label }) => label.includes(", ")),
  },
} as const satisfies Record<string, Feature>;

const featureEntries: readonly (readonly [string, Feature])[] = Object.entries(features);

/**
 * What of a question this client is not shown or cannot say, for `degraded` of its outcome (P-XQS-3). Empty when
 * nothing is lost.
 *
 * @param deadline whether the question has a deadline.
 */
export function degradations(
  questions: readonly CoreQuestion[],
  deadline: boolean,
  client: Pick<Shows, "askwire">,
): Degradation[] {
  const askwire = client.askwire ?? undefined;
  let degraded = whole;
  for (const question of questions) {
    if (isPlain(question)) continue;
    for (const [feature, { has, shown }] of featureEntries) {
      if (!has(question) || (askwire !== undefined && shown?.(askwire) !== false)) continue;
      degraded = [...degraded, { question_id: question.id, feature }];
    }
  }
  return deadline && askwire?.deadline !== true ? [...degraded, { feature: "deadline" }] : degraded;
}

const whole: Degradation[] = [];

/** What nearly every question is: one that has none of the features, seen in one look. */
function isPlain(question: CoreQuestion): boolean {
  if (question.multi_select || !question.own_text) return false;
  if (question.placeholder !== undefined || question.default !== undefined) return false;
  for (const { preview, recommended } of question.options) {
    if (preview !== undefined || recommended !== undefined) return false;
  }
  return true;
}

const isExtended = ({ askwire }: Pick<Shows, "askwire">) => askwire !== undefined && askwire !== null;
