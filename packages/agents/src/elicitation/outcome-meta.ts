import type { Outcome } from "@askwire/protocol";

/** The name of our notes on objects of ACP. */
const OUTCOME = "askwire.dev/outcome";

/** A note beside a reply, that tells how a request ended: ACP has fewer words for that. Nothing for an answer. */
export function outcomeMeta({ status, reason, by, note }: Outcome): {
  readonly _meta?: Record<string, unknown>;
} {
  if (status === "answered") return {};
  return { _meta: { [OUTCOME]: { status, reason, by, ...(note !== undefined && { note }) } } };
}
