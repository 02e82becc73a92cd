// The parts of a sentence that every language makes alike.
import type { Degradation, HeardOutcome, LostFeature, OutcomeReason } from "@askwire/protocol";

/** The name of a value of the wire in words. Undefined for a newer server's value. */
export const knownName = (names: Readonly<Record<string, string>>, value: string): string | undefined =>
  Object.hasOwn(names, value) ? names[value] : undefined;

/** The features that an answering client was not shown, each once. Unknown ones keep their names, which are foreign text. */
export const lostNames = (names: Readonly<Record<LostFeature, string>>, degraded: readonly Degradation[]) => [
  ...new Set(degraded.map(({ feature }) => knownName(names, feature) ?? feature)),
];

/** The ends of lines of a part of a file by name, each once, in the order CR LF, LF, CR. @param other the part in whose place it is. */
export function lineEndNames(part: string, other: string): string[] {
  const last = part.slice(part.lastIndexOf("\n") + 1);
  // The line feed of a last line may be left out on both sides, and its carriage return is there.
  const isEndless = last !== "" && /\r$/.test(other);
  return [
    ...(last.endsWith("\r") || part.includes("\r\n") ? ["CR LF"] : []),
    ...((isEndless && !last.endsWith("\r")) || /(^|[^\r])\n/.test(part) ? ["LF"] : []),
    ...(/\r(?!\n|$)/.test(part) ? ["CR"] : []),
  ];
}

/** Tells the ends of lines before and after a change. Empty where they are the same, or one side has none. */
export function changedEnds(
  before: string,
  after: string,
  and: string,
  told: (before: string, after: string) => string,
): string {
  const old = lineEndNames(before, after).join(and);
  const now = lineEndNames(after, before).join(and);
  return !old || !now || old === now ? "" : told(old, now);
}

/** A time in the largest unit of which there are at least two, so that the last two minutes are counted in seconds. */
export function largestUnit(seconds: number): [count: number, unit: "s" | "min" | "h"] {
  if (seconds >= 7_200) return [Math.floor(seconds / 3_600), "h"];
  if (seconds >= 120) return [Math.floor(seconds / 60), "min"];
  return [Math.max(0, Math.ceil(seconds)), "s"];
}

/** The ways in which a request ends, as a person is told them. */
type Ending = "answered" | "declined" | "discussed" | "expired" | "closed" | "cancelled" | "givenUp";

/** The reasons that a person is not told apart: the status says enough. */
type Unsaid =
  | "dismissed"
  | "deadline"
  | "superseded"
  | "agent"
  | "unsupported"
  | "unattended"
  | "client_lost"
  | "subagent"
  | "limit"
  | "protocol_error"
  | "do_not_ask"
  | "not_kept";

const byReason = new Map<string | undefined, Ending>(
  /* @__PURE__ */ Object.entries({
    discuss: "discussed",
    interrupted: "cancelled",
    session_closed: "closed",
    shutdown: "closed",
  } satisfies Record<Exclude<OutcomeReason, Unsaid>, Ending>),
);

/** The way in which a request ended. */
export function endingOf({ status, reason }: HeardOutcome): Ending {
  if (status === "answered") return "answered";
  if (status === "declined") return reason === "discuss" ? "discussed" : "declined";
  if (status === "expired") return "expired";
  return byReason.get(reason) ?? "givenUp";
}

/** The origin of an ask, as its program gave it. */
type Origin = Readonly<Partial<Record<"host" | "folder" | "tool" | "subagent", string | undefined>>>;

/** Names the origin of an ask (P-XAK-12); empty without one. */
export type OriginText = (origin: Origin | undefined) => string;

/** The parts of an origin in one text, from the whole to the part. */
export const originWith = (
  { host, folder, tool, subagent }: Origin = {},
  words: { readonly tool: (name: string) => string; readonly subagent: (type: string) => string },
): string =>
  [host, folder, tool && words.tool(tool), subagent && words.subagent(subagent)]
    .filter((part) => part !== undefined && part !== "")
    .join(" · ");
