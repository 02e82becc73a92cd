import { type AskwireCapabilities, type RequestPayloadInput, WireError } from "@askwire/protocol";
import { type AnyInteraction, isForClient } from "../requests/core.js";
import type { QuestionRequest } from "../requests/question-request.js";
import { baseProfile, isReceipt } from "./base-profile.js";
import type { Profile, WireRequestInput } from "./profile.js";

/**
 * Makes the profile of a client that negotiated it (P-XQS-1, P-XAN-1, P-XTH-1): everything by id, and answers as
 * requests of their own.
 *
 * @param shows the features that the client declared.
 */
export function extendedProfile(shows: AskwireCapabilities): Profile {
  return {
    request: (request, id) => extendedRequest(request, id, shows),
    reply(request, response, client) {
      if (isForClient(request)) return baseProfile.reply(request, response, client);
      if (isReceipt(response)) return undefined;
      return { reason: "protocol_error", note: "expected a receipt; answers come by the method `answer`" };
    },
    failure(request, error, client) {
      if (isForClient(request)) return baseProfile.failure(request, error, client);
      if (error instanceof WireError && error.is("InvalidParams")) {
        return { reason: "unsupported", note: error.message };
      }
      const failure = baseProfile.failure(request, error, client);
      if (failure === undefined || "reason" in failure) return failure;
      // In the base profile other errors are the person's word. The extended profile has a method for that.
      return { reason: "protocol_error", note: error instanceof Error ? error.message : String(error) };
    },
  };
}

function extendedRequest(request: AnyInteraction, id: string, shows: AskwireCapabilities): WireRequestInput {
  const base = baseProfile.request(request, id);
  switch (request.kind) {
    case "question":
      return { type: "QuestionRequest", payload: questionPayload(request, id, shows) };
    case "approval":
      return request.covers === undefined ? base : extendedBy(base, { covers: request.covers });
    default:
      return extendedBy(base, { request_id: request.id });
  }
}

const extendedBy = ({ type, payload }: WireRequestInput, more: object) =>
  ({ type, payload: { ...payload, ...more } }) as WireRequestInput;

function questionPayload(
  request: QuestionRequest,
  id: string,
  shows: AskwireCapabilities,
): RequestPayloadInput<"QuestionRequest"> {
  const { origin, deadline } = request;
  return {
    id,
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
