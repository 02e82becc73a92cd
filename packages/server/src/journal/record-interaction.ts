import { requests } from "@askwire/protocol";
import { validateCompiled } from "@askwire/protocol/node";
import { wireRequest } from "../profiles/base-profile.js";
import { wholeApproval } from "../profiles/extended-profile.js";
import type { WireRequestInput } from "../profiles/profile.js";
import type { AnyInteraction } from "../requests/core.js";
import type { Settlement } from "../requests/interaction.js";
import { questionsDigest } from "../requests/questions-digest.js";
import { interactionKinds } from "./entries.js";
import type { Journal } from "./journal.js";

/** The id under which a request is recorded: that of its payload, which for a tool call is the model's. */
const recordedId = (request: AnyInteraction) =>
  request.kind === "tool_call" ? request.toolCallId : request.id;

/** A payload as it crosses the wire, with every field (P-JRN-2). */
function wholePayload({ type, payload }: WireRequestInput): unknown {
  const parsed = validateCompiled(requests[type].payload, payload);
  return parsed.ok ? parsed.value : payload;
}

/** Records a new request as its kind demands: as Kimi does, by a note of ours, or later (P-JRN-5). */
export function recordOpened(journal: Journal, request: AnyInteraction): void {
  if (request.kind === "question" && request.program !== undefined) {
    journal.asked({ request_id: request.id, key: request.program.key, digest: questionsDigest(request) });
  }
  const type = interactionKinds[request.kind];
  if (type === undefined) return;
  const request_id = recordedId(request);
  const message = request.kind === "approval" ? wholeApproval(request) : wireRequest(request, request_id);
  if (message.type === type) journal.record(message);
  else journal.opened({ request_id, kind: request.kind, request: wholePayload(message) });
}

/** Records the outcome of a request, and its answer. */
export function recordSettled(
  journal: Journal,
  request: AnyInteraction,
  { outcome, answer }: Settlement<unknown>,
): void {
  const request_id = recordedId(request);
  const shown = interactionKinds[request.kind] !== undefined;
  journal.settled({
    request_id,
    kind: request.kind,
    ...(shown ? {} : { request: wholePayload(wireRequest(request, request_id)) }),
    outcome,
    ...(answer === undefined ? {} : { response: answer }),
  });
}
