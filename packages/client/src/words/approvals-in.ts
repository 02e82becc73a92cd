import { approversOf, type SomebodyIn, whoActs } from "./who.js";

/** The people who must approve, as an update or a row tells them (P-XQU-3). */
export interface ToldApprovals {
  /** The number of those who must. */
  readonly needed: number;
  /** The names of those who have, oldest first. Foreign text. */
  readonly names: readonly string[];
}

/** Reads how many people must approve, and who has; undefined where one person is enough. */
export function approvalsIn(told: object, somebodyIn: SomebodyIn): ToldApprovals | undefined {
  const { quorum } = told as { readonly quorum?: unknown };
  if (typeof quorum !== "number") return undefined;
  return { needed: quorum, names: approversOf(told).map((one) => whoActs(one, somebodyIn)) };
}
