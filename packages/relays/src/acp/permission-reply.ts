/**
 * The reply to `session/request_permission`.
 *
 * @param optionId the chosen option; undefined for `cancelled`.
 * @param meta the note on how the request ended, if any.
 */
export const permissionReply = (optionId: string | undefined, meta: object) => ({
  outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
  ...meta,
});

/** The reply to a request for a decision that is nobody's word; undefined for any other method. */
export function withoutAnswer(method: unknown): object | undefined {
  if (method === "session/request_permission") return permissionReply(undefined, {});
  return method === "elicitation/create" ? { action: "cancel" } : undefined;
}
