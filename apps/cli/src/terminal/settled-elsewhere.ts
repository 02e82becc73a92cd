import { RequestSettled } from "@askwire/client";
import { visibleLine } from "./visible-text.js";

/** Why a request is no longer before the person, from what its signal was aborted with. */
export function whyGone(reason: unknown): string {
  if (!(reason instanceof RequestSettled) || reason.outcome === undefined) {
    return visibleLine(reason instanceof Error ? reason.message : String(reason));
  }
  const { status, reason: why, by, client } = reason.outcome;
  if (client !== undefined) {
    return `${visibleLine(client.name)} ${status === "answered" ? "answered" : "declined"} it`;
  }
  if (status === "answered") return by === "policy" ? "a rule of the session answered it" : "it was answered";
  if (status === "expired") return "its time is over";
  if (why === "interrupted") return "the turn was cancelled";
  return why === "superseded" ? "a newer question took its place" : `it was given up: ${why}`;
}
