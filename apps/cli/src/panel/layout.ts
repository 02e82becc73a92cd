/** The sections of a frame, from top to bottom. A gap is a blank line. */
export const sections = [
  "head_gap",
  "title",
  "tabs",
  "gap",
  "question",
  "subject_gap",
  "subject",
  "body",
  "list_gap",
  "notes",
  "notes_gap",
  "list",
  "preview",
  "side",
  "foot_gap",
  "hint",
  "footer",
] as const;
export type Section = (typeof sections)[number];

/** The number of lines for each section of a frame. */
export type Shares = Readonly<Record<Section, number>>;

/** A section's claim to a number of lines in all, if they are free at its turn. */
type Claim = readonly [section: Section, lines: number];

/** The lines of a frame: fewer than the terminal's rows, so that the text above never scrolls away. */
export const roomIn = (rows: number): number => Math.max(0, rows - 1);

/** Shares out lines. Each claim gets the free part of its lines, in order. */
export function share(room: number, claims: readonly Claim[]): Shares {
  const shares = Object.fromEntries(sections.map((section) => [section, 0])) as Record<Section, number>;
  let free = room;
  for (const [section, lines] of claims) {
    const more = Math.min(free, Math.max(0, lines - shares[section]));
    shares[section] += more;
    free -= more;
  }
  return shares;
}

/** The lines that each section of a question would fill, with unlimited room. */
export interface QuestionNeeds {
  readonly title: number;
  readonly tabs: number;
  readonly subject: number;
  readonly question: number;
  readonly body: number;
  /** The rows, all but the current row cut to one line; and the rows whole. */
  readonly listLeast: number;
  readonly listMost: number;
  /** The preview, if it stands below the list instead of beside it. */
  readonly preview: number;
  /** The open search or note, or the note as it stands. */
  readonly side: number;
  readonly hint: number;
}

/**
 * Shares out the lines of a question. First come the current row and the question, then a line of everything.
 * After them come rows, subject and body, in the order in which a person needs them to decide. The pager has all that
 * is cut.
 * The reason why a key did nothing comes above the question, since the next key removes it.
 */
export function questionShares(room: number, needs: QuestionNeeds): Shares {
  const { title, tabs, subject, question, body, listLeast, listMost, preview, side, hint } = needs;
  const half = Math.floor(room / 2);
  const third = Math.floor(room / 3);
  const spacious = room >= 14 ? 1 : 0;
  return share(room, [
    ["list", 1],
    ["side", Math.min(1, side)],
    ["hint", Math.min(1, hint)],
    ["question", 1],
    ["list", Math.min(2, listLeast)],
    ["title", Math.min(1, title)],
    ["tabs", tabs],
    ["subject", Math.min(1, subject)],
    ["footer", 1],
    ["list", Math.min(4, listLeast)],
    ["subject", Math.min(3, subject)],
    ["title", title],
    ["list", Math.min(listLeast, half)],
    ["question", Math.min(3, question)],
    ["hint", hint],
    ["side", side],
    ["body", Math.min(3, body)],
    ["subject", Math.min(subject, third)],
    ["list_gap", spacious],
    ["gap", Math.min(spacious, title + tabs)],
    ["foot_gap", spacious],
    ["subject_gap", Math.min(spacious, subject)],
    ["head_gap", spacious],
    ["list", Math.min(listMost, half)],
    ["question", Math.min(question, third)],
    ["body", Math.min(body, half)],
    ["list", listMost],
    ["subject", subject],
    ["preview", preview],
  ]);
}

/** The lines that each section of the page to review would fill. */
export interface ReviewNeeds {
  readonly title: number;
  readonly answers: number;
  readonly notes: number;
  readonly hint: number;
}

/** Shares out the lines of the page to review: its rows in `list`, answers in `body`, problems in `notes`. */
export function reviewShares(room: number, { title, answers, notes, hint }: ReviewNeeds): Shares {
  const spacious = room >= 14 ? 1 : 0;
  return share(room, [
    ["list", 1],
    ["hint", Math.min(1, hint)],
    ["list", 2],
    ["question", 1],
    ["tabs", 1],
    ["title", title],
    ["body", Math.min(2, answers)],
    ["footer", 1],
    ["notes", notes],
    ["hint", hint],
    ["body", Math.min(answers, Math.floor(room / 2))],
    ["list_gap", spacious],
    ["gap", spacious],
    ["foot_gap", spacious],
    ["notes_gap", spacious],
    ["head_gap", spacious],
    ["body", answers],
  ]);
}

/**
 * The columns of a list and of the preview beside it, which is as wide as its text. Undefined if there is too little
 * room for both.
 */
export function sideBySide(columns: number, widest: number): { list: number; preview: number } | undefined {
  if (columns < SIDE_BY_SIDE) return undefined;
  const most = Math.min(MAX_PREVIEW, Math.floor(columns / 2));
  const preview = Math.min(most, Math.max(MIN_PREVIEW, widest));
  return { list: Math.min(MAX_LIST, columns - preview - 1), preview };
}

/** The fewest columns of a terminal with a preview beside the list, and of a preview there (L-36). */
const SIDE_BY_SIDE = 72;
const MIN_PREVIEW = 32;
const MAX_PREVIEW = 80;
/** The most columns of a list beside a preview, so that both stand close together. */
const MAX_LIST = 64;

/** The lines of a preview with its frame. */
export const LEAST_PREVIEW = 3;

/**
 * The visible part of a list or of tabs: the neighbours of the current entry that fit. A line or column marks hidden
 * entries on a side, if it fits too.
 *
 * @param sizes of each entry, in lines or columns.
 */
export function windowAround(
  sizes: readonly number[],
  current: number,
  room: number,
): { first: number; last: number; above: boolean; below: boolean } {
  let first = current;
  let last = current;
  let used = Math.min(room, sizes[current] ?? 0);
  const end = sizes.length - 1;
  const marks = (from: number, to: number) => (from > 0 ? 1 : 0) + (to < end ? 1 : 0);
  let over = 0;
  let under = 0;
  for (;;) {
    const up = first > 0 ? (sizes[first - 1] as number) : Number.POSITIVE_INFINITY;
    const down = last < end ? (sizes[last + 1] as number) : Number.POSITIVE_INFINITY;
    const canUp = used + up + marks(first - 1, last) <= room;
    const canDown = used + down + marks(first, last + 1) <= room;
    if (canDown && (under <= over || !canUp)) {
      last += 1;
      used += down;
      under += down;
    } else if (canUp) {
      first -= 1;
      used += up;
      over += up;
    } else break;
  }
  const below = last < end && used < room;
  const above = first > 0 && used + (below ? 1 : 0) < room;
  return { first, last, above, below };
}
