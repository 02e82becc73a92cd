// The words of the list of what was decided, in English.
const number = (count: number): string => count.toLocaleString("en");

export const decidedEnglish = {
  /** The two lists of the inbox. */
  views: { name: "What is listed", open: "Open", decided: "Decided" },
  title: "Decided",
  search: "Search what was decided",
  kind: "Kind",
  kinds: { all: "All", question: "Questions", approval: "Approvals" },
  who: "Who decided",
  from: "From",
  to: "To",
  server: "Server",
  looking: "Looking for what was decided…",
  none: "Nothing was decided.",
  noneFound: "Nothing that was decided fits.",
  more: "Show more",
  shown: (count: number) => (count === 1 ? "1 decision shown" : `${number(count)} decisions shown`),
  failed: (why: string) => `What was decided is not told: ${why}`,
  again: "Try again",
  /** The end, by the status of the outcome; any other is shown unchanged. */
  ends: {
    answered: "Answered",
    approved: "Approved",
    rejected: "Rejected",
    declined: "Declined",
    expired: "Expired",
    withdrawn: "Withdrawn",
    unavailable: "Nobody could be asked",
  },
  /** Those who end a request where no person does. */
  causes: { policy: "a rule", timer: "the deadline", system: "the server", hook: "a hook" },
  somebody: "somebody",
  saysToBe: (name: string) => `says to be ${name}`,
  removed: "name removed",
  /** The names of the parts of a decision. */
  parts: {
    shown: "Was shown",
    answer: "Answer",
    note: "Note",
    reason: "Reason",
    who: "Who",
    rule: "Rule",
    asked: "Asked",
    decided: "Decided",
    program: "Program",
    session: "Session",
    folder: "Folder",
    digest: "Digest",
  },
  unknown: "The session does not have the request.",
  cut: "A text was too long for this list, and is cut. The session has it whole.",
  csv: "Export CSV",
  json: "Export JSON",
  exporting: (count: number) => `${number(count)} read…`,
  cancel: "Cancel",
  exported: (count: number) =>
    count === 1 ? "1 decision exported." : `${number(count)} decisions exported.`,
  exportedPart: (count: number) => `The newest ${number(count)} exported: choose less to have the others.`,
  cancelled: "Cancelled, nothing was exported.",
  notExported: (why: string) => `Not exported: ${why}`,
};
/** The words of the list of what was decided, in one language. */
export type DecidedWords = typeof decidedEnglish;
