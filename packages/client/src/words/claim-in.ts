import type { HeardAnsweringClient } from "@askwire/protocol";

/**
 * The client of the person who has taken a request, of those who are told to be at it (P-XCM-4). Undefined where nobody
 * has.
 */
export function claimIn(
  answering: readonly HeardAnsweringClient[] = [],
): { readonly by: HeardAnsweringClient; readonly isOwn: boolean } | undefined {
  const by = answering.find(({ claim }) => typeof claim === "object" && claim !== null);
  return by && { by, isOwn: (by.claim as { readonly own?: unknown }).own === true };
}
