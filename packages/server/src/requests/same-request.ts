import { requests } from "@askwire/protocol";
import { jsonText } from "@askwire/protocol/internal";
import { validateCompiled } from "@askwire/protocol/node";
import type { ApprovalRequest } from "./approval-request.js";
import type { PersonRequest } from "./core.js";

/** A text that two requests share only if a person is shown the same by both, and may answer the same. */
export const contentOf = (request: PersonRequest): string =>
  jsonText({
    content: sorted(request.kind === "question" ? request.questions : approvalContent(request)),
    ...addressedContent(request),
  });

/** All that says for whom a request is; nothing of one that is for all. */
export function addressedContent({ addressing }: Pick<PersonRequest, "addressing">): object {
  if (addressing === undefined) return {};
  const { first, exclusive, steps } = addressing;
  return { addressed: sorted({ to: first, exclusive, steps }) as object };
}

/**
 * All that a person is shown of an approval, and may answer.
 *
 * @param sender the sender that counts. Default: that of the approval.
 */
export function approvalContent(request: ApprovalRequest, sender: string = request.sender): object {
  const { action, description, display, options, edit } = request;
  const { check: _check, ...text } = edit ?? {};
  const payload = { id: "", tool_call_id: "", sender, action, description, display: [...display] };
  // A display that was recorded has all its fields.
  const whole = validateCompiled(requests.ApprovalRequest.payload, payload);
  return { payload: whole.ok ? whole.value : payload, options, text };
}

/** A value with the members of its objects in one order, since the journal may have them in another. */
export function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, sorted(member)]));
}
