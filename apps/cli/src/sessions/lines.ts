import { visibleLine } from "@askwire/client/text";
import type { Paint } from "../device/paint.js";
import type { ShownSession } from "../stored/session-shelf.js";
import { ageText, sizeText } from "./amounts.js";

/** The lines of a list: a session in one line, and below it each open question or approval with its age. */
export function* sessionLines(
  sessions: readonly ShownSession[],
  { now, paint, folders }: { readonly now: number; readonly paint: Paint; readonly folders: boolean },
): Generator<string> {
  const width = Math.max(0, ...sessions.map(({ id }) => id.length));
  for (const session of sessions) {
    const { id, activeAt, bytes, title, open, workDir } = session;
    const facts = [
      ageText(now - activeAt).padStart(8),
      ...(bytes === undefined ? [] : [sizeText(bytes).padStart(8)]),
      ...states(session),
      ...(folders ? [visibleLine(workDir ?? "another folder")] : []),
    ].join("  ");
    yield `${visibleLine(id).padEnd(width)}  ${paint("dim", facts)}${title === undefined ? "" : `  ${visibleLine(title)}`}`;
    for (const { kind, text, since, deadline, program } of open) {
      const age = ageText(now - Date.parse(since));
      const asker = program === undefined ? "" : ` from ${visibleLine(program)}`;
      const until = deadline === undefined ? "" : `, until ${deadline}`;
      yield paint("yellow", `    ${kind}${asker}, open for ${age}${until}: `) + visibleLine(text);
    }
  }
}

function states({ state, pid }: ShownSession): string[] {
  if (state === "closed") return [];
  return [state === "cut_off" ? "cut off" : pid === undefined ? "in use" : `in use by process ${pid}`];
}

/** A session as a line of JSON. */
export const sessionJson = (session: ShownSession): string => {
  const { id, folder, workDir, state, pid, title, activeAt, bytes, turnId, open } = session;
  const active_at = new Date(activeAt).toISOString();
  return JSON.stringify({
    id,
    title,
    state,
    pid,
    active_at,
    bytes,
    work_dir: workDir,
    folder,
    turn_id: turnId,
    open,
  });
};
