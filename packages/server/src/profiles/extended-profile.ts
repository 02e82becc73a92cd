import type { AskwireCapabilities, askedEvents, CoreQuestion } from "@askwire/protocol";
import { asText } from "../requests/as-text.js";
import type { PersonRequest } from "../requests/core.js";
import type { QuestionRequest } from "../requests/question-request.js";
import { baseProfile } from "./base-profile.js";
import type { Profile, WireRequestInput } from "./profile.js";

/** The requests to programs of extended clients: as in the base profile, each with the server's own id (P-XTH-1). */
export const extendedProfile: Profile = {
  ...baseProfile,
  request: (request, id) => extendedBy(baseProfile.request(request, id), { request_id: request.id }),
};

/**
 * A question or approval as the event that an extended client is sent (P-XQS-1, P-XAN-1).
 *
 * @param shows the features that the client declared.
 */
export function askedRequest(
  request: PersonRequest,
  shows: AskwireCapabilities,
): { type: keyof typeof askedEvents; payload: object } {
  if (request.kind === "question") {
    return { type: "QuestionRequest", payload: questionPayload(request, shows) };
  }
  const { payload } = baseProfile.request(request, request.id);
  const { covers } = request;
  return { type: "ApprovalRequest", payload: covers === undefined ? payload : { ...payload, covers } };
}

const extendedBy = ({ type, payload }: WireRequestInput, more: object) =>
  ({ type, payload: { ...payload, ...more } }) as WireRequestInput;

function questionPayload(request: QuestionRequest, shows: AskwireCapabilities) {
  const { origin, deadline, typed } = request;
  const questions =
    typed && !shows.fields ? request.questions.map((each) => asText(each)) : request.questions;
  return {
    id: request.id,
    tool_call_id: request.toolCallId,
    questions: shows.previews ? questions : questions.map(withoutPreviews),
    ...(origin !== undefined && {
      agent: {
        id: origin.agent_id,
        type: origin.subagent_type,
        parent_tool_call_id: origin.parent_tool_call_id ?? null,
      },
    }),
    ...(shows.deadline && deadline?.wire !== undefined && { deadline: deadline.wire }),
  };
}

/** A copy without previews, for a client that does not show them. */
const withoutPreviews = (question: CoreQuestion): CoreQuestion =>
  question.options.every(({ preview }) => preview === undefined)
    ? question
    : { ...question, options: question.options.map(({ preview: _hidden, ...option }) => option) };
