import type { AskwireCapabilities, ClientCapabilities } from "./messages/handshake.js";
import type { Degradation } from "./outcome.js";
import type { CoreQuestion } from "./questions.js";

/** The members of a request that decide which clients can show it. */
export type Showable =
  | { kind: "question"; questions: readonly ShowableQuestion[]; program?: object | undefined }
  /** `asQuestion` is set where three words do not suffice (P-XAO-5). */
  | {
      kind: "approval";
      asQuestion?: object | undefined;
      program?: object | undefined;
      /** Set where several people must approve (P-XQU-1). */
      quorum?: object | undefined;
    };

/** The members of a question that decide which clients can show it. */
export interface ShowableQuestion {
  readonly question: string;
  readonly options: readonly { readonly label: string }[];
}

/** The abilities that a client declared. `askwire` is present only if the extended profile was negotiated (P-XNG-1). */
export type Shows = Pick<ClientCapabilities, "supports_question" | "askwire">;

/**
 * True if a client can show a request (P-CAP-2). Every client can show approvals by three words; others need
 * `approval_options`, or `supports_question` as questions do. A base client answers by texts, so equal texts of
 * questions or options of one question exclude it. A request of a connected program does too: the end of any turn would
 * take it away there (P-XAK-7). An extended client answers by id (P-XQS-2).
 */
export function canShow(request: Showable, client: Shows): boolean {
  if (request.program !== undefined && !isExtended(client)) return false;
  if (request.kind === "approval") {
    if (request.quorum !== undefined && client.askwire?.quorum !== true) return false;
    return request.asQuestion === undefined || client.supports_question || showsOptions(client);
  }
  if (!client.supports_question || isExtended(client)) return client.supports_question;
  const { questions } = request;
  return (
    differ(questions.map(({ question }) => question)) &&
    questions.every(({ options }) => differ(options.map(({ label }) => label)))
  );
}

const differ = (texts: readonly string[]) => new Set(texts).size === texts.length;

interface Feature {
  /** True if the question has the feature. */
  readonly has: (question: CoreQuestion) => boolean;
  /** True if an extended client shows the feature. Absent for a feature that every extended client shows. */
  readonly shown?: (askwire: AskwireCapabilities) => boolean;
}

/** Features of a question that some clients are not shown, or cannot express, in the order of P-XQS-3. */
const features = {
  preview: {
    has: ({ options }) => options.some(({ preview }) => preview !== undefined),
    shown: ({ previews }) => previews,
  },
  placeholder: { has: ({ placeholder }) => placeholder !== undefined },
  default: { has: (question) => question.default !== undefined },
  recommended: { has: ({ options }) => options.some(({ recommended }) => recommended === true) },
  own_text: { has: ({ own_text, field }) => !own_text && field === undefined },
  multi_label: {
    has: ({ multi_select, options }) => multi_select && options.some(({ label }) => label.includes(", ")),
  },
  field: { has: ({ field }) => field !== undefined, shown: ({ fields }) => fields },
  choices: { has: ({ min, max }) => min !== undefined || max !== undefined, shown: ({ fields }) => fields },
  picture: { has: ({ picture }) => picture === true, shown: ({ attachments }) => attachments },
} as const satisfies Record<string, Feature>;

/** A feature that `degraded` of an outcome may list (P-XQS-3, P-XAO-6). A later server may list others. */
export type LostFeature = keyof typeof features | "deadline" | "approval_options" | "edit";

const featureEntries: readonly (readonly [string, Feature])[] = Object.entries(features);

/**
 * Lists the features of a question that this client is not shown or cannot express, for `degraded` of its outcome
 * (P-XQS-3). Returns an empty list if nothing is lost.
 *
 * @param deadline set if the question has a deadline.
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
  return deadline && askwire?.deadline !== true ? [...degraded, lost("deadline")] : degraded;
}

const whole: Degradation[] = [];

/** The loss of a feature that belongs to no single question. */
const lost = (feature: LostFeature): Degradation => ({ feature });

/** True for a question without any of the features, as nearly all are. The check costs a single look. */
function isPlain(question: CoreQuestion): boolean {
  if (question.multi_select || !question.own_text || question.field !== undefined) return false;
  if (question.placeholder !== undefined || question.default !== undefined || question.picture === true)
    return false;
  for (const { preview, recommended } of question.options) {
    if (preview !== undefined || recommended !== undefined) return false;
  }
  return true;
}

/** True if a client is sent approvals with their own options (P-XAO-1). */
export const showsOptions = ({ askwire }: Pick<Shows, "askwire">): boolean =>
  askwire?.approval_options === true;

/**
 * Lists the features of an approval that this client is not shown or cannot express (P-XAO-6).
 *
 * @param approval its own options, the text to change, and the question that it is asked as where three words do not
 * suffice.
 */
export function approvalDegradations(
  { options, edit, asQuestion }: { options?: unknown; edit?: unknown; asQuestion?: unknown },
  client: Pick<Shows, "askwire">,
): Degradation[] {
  const inWords = options !== undefined && asQuestion === undefined && !showsOptions(client);
  const unchanged = edit !== undefined && client.askwire?.edits !== true;
  if (!inWords && !unchanged) return whole;
  return [...(inWords ? [lost("approval_options")] : []), ...(unchanged ? [lost("edit")] : [])];
}

const isExtended = ({ askwire }: Pick<Shows, "askwire">) => askwire !== undefined && askwire !== null;
