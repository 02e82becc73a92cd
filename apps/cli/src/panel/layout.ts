/** What a frame is made of, from its top to its bottom. A gap is a blank line. */
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
  "foot_gap",
  "hint",
  "footer",
] as const;
export type Section = (typeof sections)[number];

/** How many lines each section of a frame gets. */
export type Shares = Readonly<Record<Section, number>>;

/** A section may have so many lines in all, if they are still free when its turn comes. */
type Claim = readonly [section: Section, lines: number];

/** Lines of a frame: fewer than the terminal's rows, so that it never scrolls what stands above away. */
export const roomIn = (rows: number): number => Math.max(0, rows - 1);

/** Shares out lines: each claim gets what is left of what it asks for, the first first. */
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

/** How many lines each section of a question would have, were there room. */
export interface QuestionNeeds {
  readonly title: number;
  readonly tabs: number;
  readonly subject: number;
  readonly question: number;
  readonly body: number;
  /** The rows, each on one line but the current one, and all of each. */
  readonly listLeast: number;
  readonly listMost: number;
  /** The preview, where it stands below the list and not beside it. */
  readonly preview: number;
  readonly hint: number;
}

/**
 * Who gets how many lines of a question. First the current row and what is asked, then a line of everything, then the
 * rows, the subject, the body in the order in which a person needs them to decide; what is cut is in the pager. Why a key did
 * nothing has its line before what is asked: the next key takes it away.
 */
export function questionShares(room: number, needs: QuestionNeeds): Shares {
  const { title, tabs, subject, question, body, listLeast, listMost, preview, hint } = needs;
  const half = Math.floor(room / 2);
  const third = Math.floor(room / 3);
  const spacious = room >= 14 ? 1 : 0;
  return share(room, [
    ["list", 1],
    ["hint", Math.min(1, hint)],
    ["question", 1],
    ["list", Math.min(2, listLeast)],
    ["title", title],
    ["tabs", tabs],
    ["subject", Math.min(1, subject)],
    ["footer", 1],
    ["list", Math.min(4, listLeast)],
    ["subject", Math.min(3, subject)],
    ["list", Math.min(listLeast, half)],
    ["question", Math.min(3, question)],
    ["hint", hint],
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

/** How many lines each section of the page to review would have. */
export interface ReviewNeeds {
  readonly title: number;
  readonly answers: number;
  readonly notes: number;
  readonly hint: number;
}

/** The same of the page to review: its rows stand in `list`, the answers in `body`, what is wrong with them in `notes`. */
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
 * The columns of a list and of the preview beside it, which is as wide as what is in it; undefined where it is too narrow
 * for both.
 */
export function sideBySide(columns: number, widest: number): { list: number; preview: number } | undefined {
  if (columns < SIDE_BY_SIDE) return undefined;
  const most = Math.min(MAX_PREVIEW, Math.floor(columns / 2));
  const preview = Math.min(most, Math.max(MIN_PREVIEW, widest));
  return { list: Math.min(MAX_LIST, columns - preview - 1), preview };
}

/** Columns of a terminal from which on a preview stands beside the list, and of a preview there (L-36). */
const SIDE_BY_SIDE = 72;
const MIN_PREVIEW = 32;
const MAX_PREVIEW = 80;
/** Columns of a list beside a preview at most, so that what belongs together stands together. */
const MAX_LIST = 64;

/** Lines of a preview with its frame. */
export const LEAST_PREVIEW = 3;

/**
 * Which rows of a list, or which tabs, are seen: those around the current one, as many as there is room for, with a line,
 * or a column, where some are hidden before or behind, if that has room too.
 *
 * @param sizes of each, in lines or columns.
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
