import {
  type AskwireCapabilities,
  type askedEvents,
  type CoreQuestion,
  everyFeature,
  showsOptions,
} from "@askwire/protocol";
import { defined } from "@askwire/protocol/internal";
import type { ApprovalRequest } from "../requests/approval-request.js";
import { asText, needsWords } from "../requests/as-text.js";
import { optionsFor, questionFor } from "../requests/call-alone.js";
import type { PersonRequest } from "../requests/core.js";
import type { RequestOrigin } from "../requests/interaction.js";
import type { QuestionRequest } from "../requests/question-request.js";
import type { AllowedFeatures } from "../requests/shows.js";
import { baseApproval, baseProfile } from "./base-profile.js";
import type { Profile, WireRequestInput } from "./profile.js";

/** The requests to programs of extended clients: as in the base profile, each with the server's own id (P-XTH-1). */
export const extendedProfile: Profile = {
  ...baseProfile,
  request: (request, id) => extendedBy(baseProfile.request(request, id), { request_id: request.id }),
};

/**
 * A question or approval as the event that an extended client is sent (P-XQS-1, P-XAN-1, P-XAO-1 to P-XAO-5).
 *
 * @param shows the features that the client may use.
 */
export function askedRequest(
  request: PersonRequest,
  shows: AllowedFeatures,
): { type: keyof typeof askedEvents; payload: object } {
  if (request.kind === "question") {
    return { type: "QuestionRequest", payload: questionPayload(request, shows) };
  }
  const { edit, personOnly, program, addressing } = request;
  const options = optionsFor(request, shows);
  const { payload } = baseApproval(request);
  if (
    options === undefined &&
    edit === undefined &&
    !personOnly &&
    program === undefined &&
    addressing === undefined
  ) {
    return { type: "ApprovalRequest", payload };
  }
  const question = showsOptions({ askwire: shows }) ? undefined : questionFor(request, shows);
  if (question !== undefined) return { type: "QuestionRequest", payload: questionOf(request, question) };
  const more = {
    ...(options !== undefined && shows.approval_options && { options }),
    ...(edit !== undefined && shows.edits && { edit: withoutCheck(edit) }),
    ...(personOnly && { person_only: true }),
    ...programOf(request),
    ...addressedOf(request),
  };
  return { type: "ApprovalRequest", payload: { ...payload, ...more } };
}

/** An approval with everything that it has, as a client that shows all is sent it and the journal keeps it. */
export const wholeApproval = (request: ApprovalRequest): WireRequestInput =>
  askedRequest(request, { ...everyFeature, scopes: true }) as WireRequestInput;

const withoutCheck = ({ check: _check, ...edit }: NonNullable<ApprovalRequest["edit"]>) => edit;

/** The question in place of an approval (P-XAO-5). */
const questionOf = (request: ApprovalRequest, question: CoreQuestion) => ({
  id: request.id,
  tool_call_id: request.toolCallId,
  questions: [withoutDefaults(question)],
  ...agentOf(request.origin),
  ...programOf(request),
  ...addressedOf(request),
});

const extendedBy = ({ type, payload }: WireRequestInput, more: object) =>
  ({ type, payload: { ...payload, ...more } }) as WireRequestInput;

function questionPayload(request: QuestionRequest, shows: AskwireCapabilities) {
  const { origin, background, deadline } = request;
  const questions = needsWords(request.questions, shows)
    ? request.questions.map((each) => asText(each, shows))
    : request.questions;
  return {
    id: request.id,
    tool_call_id: request.toolCallId,
    questions: (shows.previews ? questions : questions.map(withoutPreviews)).map(withoutDefaults),
    ...agentOf(origin),
    ...programOf(request),
    ...addressedOf(request),
    ...(background && { background }),
    ...(shows.deadline && deadline?.wire !== undefined && { deadline: deadline.wire }),
  };
}

/** The connected program that asks, where one does (P-XAK-2, P-XAK-12). */
const programOf = ({ program }: PersonRequest) =>
  program !== undefined && {
    program: { key: program.key, ...program.by, ...defined({ origin: program.origin }) },
  };

/** The members that say for whom a request is, where it is not for all (P-XTO-1, P-XTO-5, P-XTO-6). */
export const addressedOf = ({ addressing }: Pick<PersonRequest, "addressing">) =>
  addressing !== undefined && {
    ...defined({ to: addressing.to }),
    ...(addressing.exclusive && { exclusive: true as const }),
    ...(addressing.escalated > 0 && { escalated: addressing.escalated }),
  };

/** The sub-agent that asks, where one does. */
const agentOf = (origin: RequestOrigin | undefined) =>
  origin !== undefined && {
    agent: {
      id: origin.agent_id,
      type: origin.subagent_type,
      parent_tool_call_id: origin.parent_tool_call_id ?? null,
    },
  };

/** A question without the members that have their default, which a reader knows (P-XQS-1). */
function withoutDefaults(question: CoreQuestion): object {
  const { header, options, multi_select, body, other_label, other_description, own_text, ...asked } =
    question;
  const more = {
    header: header || undefined,
    multi_select: multi_select || undefined,
    body: body || undefined,
    other_label: other_label || undefined,
    other_description: other_description || undefined,
    own_text: own_text ? undefined : false,
  };
  return { ...asked, options: options.map(withoutDescription), ...defined(more) };
}

const withoutDescription = (option: CoreQuestion["options"][number]): object => {
  if (option.description !== "") return option;
  const { description: _none, ...shown } = option;
  return shown;
};

/** A copy without previews, for a client that does not show them. */
const withoutPreviews = (question: CoreQuestion): CoreQuestion =>
  question.options.every(({ preview }) => preview === undefined)
    ? question
    : { ...question, options: question.options.map(({ preview: _hidden, ...option }) => option) };
