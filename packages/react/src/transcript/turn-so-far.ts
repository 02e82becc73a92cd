import { innerEvent } from "@askwire/client";
import type { Unrecognized, WireEvent } from "@askwire/protocol";
import type { EntryOf } from "./entries.js";

/** The parts of a running turn that its end tells. All times are in milliseconds since 1970. */
export interface TurnSoFar {
  /** Undefined for a turn that began before this page heard of it. */
  readonly begun: number | undefined;
  /** The requests of this person that are open, and since when there are any. */
  readonly open: readonly string[];
  readonly waitsSince: number;
  /** The time for which there were any, until they were settled. */
  readonly waited: number;
  /** The files that its tools changed. */
  readonly files: readonly string[];
}

/** The most files that are counted. */
const MOST_FILES = 1_000;

/** A turn that begins. @param at undefined where that was before this page heard of it. */
export const turnBegun = (at: number | undefined): TurnSoFar => ({
  ...{ begun: at, open: [], waitsSince: 0, waited: 0, files: [] },
});

/** The turn once this person is asked: the agent stands still from then on. */
export const turnAsks = (turn: TurnSoFar, id: string, at: number): TurnSoFar =>
  turn.open.includes(id)
    ? turn
    : { ...turn, open: [...turn.open, id], waitsSince: turn.open.length === 0 ? at : turn.waitsSince };

/** The turn after an event of it. */
export function turnAfter(turn: TurnSoFar, event: WireEvent | Unrecognized, at: number): TurnSoFar {
  if (event.type === "InteractionSettled") return settled(turn, event.payload.request_id, at);
  if (event.type === "SubagentEvent") {
    const inner = innerEvent(event.payload);
    return inner === undefined ? turn : turnAfter(turn, inner, at);
  }
  if (event.type !== "ToolResult" || event.payload.return_value.is_error) return turn;
  const paths = event.payload.return_value.display.flatMap((block) =>
    block.type === "diff" && "path" in block ? [block.path] : [],
  );
  const files = new Set([...turn.files, ...paths]);
  return files.size === turn.files.length ? turn : { ...turn, files: [...files].slice(0, MOST_FILES) };
}

function settled(turn: TurnSoFar, id: string, at: number): TurnSoFar {
  if (!turn.open.includes(id)) return turn;
  const open = turn.open.filter((one) => one !== id);
  return { ...turn, open, waited: turn.waited + (open.length === 0 ? at - turn.waitsSince : 0) };
}

/** The end of a turn, with what is known of it. @param at undefined where that is not known. */
export const turnEnded = (
  { begun, waited, files }: TurnSoFar,
  at: number | undefined,
): Omit<EntryOf<"end">, "key"> => ({
  ...{ kind: "end", files: files.length },
  ...(at !== undefined && { at }),
  ...(at !== undefined && begun !== undefined && { took: at - begun, waited }),
});
