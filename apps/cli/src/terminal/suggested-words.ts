import type { Clock } from "../device/clock.js";
import type { Paint } from "../device/paint.js";
import { filesBelow } from "../input/files-below.js";
import type { SuggestedWord, Suggests } from "../prompt/suggestion-list.js";

interface Around {
  /** The commands that can be typed now. */
  commands(): readonly SuggestedWord[];
  /** The folder of an agent on this machine. Undefined for one elsewhere, whose files are not known. */
  readonly folder: string | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly paint: Paint;
  /** Called when more is known. */
  changed(): void;
}

/** The time after which the folder is read again, in milliseconds. */
const FRESH_MS = 5_000;

/** Suggests commands behind `/`, and the files of the agent's folder behind `@`, which is read when it is typed. */
export function suggestedWords({ commands, folder, clock, paint, changed }: Around): Suggests {
  let paths: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;

  function look(): void {
    if (folder === undefined || clock.now() - readAt < FRESH_MS) return;
    readAt = clock.now();
    void filesBelow(folder).then((found) => {
      paths = found;
      changed();
    });
  }

  return (begun) => {
    if (begun.startsWith("/"))
      return commands()
        .filter(({ word }) => word.toLowerCase().startsWith(begun.toLowerCase()))
        .map(({ word, about }) => ({ word, about: paint("dim", about) }));
    look();
    return fitting(paths, begun.slice(1)).map((path) => ({ word: `@${path}`, about: "" }));
  };
}

/** The paths with these letters: first those that begin with them, then names, then any; nearer ones first. */
function fitting(paths: readonly string[], letters: string): readonly string[] {
  const wanted = letters.toLowerCase();
  const ranked = paths.flatMap((path, at) => {
    const rank = rankOf(path.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ path, rank, at }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || a.at - b.at).map(({ path }) => path);
}

function rankOf(path: string, wanted: string): number | undefined {
  if (path.startsWith(wanted)) return 0;
  const name = path.replace(/\/$/, "").split("/").at(-1) ?? "";
  if (name.startsWith(wanted)) return 1;
  return path.includes(wanted) ? 2 : undefined;
}
