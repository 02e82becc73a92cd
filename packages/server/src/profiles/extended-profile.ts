import type { AskwireCapabilities, RequestPayloadInput } from "@askwire/protocol";
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
export function askedRequest(request: PersonRequest, shows: AskwireCapabilities): AskedInput {
  if (request.kind === "question") {
    return { type: "QuestionRequest", payload: questionPayload(request, shows) };
  }
  const base = baseProfile.request(request, request.id);
  const asked = request.covers === undefined ? base : extendedBy(base, { covers: request.covers });
  return asked as AskedInput;
}

type AskedInput = Extract<WireRequestInput, { type: "QuestionRequest" | "ApprovalRequest" }>;

const extendedBy = ({ type, payload }: WireRequestInput, more: object) =>
  ({ type, payload: { ...payload, ...more } }) as WireRequestInput;

function questionPayload(
  request: QuestionRequest,
  shows: AskwireCapabilities,
): RequestPayloadInput<"QuestionRequest"> {
  const { origin, deadline } = request;
  return {
    id: request.id,
    tool_call_id: request.toolCallId,
    questions: request.questions.map((question) => ({
      ...question,
      default: question.default && [...question.default],
      options: question.options.map(({ preview, ...option }) =>
        shows.previews && preview !== undefined ? { ...option, preview } : option,
      ),
    })),
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
