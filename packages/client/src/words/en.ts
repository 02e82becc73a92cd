// All words of our interfaces in English, by the part that shows them. The other languages have the same: these are the
// types of theirs. A name that parts share stands once, and each part is a constant without a call, so that a bundler
// drops what an interface does not show.
import {
  answerLimits,
  type CoreQuestion,
  type Degradation,
  type HeardOutcome,
  type ListedSession,
  type LostFeature,
  mebibytes,
  type OutcomeReason,
  standardLabel,
  standardScopeText,
  type Word,
} from "@askwire/protocol";
import { expectedChoices, expectedOf, type Field } from "@askwire/protocol/fields";
import {
  changedEnds,
  endingOf,
  knownName,
  largestUnit,
  lostNames,
  type OriginText,
  originWith,
} from "./any-language.js";
import { failure, recommended } from "./apart-en.js";
import type { ChangeWords } from "./change-en.js";
import { terminalInbox } from "./terminal-inbox-en.js";
import { whoAnswered } from "./who.js";

/** Names somebody by the client alone, in the middle of a sentence ({@link whoActs}). */
const somebodyIn = (client: string) => `somebody in ${client}`;

// Values of the wire.

const states: Record<ListedSession["state"], string> = {
  idle: "idle",
  running: "works",
  waiting: "waits",
  kept: "kept",
};

const rules = {
  approve_all: "since everything is approved here",
  decided_before: "as decided before",
};

const lostFeatures: Record<LostFeature, string> = {
  preview: "previews",
  placeholder: "the hint for own words",
  default: "the default",
  recommended: "the recommendation",
  own_text: "that only the options count",
  multi_label: "labels with a comma told apart",
  field: "the form of the answer",
  choices: "how many to choose",
  picture: "that a picture is wanted",
  deadline: "the time limit",
  approval_options: "the ways to approve",
  edit: "the text that may be changed",
};

/** The reasons why a request is closed that are told in other words than the wire's. */
const reasons = {
  session_closed: "the session was closed",
  shutdown: "the server was stopped",
  agent: "the agent took it back",
  client_lost: "the connection was lost for too long",
} satisfies Partial<Record<OutcomeReason, string>>;

/** The type of a part of a message without text, such as `image_url`. */
const part = (type: string): string => `[${type}]`;
/** The severity of a notification. */
const severityOf = (severity: string): string => severity;
/** The status of an entry of a list, or of a task in the background. */
const statusOf = (status: string): string => status.replaceAll("_", " ");
const sessionState = (state: Word<ListedSession["state"]>): string => knownName(states, state) ?? state;
/** The requests that are open in a session, and the minutes since the oldest. */
const waitsFor = (open: number, minutes: number): string =>
  `waits for ${open === 1 ? "an answer" : `${open} answers`}, since ${minutes === 0 ? "less than a minute" : `${minutes} min`}`;

export const value = { part, severity: severityOf, status: statusOf, sessionState, waitsFor };
/** The words for values of the wire that a person sees, in one language. */
export type ValueWords = typeof value;

export const byRule = (rule: string): string => knownName(rules, rule) ?? `by the rule ${rule}`;

export const lost = (degraded: readonly Degradation[] = []): string =>
  lostNames(lostFeatures, degraded).join(", ");

export const lineEnds = (before: string, after: string): string =>
  changedEnds(before, after, " and ", (old, now) => `Line ends change: ${old} before, ${now} after.`);

const timeOf = (seconds: number): string => largestUnit(seconds).join(" ");

export const field = {
  /** The values that a field takes. */
  value: (field: Field): string => expectedOf(field),
  /** The number of options that are to be chosen. Undefined for any number. */
  choices: (choices: Pick<CoreQuestion, "min" | "max">): string | undefined => expectedChoices(choices),
  /** The note on a field that may be left empty, and such an answer. */
  mayBeEmpty: "may stay empty",
  /** The mark of a field among other questions that is to be answered. */
  required: "required",
  leftEmpty: "left empty",
  /** The value that goes to the agent, where another text was typed. */
  sentAs: (value: string) => `sent as ${value}`,
};
/** The words on the answers that a question takes, in one language. */
export type FieldWords = typeof field;

const question = "Question";
/** A line or a placeholder that a tool wrote, in this language where it is one of ours. */
const told = (text: string): string => text;
const asksTo = (sender: string, action: string) => `${sender} asks to ${action}`;
const added = "added";
const removed = "removed";
const secondsLeft = (seconds: number) =>
  seconds >= 120 ? `${Math.floor(seconds / 60)} min left` : `${seconds} s left`;

/** The origin of an ask, on one line; empty without one (P-XAK-12). */
const origin: OriginText = (origin) =>
  originWith(origin, { tool: (name) => `tool ${name}`, subagent: (type) => `sub-agent ${type}` });

/** The extent of an option as data. */
interface ShownScope {
  readonly kind: string;
  readonly value?: string | undefined;
}

/** The label of an option whose asker gave none. */
const optionLabel = (kind: "allow" | "reject", scope?: ShownScope): string => standardLabel({ kind, scope });
/** The extent of an option, by its scope and the action. */
const scope = (scope: ShownScope, action: string): string =>
  standardScopeText(scope, action) ?? `every further “${action}” too`;

const pictureComes = "The picture is still being read.";
/** Of a paste with a text and a picture of it. */
const textTaken = "The text was taken, and not the picture that came with it.";
/** The reasons why a file becomes no picture, by its name. */
const pictureProblems = {
  unread: (name: string) => `${name} is no picture that this browser can read.`,
  tooLarge: (name: string) =>
    `${name} is larger than ${mebibytes(answerLimits.picture)}: send a smaller picture.`,
  tooMany: (name: string) =>
    `With ${name} the pictures are larger than ${mebibytes(answerLimits.pictures)}: take another away first.`,
};

const pictures = (count: number) => (count === 1 ? "1 picture" : `${count} pictures`);

export const card = {
  told,
  question,
  origin,
  /** The program that asks in place of the session's agent. */
  programAsks: (program: string) => `${program} asks`,
  /** The name of a tab without a header, by its number from 1. */
  tab: (number: number) => `Question ${number}`,
  review: "Review",
  reviewHeading: "Your answers",
  change: "Change",
  open: "not answered",
  answered: "answered",
  edited: "changed",
  leftOut: "left out",
  recommended,
  byDefault: "counts when the time is over",
  several: "several may be chosen",
  preview: (label: string) => `Preview of ${label}`,
  ownWords: "In your own words",
  /** The label of a typed field. */
  answer: "Your answer",
  ownWordsAside: "These words are not sent while an option is chosen.",
  workLost: "Not all that you had entered here could be read again: look before you send.",
  note: "Note",
  addNote: "Add a note",
  /** A note that is folded, and goes with the answer all the same. */
  foldedNote: (beginning: string) => `Note: ${beginning}`,
  search: "Search the options",
  found: (count: number, all: number) => `${count} of ${all} shown`,
  addPicture: "Add a picture",
  /** Said while a picture is wanted and none is there. */
  wantsPicture: "The agent would like a picture.",
  takePhoto: "Take a photo",
  /** The name of a picture, by its number from 1. */
  picture: (number: number) => `Picture ${number}`,
  pictures,
  remove: "Remove",
  removePicture: (number: number) => `Remove picture ${number}`,
  pictureComes,
  textTaken,
  pictureProblems,
  expects: (values: string) => `Expected: ${values}`,
  field,
  send: "Send answer",
  /** Sends the answers of several questions, at least two. */
  sendAll: (count: number) => `Send ${count} answers`,
  next: "Next",
  leaveOut: "Leave out",
  decline: "Decline",
  declineAll: "Decline, and lose what you entered?",
  keep: "Keep",
  discuss: "Discuss first",
  discussLabel: "What to talk about first",
  back: "Back",
  nothingChosen: "Choose an option first, or decline.",
  nothingChosenOrTyped: "Choose an option or write an answer first, or decline.",
  blankText: "Write an answer first, or decline.",
  textTooLong: "There is no more room: the rest was not taken.",
  /** Of a text that stays unchanged, and is not sent. */
  tooLong: (over: number) =>
    over === 1 ? "1 character too long: shorten it first." : `${over} characters too long: shorten it first.`,
  allSkipped: "Answer at least one question, or decline.",
  unanswered: (tabs: readonly string[]) => `Not answered yet: ${tabs.join(", ")}.`,
  refused: (messages: readonly string[]) => `Not accepted: ${messages.join("; ")}`,
  secondsLeft,
  onExpiry: { cancel: "then it is given up", default: "then the default counts" },
  noTimeLimit: "The time stands still: you have begun.",
  /** The deadline was removed, though not by this person: somebody else began, or whoever asks removed it. */
  timeStands: "The time stands still.",
  callsWait: (count: number) => `${count} calls wait for this answer.`,
  somebodyIn: (client: string) => `Somebody in ${client}`,
  othersAnswer: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} is answering too.` : `${names.length} others are answering too.`,
  /** Of an approval that several people must give: their number, and the names of those who have given it. */
  mustApprove: (needed: number, names: readonly string[]) =>
    names.length === 0
      ? `${needed} people must approve this.`
      : `Approved by ${names.join(", ")}. ${needed - names.length} more must approve.`,
  /** Of the person's own approval, while others must still approve. */
  approvalCounts: "Your approval counts.",
  asksTo,
  approve: "Approve once",
  approveForSession: "Approve for this session",
  optionLabel,
  scope,
  /** The heading of the ways to approve. */
  howFar: "How far your approval goes",
  reject: "Reject",
  /** Of a press right after the card came, or the second half of a press elsewhere. */
  pressedEarly: "That press came before you could read this. Press again.",
  /** Of a press that showed what was out of sight, in place of allowing it. */
  restIsShown: "Part of this was out of sight. All of it is shown now: press again.",
  /** Opens the step that rejects. */
  rejectStep: "Reject…",
  /** The heading of the ways to reject. */
  howFarReject: "How far your rejection goes",
  rejectWhy: "Why not? The agent reads it and goes on.",
  mayBeEmpty: "(may be empty)",
  rejectWithWords: "Reject with these words",
  edit: "Edit first",
  /** Names the text that may be changed. @param path the file that it is written to. Empty without one. */
  editLabel: (path: string) => (path === "" ? "The text that is approved" : `What is written to ${path}`),
  differing: (lines: number) =>
    lines === 1 ? "1 line differs from the agent's" : `${lines} lines differ from the agent's`,
  undoEdit: "Undo my changes",
  redoEdit: "Have my changes again",
  seeDifference: "See the difference",
  approveMine: "Approve my version",
  added,
  removed,
  lineEnds,
  status: statusOf,
  wholeFile: "Summary of a change",
  dismiss: "Close",
  failure,
  answerWithSaid: (said: string) => `Answer with what you said: “${said}”`,
  sending: "Sending…",
  undelivered: "Not delivered yet: the server does not reply. Your answer is kept, and sent again by itself.",
  /** @param end who settled the request, or how it ended. */
  tooLate: (end: string) => `Your answer came too late. ${end}`,
  notDelivered: (why: string) => `Your answer was not delivered: ${why}.`,
  yourWords: "What you had answered",
  copy: "Copy",
  /** The end of a request elsewhere, by its outcome where there is one, with what was not shown there. */
  settled(message: string, outcome: HeardOutcome | undefined): string {
    const who = whoAnswered(outcome, card.somebodyIn);
    if (outcome === undefined) return `No longer open: ${message}.`;
    const unseen = lost(outcome.degraded);
    const notShown = unseen && ` Not shown there: ${unseen}.`;
    if (outcome.status === "answered")
      return `${who === undefined ? "It was answered" : `${who} answered it`}.${notShown}`;
    if (outcome.status === "declined")
      return `${who === undefined ? "It was declined" : `${who} declined it`}.${notShown}`;
    return outcome.status === "expired" ? "Its time is over." : `No longer open: ${outcome.note || message}.`;
  },
};
/** The words of the cards in one language. */
export type CardWords = typeof card & { readonly changes?: ChangeWords };

const inLines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);

const inSeconds = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;

export const talk = {
  told,
  // The conversation.
  conversation: "Conversation",
  you: "You",
  /** The name of a prompt that no client sent: of the server's own program, or to a sub-agent. */
  task: "Task",
  thoughts: "Thoughts",
  part,
  status: statusOf,
  running: "runs",
  failed: "failed",
  args: "All arguments",
  output: "Output",
  /** Above what a running command has printed last. */
  lastLines: (shown: number, all: number) => `Last ${shown} lines of ${all}`,
  /** The button that shows the lines before them too. */
  allLines: (count: number) => `Show all ${count} lines`,
  noOutput: "no output",
  copy: "Copy",
  /** The outcome of a call: the lines that it put out, or the calls of its sub-agents. */
  lines: inLines,
  innerCalls: (count: number) => (count === 1 ? "1 call" : `${count} calls`),
  todo: "To do",
  todoDone: (done: number, all: number) => `${done} of ${all} done`,
  /** The word for what a tool of a known kind does, and for what it did. */
  does: {
    read: "Read",
    ran: "Run",
    changed: "Change",
    wrote: "Write",
    searched: "Search",
    fetched: "Fetch",
  },
  did: {
    read: "Read",
    ran: "Ran",
    changed: "Changed",
    wrote: "Wrote",
    searched: "Searched",
    fetched: "Fetched",
  },
  seconds: inSeconds,
  pictures,
  openFile: (path: string) => `Open ${path}`,
  added,
  removed,
  lineEnds,
  subagent: (type: string) => (type === "" ? "Sub-agent" : `Sub-agent ${type}`),
  plan: (path: string) => (path === "" ? "Plan" : `Plan (${path})`),
  steered: "said meanwhile",
  origin,
  asked: (isApproval: boolean): string => (isApproval ? "Approval" : "Question"),
  approved: "approved",
  optionLabel,
  approvedForSession: "approved for this session",
  rejected: "rejected",
  editedFirst: "after a change",
  somebodyIn,
  /** The person who answered, and the parts of the request that were not shown there. */
  by: (name: string, degraded: HeardOutcome["degraded"]) => {
    const unseen = lost(degraded);
    return `by ${name}${unseen && `, not shown there: ${unseen}`}`;
  },
  /** The end of a request without an answer. */
  ended: (outcome: HeardOutcome) =>
    ({
      answered: "answered",
      declined: "declined",
      discussed: "to be discussed first",
      expired: "its time was over",
      closed: "withdrawn at the end of the session",
      cancelled: "the turn was cancelled",
      givenUp: "given up",
    })[endingOf(outcome)],
  left: "The turn was interrupted.",
  stepInterrupted: "The step was interrupted.",
  tryingAgain: (seconds: number, why: string, attempt: number, attempts: number) =>
    `Trying again in ${seconds} s, ${why}: attempt ${attempt} of ${attempts}.`,
  summingUp: "Summing up the conversation so far.",
  summedUp: "Summed up.",
  hookBlocked: (hook: string, target: string, why: string) =>
    `A ${`${hook} hook blocked ${target}`.trimEnd()}${why === "" ? "" : `: ${why}`}.`,
  notification: (severity: string, text: string) => `${severity}: ${text}`,
  planMode: (on: boolean) => `Plan mode is ${on ? "on" : "off"}.`,
  policyDecided: (isApproved: boolean, rule: string, what: string) =>
    `${isApproved ? "Approved" : "Rejected"} without asking, ${byRule(rule)}: ${what}`,
  doNotAsk: (enabled: boolean, by: string) =>
    enabled
      ? `No more questions are asked in this session${by === "" ? "" : `, said ${by}`}.`
      : `Questions are asked again${by === "" ? "" : `, said ${by}`}.`,
  cancelled: "Cancelled.",
  /** The reason why a turn failed whose agent does not take a part of the prompt. */
  takesNoMedia: "this agent does not take what came with the words, such as a picture. Send the words alone.",
  turnFailed: (why: string) => `The turn failed${why === "" ? "" : `: ${why}`}`,
  stoppedAfter: (steps: number | undefined) =>
    steps === undefined
      ? "Stopped after as many steps as a turn may have."
      : `Stopped after ${steps} ${steps === 1 ? "step" : "steps"}.`,
  /** The end of a turn. @param time when that was, empty where it is not known. */
  turnFinished: (time: string) => (time === "" ? "Finished" : `Finished ${time}`),
  /** The time that a turn took, and the part of it in which the agent waited for the person; both in seconds. */
  turnTook: (took: number, waited: number) =>
    `${inSeconds(took)}${waited === 0 ? "" : `, ${inSeconds(waited)} of them yours`}`,
  filesChanged: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  copyWords: "Copy the answer",
  tryAgain: "Try again",
  cut: "Earlier parts are not kept.",
  toEnd: "To the end",
  answers: "The agent answers.",
  finished: (paragraphs: number) => `The agent has finished: ${paragraphs} paragraphs.`,
  works: "The agent works.",
  rests: "The agent has finished.",

  // The prompt.
  message: "Message",
  writeHere: "Write to the agent",
  /** The hint in the box while a turn runs. */
  meanwhile: "Say something meanwhile",
  messageHint: "Enter sends, Shift-Enter begins a line.",
  send: "Send",
  steer: "Say it now",
  cancel: "Cancel the turn",
  plans: "Plan first",
  /** The switch by which no more questions are asked. */
  doNotAskMe: "Do not ask me",
  /** The button that adds pictures and files, their list, and the button that takes one away. */
  addFiles: "Add pictures or files",
  attached: "Goes with the message",
  remove: "Remove",
  removeFile: (name: string) => `Remove ${name}`,
  fileComes: pictureComes,
  textTaken,
  fileProblems: {
    ...pictureProblems,
    noText: (name: string) => `${name} is neither a picture nor text: send it another way.`,
    longText: (name: string) => `${name} is longer than 1 MiB: send the part that matters.`,
  },
  commands: "Commands",
  commandsFound: (count: number) => (count === 1 ? "1 command" : `${count} commands`),
  notSent: (why: string) => `Not sent: ${why}`,
  /** Of words that the server has not taken for a second. */
  notSentYet: (beginning: string) => `Not sent yet: “${beginning}”`,
  takeBack: "Take back",
  tooLateToTakeBack: "It is on its way: whether the agent has it is not known yet.",
  putBack: "Put back",
  drop: "Discard",
  saidWaits: { sending: "being sent", undelivered: "not delivered yet", taken: "waits for the agent" },
  /** Of a press on a button that came under the pointer while a card closed. */
  secondPress: "That press followed one on a request, and did nothing. Press again.",
  notDone: (why: string) => `Not done: ${why}`,

  // The sessions of a server.
  sessions: "Sessions",
  newSession: "New session",
  untitled: "Nothing said yet",
  place: (folder: string, host: string) => [folder, host].filter((part) => part !== "").join(" on "),
  here: "open here",
  state: sessionState,
  waitsFor,
  close: "Close",
  closeOf: (title: string) => `Close ${title}`,
  /** Stands beside that button, before anything is asked. */
  closesForAll: "Closing ends it for everybody.",
  closeSure: "Close it for everybody? What runs in it is cancelled.",
  keep: "Keep",
  moreOf: (title: string) => `More on ${title}`,
  sessionId: (id: string) => `Session ${id}`,
  /** The groups of the list; that of kept sessions has those that a press opens again. */
  sessionGroups: {
    waiting: "Waiting for you",
    kept: "Kept, to go on with",
    working: "Working",
    today: "Today",
    earlier: "Earlier",
    stored: "Kept from before",
  },
  /** The age of a session, as short as there is room beside its title. */
  ago: (minutes: number) =>
    minutes < 1
      ? "now"
      : minutes < 60
        ? `${minutes} min`
        : minutes < 1_440
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / 1_440)} d`,
  searchSessions: "Search the sessions",
  sessionsFound: (count: number) =>
    count === 0
      ? "No session has these words."
      : count === 1
        ? "1 session found."
        : `${count} sessions found.`,
  /** Asks the server for the next page of kept sessions. */
  moreKept: "Show older kept sessions",
  moreSessions: (count: number, left: number) => `Show ${count} more of ${left}`,

  // Lists of what is open, and cards that are put aside.
  waiting: "Waiting for you",
  nothingWaits: "Nothing waits for you.",
  question,
  asksTo,
  isOver: "no longer open",
  sending: "being sent",
  undelivered: "not delivered yet",
  progress: (answered: number, count: number) => `${answered} of ${count} answered`,
  secondsLeft,
  putAside: "Put aside to read",
  bringBack: "Answer",
  failure,
};
/** The words of the conversation, the prompt and the lists in one language. */
export type TalkWords = typeof talk & { readonly changes?: ChangeWords };

export const markdown = {
  /** The name of a code block, by its language; empty for none. */
  code: (language: string) => (language === "" ? "Code" : `Code, ${language}`),
  table: "Table",
  /** The name of an image without one. */
  image: "Image",
  copy: "Copy",
};
/** The words that Markdown needs besides its own, in one language. */
export type MarkdownWords = typeof markdown;

const panel = {
  told,
  /** Next to the title: the requests behind this one, and the effect of the deadline. */
  waiting: (count: number) => `${count} more waiting`,
  callsWait: (count: number) => `${count} calls wait for this answer`,
  somebodyIn,
  othersAnswer: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} is answering too` : `${names.length} others are answering too`,
  mustApprove: (needed: number, names: readonly string[]) =>
    names.length === 0
      ? `${needed} people must approve`
      : `approved by ${names.join(", ")}, ${needed - names.length} more must approve`,
  timeLeft: (seconds: number) => `${timeOf(seconds)} left`,
  /** The mark between two answers, after a field's name, and in notes about an option or an answer. */
  comma: ", ",
  colon: ": ",
  note: (text: string) => ` (${text})`,
  remark: (text: string) => ` — ${text}`,
  onExpiry: { cancel: "then it is given up", default: "then the default counts" },
  /** The tab of a question without a header, by its number from 1; the last tab. */
  tab: (number: number) => `Q${number}`,
  reviewTab: "Submit",
  selectSeveral: " (select several)",
  /** The values that a field takes, and the number of options to choose. */
  field,
  recommended,
  default: "default",
  /** The own-text row, if the question does not name it, and its empty field. */
  other: "Other",
  typeHere: "Type your answer",
  /** The row that confirms several choices. */
  submit: "Submit",
  /** The row that asks to talk first. */
  discuss: "Let's discuss this first",
  /** A note next to the answer, and a search in the options; the texts of their empty fields. */
  noteName: "Note",
  noteHint: "goes with your answer",
  searchName: "Search",
  searchHint: "words of an option",
  found: (at: number, all: number) => (all === 0 ? "not found" : `${at} of ${all}`),
  preview: "Preview",
  noPreview: "No preview available.",
  above: (count: number) => `${count} more`,
  below: (count: number) => `${count} more`,
  moreLines: (count: number) => (count === 1 ? "1 more line" : `${count} more lines`),
  showsAll: "Ctrl-E shows all",
  readKey: "Ctrl-E",
  /** The page to review all answers. */
  review: "Review your answers",
  notAnswered: "not answered",
  leftOut: "left out",
  begun: "not confirmed yet",
  readyToSubmit: "Ready to submit your answers?",
  warnOpen: "You have not answered all questions.",
  submitAnswers: "Submit answers",
  cancel: "Cancel",
  /** The hints for a key that did nothing. */
  nothingChosen: "Select at least one, or Esc to decline.",
  nothingChosenOrTyped: "Select at least one or type an answer, or Esc to decline.",
  blankText: "Type an answer first, or Esc to decline.",
  expected: (values: string) => `Expected: ${values}.`,
  textTooLong: "There is no more room: the rest was not taken.",
  allSkipped: "Answer at least one question, or decline.",
  noWordsHere: "No words can be typed here: choose with ↑ ↓, then Enter.",
  enterAgain: "Press Enter once more to confirm.",
  enterConfirms: "Enter confirms.",
  cleared: "Cleared. Ctrl-Y brings it back.",
  unread: "Not approved yet: part of this was out of sight. Read it, then Esc, and Enter approves.",
  declineAgain: (questions: number) => `Press Esc again to decline${questions === 1 ? "" : " all"}.`,
  unanswered: (tabs: readonly string[]) => `Not answered yet: ${tabs.join(", ")}.`,
  refused: (messages: readonly string[]) => `Not accepted: ${messages.join("; ")}`,
  /** The effects of keys, for the last line. */
  keys: {
    move: "↑↓ move",
    choose: "Enter choose",
    confirm: "Enter confirm",
    select: "Space select",
    selectByEnter: "Enter select",
    ownText: "type your own",
    leaveOut: "Ctrl-X leave out",
    tabs: "Tab next question",
    toAnswers: "← back to the questions",
    toOwnText: "Tab own text",
    clear: "Esc clear",
    decline: "Esc decline",
    read: "Ctrl-E show all",
    scroll: "↑↓ Space scroll",
    ends: "Home End",
    find: "Ctrl-F search",
    seek: "↑↓ next match",
    endSearch: "Enter keep · Esc go back",
    note: "Ctrl-T note",
    endNote: "Enter done",
    newLine: "Ctrl-J new line",
    discuss: "Enter discuss",
    nextRequest: "Ctrl-O next request",
    putAside: "Ctrl-G put aside",
    back: "Esc back",
  },
  position: (first: number, last: number, all: number) => `${first}–${last} of ${all}`,
};
/** The words in a panel of the terminal: rows, tabs, hints. */
export type PanelWords = typeof panel;

/** The number of options that a question takes, and if it takes other words. */
interface Choice {
  readonly many: boolean;
  readonly ownText: boolean;
  /** The number of options to choose. Default: any number. */
  readonly choices?: string | undefined;
}

const asked = {
  mustApprove: (needed: number) => `${needed} people must approve this.`,
  told,
  // A question, and the ways to answer it with a line.
  recommended,
  byDefault: "default",
  moreLines: (count: number) => `… ${count} more ${count === 1 ? "line" : "lines"}`,
  /** The hints of a question: what counts as an answer, and the words that answer without one. */
  howToAnswer: (placeholder: string, ways: readonly string[]) =>
    `your answer${placeholder === "" ? "" : `: ${placeholder}`} (${ways.join(", ")})`,
  howToChoose: ({ many, ownText, choices }: Choice, ways: readonly string[]) =>
    `${many ? "numbers with commas" : "a number"}${choices === undefined ? "" : `, ${choices}`}, ${ownText ? "or your own words" : "no other words"} (${ways.join(", ")})`,
  field,
  howToFill: (values: string, ways: readonly string[]) => `${values} (${ways.join(", ")})`,
  declines: (word: string) => `${word} to decline`,
  leavesOut: (word: string) => `${word} to leave it out`,
  takesPrefill: (word: string, prefill: string) => `${word} for ${prefill}`,
  leavesEmpty: (word: string) => `${word} to leave it empty`,
  expected: (values: string) => `Expected: ${values}.`,
  emptyLine: "An empty line is no answer.",
  exitIsForPrompt: (exit: string, decline: string) =>
    `${exit} is for the prompt: ${decline} first, or a blank before it.`,
  noAskIsElsewhere: (noAsk: string, decline: string) =>
    `${noAsk} is not for this connection: ${decline} first, or a blank before it.`,
  wordIsElsewhere: (word: string, decline: string) =>
    `${word} does not count at this question: ${decline} declines, and a blank before it makes it your answer.`,
  numbersUpTo: (last: number) => `There are the numbers 1 to ${last}.`,
  onlyOptions: (last: number) => `Only the options count here: the numbers 1 to ${last}.`,
  notTaken: (why: string) => `(not taken: ${why})`,
  discard: (answers: number) =>
    `discard ${answers === 1 ? "the answer" : `the ${answers} answers`} that you gave? y: yes, n: ask again`,

  /** Asks for approval. A foreign agent's title often is the description, which is said once. */
  asksTo: (sender: string, action: string, description: string) =>
    asksTo(sender, action) + (sender === description ? "" : `: ${description}`),
  /** With the extent of “always”: empty if that is the whole action, undefined where nothing lasts. */
  howToApprove: (covers: string | undefined) =>
    `y: yes, ${covers === undefined ? "" : `a: always in this session${covers === "" ? "" : ` (${covers})`}, `}n [why]: no`,
  answerLetters: (hasAlways: boolean) => `Answer ${hasAlways ? "y, a" : "y"} or n.`,
  orByNumber: (letters: string) => `${letters}, or a number`,
  howToApproveByNumber: "a number, n [why]: no",
  answerNumber: (last: number) => `Answer with one of these letters, or a number from 1 to ${last}.`,

  // The reasons why a request is gone.
  noLongerOpen: (why: string) => `(no longer open: ${why})`,
  didNotCount: (why: string) => `(your answer did not count: ${why})`,
  undelivered: "(your answer is not delivered yet: it is kept, and sent again by itself)",
  delivered: "(your answer is delivered)",
  notDelivered: (why: string) => `(your answer was not delivered: ${why})`,
  /** The meaning of a typed line, before it counts: one of its choices. */
  understood: (choice: string, isOwn: boolean) => (isOwn ? `→ in your own words: ${choice}` : `→ ${choice}`),
  /** The line about an answer from before the command ended, in line-by-line mode. */
  answeredBefore: (question: string) => `(answered before: ${question})`,
  somebodyIn,
  clientAnswered: (who: string) => `${who} answered it`,
  clientDeclined: (who: string) => `${who} declined it`,
  ruleAnswered: "a rule of the session answered it",
  wasAnswered: "it was answered",
  timeIsOver: "its time is over",
  turnCancelled: "the turn was cancelled",
  newerQuestion: "a newer question took its place",
  givenUp: (reason: string) => knownName(reasons, reason) ?? `it was given up: ${reason}`,
  /** The client's words, if no outcome is known. */
  gone: (message: string) => message,

  // A panel, by the type of the sub-agent that asks; empty if the agent itself asks.
  hasQuestions: (count: number, agent: string) =>
    `${agent === "" ? "The agent" : `The sub-agent ${agent}`} has ${count === 1 ? "a question" : `${count} questions`} for you`,
  origin,
  /** The title of questions that a connected program asks, by the name of the program. */
  programAsks: (count: number, program: string) =>
    `${program} has ${count === 1 ? "a question" : `${count} questions`} for you`,
  wantsApproval: (sender: string, action: string, agent: string) =>
    `${sender}${agent === "" ? "" : ` of the sub-agent ${agent}`} asks to ${action}`,
  discussed: "to be discussed first",
  /** The line in the place of a panel that was put aside, by the requests that wait and the seconds of the first deadline. */
  putAside: (count: number, seconds?: number) =>
    `Put aside: ${count === 1 ? "a request waits" : `${count} requests wait`} for you${seconds === undefined ? "" : `, ${count === 1 ? "" : "the first with "}${timeOf(seconds)} left`}. Ctrl-G or Enter brings ${count === 1 ? "it" : "them"} back.`,
  waitsForPrompt: (title: string) =>
    `(${title}, once the prompt is empty: Enter sends what stands there, Ctrl-C wipes it)`,
  waitsForLine: (title: string) =>
    `(${title}, once this line is empty: Enter sends what stands there, Ctrl-U wipes it)`,
  cannotDraw: (why: string) => `(the panel cannot be shown: ${why}; asked line by line instead)`,
  approve: "Approve",
  approveForSession: "Approve for this session",
  /** The label of an option whose asker gave none. */
  optionLabel,
  scope,
  reject: "Reject",
  rejectAndSay: "Reject, and say why",
  edit: "Change it first",
  editAgain: "Change it again",
  inEditor: "in your editor; saving approves nothing",
  yourChange: "Your change:",
  notEdited: (why: string) => `(nothing was changed: ${why})`,
  endsKept: "(line ends that only your editor changed stay as they were)",
  /** Lines: the text can be changed by a line that begins with e. */
  orEdit: (letters: string) => `${letters}, e TEXT: change it`,
  editedTo: (text: string) => `Changed to: ${text}`,

  // The answers that stay on the screen.
  declined: "declined",
  notAnswered: "not answered",
  approved: "approved",
  approvedForSession: "approved for this session",
  withYourChange: ", with your change",
  /** With the extent of the approval. */
  approvedFor: (extent: string) => `approved for this session (${extent})`,
  rejected: (why: string) => (why === "" ? "rejected" : `rejected: ${why}`),
};
/** The words about a request in the terminal: the sender, the answers, the end. */
export type AskedWords = typeof asked;

const chat = {
  told,
  somebodyIn,
  // The prompt.
  canType: (help: string, exit: string) => `(${help} lists what you can type, ${exit} leaves)`,
  answersOnly: (exit: string) =>
    `(this address is for answering only: what is asked appears here, ${exit} leaves)`,
  showsThis: "shows this",
  declines: "declines what is asked",
  leaves: "leaves",
  stopsAsking:
    "asks you no more questions in this session; approvals are asked all the same (on, off, or toggle)",
  onOrOff: (command: string) => `${command}: expected on, off or nothing.`,
  policyDecided: (isApproved: boolean, rule: string, what: string) =>
    `(${isApproved ? "approved" : "rejected"} without asking, ${byRule(rule)}: ${what})`,
  doNotAsk: (enabled: boolean, by: string) =>
    enabled
      ? `(no more questions are asked in this session${by === "" ? "" : `, said ${by}`}: the agent decides by itself)`
      : `(questions are asked again${by === "" ? "" : `, said ${by}`})`,
  notSwitched: (why: string) => `(not switched: ${why})`,
  showsOutput: "shows all that the last call printed, as Ctrl-O does; a number shows that of another call",
  noOutput: "There is no such output.",
  copies: "copies the last answer as it was written",
  copied: (characters: number) =>
    `(copied as it was written: ${characters} ${characters === 1 ? "character" : "characters"}; --raw shows answers so)`,
  nothingSaid: "The agent has said nothing yet.",
  showsHistory: "shows what was asked and answered",
  nothingAskedYet: "Nothing was asked yet.",
  also: (names: readonly string[]) => ` (also ${names.join(", ")})`,
  noSuchCommand: (command: string, help: string) =>
    `There is no ${command}: ${help} lists what there is. With a blank before it, it is said as it is.`,
  nothingAsked: "Nothing is asked.",
  leaveAgain: "(Ctrl-C again leaves)",
  workLost: "(not all that you had entered for this question could be read again: look before you send)",
  noMoreRoom: "(there is no more room at the prompt: the rest was not taken)",
  pasted: (lines: number) => `[${lines} lines pasted]`,

  // A session and its turns.
  sessionBegins: (id: string) => `(session ${id} begins)`,
  waitsHere: (minutes: number, text: string) =>
    `(a session of this folder ${minutes < 1 ? "waits for you" : `has waited for you for ${minutes} min`}: ${text})`,
  goOn: "Go on with it? Enter or y goes on, n begins anew.",
  waitingElsewhere: (count: number) =>
    `(${count === 1 ? "a session" : `${count} sessions`} of this folder ${count === 1 ? "waits" : "wait"} for a person: askwire sessions --waiting)`,
  notKept: (why: string) => `(nothing of this session is kept: ${why}; set ASKWIRE_HOME to another folder)`,
  interviewBegins: "(nothing to go on with: an interview begins anew)",
  sessionGoesOn: (id: string, turns: number, last: string) =>
    `(session ${id} goes on: ${turns} ${turns === 1 ? "turn" : "turns"} so far${last === "" ? "" : `, the last: ${last}`})`,
  stoppedAfter: (steps: number | undefined) =>
    steps === undefined
      ? "(stopped after as many steps as a turn may have)"
      : `(stopped after ${steps} ${steps === 1 ? "step" : "steps"})`,
  cancelled: "(cancelled)",
  /** The command by which a conversation that is left goes on. */
  comesBack: (command: string) => `(to go on: ${command})`,
  earlierTurns: (turns: number) => `(${turns} earlier ${turns === 1 ? "turn" : "turns"})`,
  nothingWritten: "Nothing was written.",
  /** The input ended at a question or an approval. */
  nobody: (goesOn: "kept" | "before others" | "nowhere") =>
    `the input has ended, so nobody here can answer: nothing was decided${
      {
        kept: ". The session is kept, and asks again with --continue in a terminal",
        "before others": ", and others who are connected still can",
        nowhere: "",
      }[goesOn]
    }`,
  notCancelled: "(not cancelled, since the connection is lost: Ctrl-C again leaves)",

  joined: (whole: boolean): string =>
    whole
      ? "(this is the conversation so far)"
      : "(this is the conversation so far; its beginning is not kept)",

  // The sessions of a server.
  untitled: "(nothing said yet)",
  onHost: " on ",
  sessionState,
  waitsFor,
  whichSession: (count: number) =>
    `(${count === 1 ? "1" : `a number from 1 to ${count}`} joins, new begins one, an empty line lists again)`,
  noSuchSession: (said: string) => `There is no session ${said}.`,

  // Words for an agent that works.
  notInThisTurn: "(not taken in this turn: it is said at the next prompt)",
  saidAtNextPrompt: "(the connection is lost: it is said at the next prompt)",
  hearsNothing: "(this agent hears nothing while it works: say it again at the prompt)",
  notPassedOn: (why: string) => `(not passed on: ${why})`,
  perhapsRead: "(the connection is lost: nobody knows whether the agent has read it)",

  // The connection.
  connectionLost: (why: string | undefined) =>
    `(the connection is lost, trying again: ${why ?? "no reason was given"})`,
  connectedAgain: "(connected again)",
  connectedAnew: "(connected again; the server was restarted, or too much was missed)",

  // The row below the prompt.
  works: "works",
  isCancelled: "cancelling",
  escCancels: "Esc cancels",
  isLost: "connection lost",
  seconds: inSeconds,
  lines: inLines,
  tokens: (thousands: string) => `${thousands} tokens`,
  contextLeft: (percent: number) => `${percent}% of the context left`,
  planned: "plan mode",
  yolo: "approves all",
  afk: "nobody is asked",
  waiting: (requests: number) => (requests === 1 ? "1 request waits" : `${requests} requests wait`),

  // The agent's actions.
  lastLines: (shown: number, all: number) => `the last ${shown} of ${all} lines`,
  moreCalls: (calls: number) => `${calls} more ${calls === 1 ? "call runs" : "calls run"}`,
  /** @param who undefined where nobody is told. */
  promptedElsewhere: (who: string | undefined, prompt: string) =>
    `(prompted ${who === undefined ? "elsewhere" : `by ${who}`}) ${prompt}`,
  /** A part of a message without text, by its type. */
  part,
  plan: (path: string) => (path === "" ? "Plan" : `Plan (${path})`),
  planMode: (on: boolean) => `(plan mode is ${on ? "on" : "off"})`,
  hasQuestions: (count: number) =>
    count === 1 ? "Agent has a question for you" : `Agent has ${count} questions for you`,
  /** The mark before the subject of a title. */
  colon: ": ",
  stepInterrupted: "(the step was interrupted)",
  tryingAgain: (seconds: number, why: string, attempt: number, attempts: number) =>
    `(trying again in ${seconds} s, ${why}: attempt ${attempt} of ${attempts})`,
  summingUp: "(summing up the conversation so far)",
  summedUp: "(summed up)",
  hookBlocked: (hook: string, target: string, why: string) =>
    `(a ${`${hook} hook blocked ${target}`.trimEnd()}${why === "" ? "" : `: ${why}`})`,
  notification: (severity: string, text: string) => `(${severity}) ${text}`,
  lineEnds,
  tooLong: (before: string, after: string) => `too long to show: ${before} before, ${after} after`,
  task: (description: string, status: string) => `${description}: ${statusOf(status)}`,
  /** Left-out lines of a command's output; 0 if only ends of lines are left out. */
  moreOutput: (lines: number, command: string, isCut: boolean) =>
    lines === 0
      ? `(${command} shows the whole lines)`
      : `… ${lines} more ${lines === 1 ? "line" : "lines"} (${command} shows ${isCut ? "what was not cut" : "all"})`,
  /** The end of an output that is too long to be kept. */
  outputNotKept: (characters: number) => `… ${characters} more characters, which are not kept`,
};
/** The words around a request in the terminal: prompts, the transcript, the connection. */
export type ChatWords = typeof chat;

const agents = {
  /** The first line, before the content. */
  fromProject: (name: string) =>
    `The agent ${name} comes from a file of this project. It would run as you, and could do all that you can:`,
  changed: "(it has changed since it was approved)",
  file: "file",
  folder: "folder",
  command: "command",
  protocol: "protocol",
  inherits: "inherits",
  variables: "variables",
  /** The protocol that the agent's first answer reveals. */
  foundOut: "found out when it starts",
  noKeys: "no keys",
  none: "none",
  /** The last line, after the content. */
  filesMayChange: "Files of the project that it runs may change later without another question.",
  approve: "Approve this command?",
  serverOfProject: (name: string) =>
    `${name}, a server of MCP, comes from a file of this project. It would run as you, and could do all that you can:`,
  serverAtAddress: (name: string) =>
    `${name}, a server of MCP, comes from a file of this project. The agent would send it what its tools are called with:`,
  address: "address",
  headers: "headers",
  timeout: "timeout",
  startup: "startup",
  approveServer: "Approve this server?",
};
/** The words about an agent whose command a person approves. */
export type AgentWords = typeof agents;

/** The words that a person types for yes and no. Those of every language count, whichever is shown. */
export const typed = { yes: ["y", "yes"], no: ["n", "no"] };
/** The words that a person types, in one language. */
export type TypedWords = typeof typed;

export const terminal = { panel, asked, chat, agents, inbox: terminalInbox };
/** The words of the terminal in one language, by their place. */
export type TerminalWords = typeof terminal;

/** The state of a connection, and what a person may do about it. */
export const connection = {
  connecting: "Connecting…",
  connected: "Connected",
  /** Something that was sent has had no word for some seconds. */
  silent: "Connected, but the server does not reply. What you sent is not delivered yet.",
  lost: "The connection is lost. What you entered stays here.",
  nextTry: (seconds: number) => `Next try in ${seconds} s`,
  trying: "Trying again…",
  tryNow: "Try now",
  otherVersion: "The server runs another version than this page. Load the page anew.",
  reload: "Load anew",
  endings: {
    token: "The server refused the token. It makes a new one with each start, unless it keeps one.",
    session: "The server does not have this session any more.",
    kept: "The server was started anew. It has kept this session.",
    replaced: "Another connection of this page took over.",
    ended: "The session was closed.",
    failed: "The connection is over.",
  },
  openKept: "Go on with it",
  failure,
};
/** The words of the state of a connection, in one language. */
export type ConnectionWords = typeof connection;

export const page = {
  title: "Askwire",
  /** The title of the tab while something waits. */
  waiting: (count: number, title: string) => `(${count}) ${title}`,
  /** The way to the sessions, with the number of other sessions that wait for a person. */
  sessions: (waiting: number) => (waiting === 0 ? "Sessions" : `Sessions (${waiting} waiting)`),
  settings: "Settings",
  close: "Close",
  /** Leaves the list of sessions, where "Close" would be about a session. */
  back: "Back",
  connecting: connection.connecting,
  otherVersion:
    "The server runs another version than this page. Load the page anew; what you entered is kept.",
  otherVersionThere:
    "Connected. That server runs another version than this page: some things may be missing.",
  reload: connection.reload,
  notLoaded: "A part of the page could not be loaded. It is tried again.",
  /** The parts of the page, at the beginning of a sentence. */
  parts: {
    page: "The page",
    place: "This place",
    signals: "The signal of new requests",
    title: "The title",
    sessions: "The way to the sessions",
    settings: "The settings",
    connection: failure.parts.connection,
    paired: "The state of this device",
    conversation: "The conversation",
    requests: "The list of requests",
    request: "This request",
    prompt: "The place to write",
    howTo: "The way to a token",
    entry: "The field for the token",
  },
  readable: "This connection is not encrypted: others in this network can read it.",
  /** The whole page of a paired device that the server lets in no more. */
  revoked: {
    title: "This device was revoked.",
    enter: "Enter a new pairing code",
  },
  enterAnew: "Enter another address or code",
  newSession: "Begin a new session",
  pairing: "Exchanging the pairing code…",
  addServer: "Add a server",
  /** Followed by the option that lets this page in. */
  letIn: "Check that the server runs, and lets this page in with",
  forgetServer: "Forget this server",
  open: (count: number) => (count === 1 ? "1 request waits" : `${count} requests wait`),
  nothingOpen: "Nothing waits for you.",
  arrived: (text: string, count: number) =>
    count === 1 ? `New: ${text}` : `New: ${text}. ${count} requests wait.`,
  draftComes: "Your work on this question is being fetched…",
  picturesGone: "The browser keeps pictures of yours no more: add them again.",
  draftUnkept:
    "The browser does not keep all that you entered here: it lasts until this page is closed or loaded anew.",
  language: "Language",
  asBrowser: "as the browser",
  theme: "Look",
  themes: { system: "as the system", light: "light", dark: "dark" },
  paired: "This device is paired until the tab is closed.",
  rememberDevice: "Remember this device",
  remembered: "This device is paired and remembered.",
};
/** The words of the page in one language. */
export type PageWords = typeof page;

export const view = {
  none: "No agent is running in this window.",
  start: "Start the agent",
  starting: "The agent starts…",
  printed: (text: string) => `It has said so far: ${text}`,
  lost: (why: string) => `The connection is lost and tried again. ${why}`,
  ended: (why: string) => `The agent has ended. ${why}`,
  noFolder: (missing: string | undefined) =>
    missing === undefined
      ? "Open a folder first: the agent works in it."
      : `The folder ${missing} is no longer there. Open it by its new name.`,
  openFolder: "Open Folder",
  restart: "Restart",
  showLog: "Show log",
  openSettings: "Open settings",
  putAway: "Put this notice away",
  held: "Another window has the session of this folder.",
  heldAlone:
    "Its agent lets nobody else in: to watch it from here, turn on askwire.inbox in that window and restart the agent there.",
  watch: "Watch and Answer Here",
  newSession: "New Session",
  /** The agent by its kind and name, in the line below the conversation. */
  agents: {
    interview: (file: string) => (file === "" ? "Interview" : `Interview ${file}`),
    model: (name: string) => (name === "" ? "A model" : name),
    program: (name: string) => (name === "" ? "A program" : name),
    named: (name: string) => name,
    gateway: (host: string) => `Gateway ${host}`,
    watched: () => "The other window's agent",
  },
  chooseAgent: "Choose the Agent",
  agentIs: (agent: string) => `${agent}: choose another agent`,
  planMode: "plan mode",
  approvesAll: "approves all",
  asksNothing: "asks nothing",
  begin: "Begin the interview",
  lostWords: "You had entered this for a request that has ended:",
  copy: "Copy",
  copied: "Copied",
  files: "Files",
  filesFound: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  sessions: "Sessions",
  untitled: "New session",
  waits: (open: number) => `${open} open`,
  difference: "Show the difference in the editor",
  /** Names files that the diff editor leaves out, since they are binary or told only in words. */
  notInEditor: (paths: readonly string[]) => `Shown only below: ${paths.join(", ")}`,
  outside: (path: string) => `Outside of the workspace: ${path}`,
  /** Names files that are open with unsaved edits, and that an approval would change. */
  unsaved: (paths: readonly string[]) => `Unsaved edits: ${paths.join(", ")}`,
  saveFirst: "Save First",
  attach: "Attach files…",
  attached: "Attached to the next prompt",
  remove: (name: string) => `Remove ${name}`,
  open: (count: number) => (count === 1 ? "1 open" : `${count} open`),
  cards: "What waits for you",
  /** The parts of the view, at the beginning of a sentence. */
  parts: {
    view: "The view",
    state: "The state of the agent",
    requests: "The list of requests",
    request: "This request",
    attached: "The list of attached files",
    sessions: "The list of sessions",
  },
  tooLarge: "This is too large to be sent: send less, or a smaller picture.",
};
/** The words of the view in VS Code, in one language. */
export type ViewWords = typeof view;

/** The texts of the manifest, by their names there. */
const manifest = {
  description:
    "An agent beside your code: its questions and approvals where you work, and none of them lost.",
  trust: "Askwire starts a program that works in the folder, so the folder has to be trusted.",
  virtual: "Askwire starts a program that works in a folder of a file system.",
  "command.start": "Start the Agent",
  "command.chooseAgent": "Choose the Agent",
  "command.answer": "Answer by Quick Pick",
  "command.prompt": "Write to the Agent",
  "command.newSession": "New Session",
  "command.switchSession": "Switch Session",
  "command.closeSession": "Close Session",
  "command.stop": "Stop the Turn",
  "command.restart": "Restart the Agent",
  "command.openTab": "Open the View in an Editor Tab",
  "command.showLog": "Show Log",
  "command.openSettings": "Open Settings",
  "command.setKey": "Enter the Key of the Model's Provider",
  "command.setToken": "Enter the Token of the Gateway",
  "command.attachFile": "Attach a File to the Prompt",
  "command.attachSelection": "Attach the Selection to the Prompt",
  "command.showDifference": "Show the Difference of the Approval",
  "command.approve": "Approve",
  "command.reject": "Reject",
  "command.rejectWith": "Reject with Words…",
  "command.previousFile": "Previous File of the Approval",
  "command.nextFile": "Next File of the Approval",
  "command.chooseFile": "Choose a File of the Approval…",
  "command.saveFirst": "Save First: the File Has Unsaved Edits",
  "setting.agent":
    "The agent that is started: `interview` (a questionnaire that needs no model), `model` (a model that works in the folder, see `#askwire.model#`), `command` (any program that speaks the wire or ACP, see `#askwire.command#`), or the name of an agent, such as `claude`, `gemini` or `kimi`.",
  "setting.command":
    'The program and its arguments, with `#askwire.agent#` set to `command`. It is started without a shell, for example `["gemini", "--acp"]`.',
  "setting.protocol": "What a program or a named agent speaks. With auto, its first answer tells.",
  "setting.model":
    "The model, with `#askwire.agent#` set to `model`: `openai-compatible:NAME`, `kimi:NAME`, or a name of `~/.askwire/config.toml`. The command *Enter the Key of the Model's Provider* keeps its key.",
  "setting.modelBaseUrl":
    "The address of the model's provider, such as `http://127.0.0.1:11434/v1`. Empty: that of the environment, or the provider's own.",
  "setting.interview":
    "A file with a questionnaire, with `#askwire.agent#` set to `interview`. Empty: the shipped one.",
  "setting.asking":
    "What an agent that starts is told of questions. With `unset`, its session stays as it is; with `doNotAsk`, its model has no tool to ask you, and decides by itself. Approvals are asked as before.",
  "setting.inherit":
    "The names of environment variables that an agent of others gets although they are withheld from agents: keys of model providers, for example `GEMINI_API_KEY`.",
  "setting.inbox":
    "What the agent asks waits in `askwire inbox` too, and can be answered there. The agent then also listens on this machine, at a free port with a token that only you can read.",
  "setting.address":
    "The address of a gateway, such as `ws://127.0.0.1:8080/wire`, to attach to instead of starting an agent. The command *Enter the Token of the Gateway* keeps its token.",
  "setting.openDifference":
    "Opens the difference of an approval in the diff editor by itself. Closing that editor decides nothing.",
  "setting.notify": "Shows a notification for a question or an approval that nobody is looking at.",
  "walkthrough.title": "Begin with Askwire",
  "walkthrough.description": "Choose an agent, start it, and answer its first question.",
  "walkthrough.agent.title": "Choose an agent",
  "walkthrough.agent.description":
    "The shipped interview needs no model and no key.\n[Choose the agent](command:askwire.chooseAgent)\n[Open the settings](command:askwire.openSettings)",
  "walkthrough.start.title": "Start the agent",
  "walkthrough.start.description":
    "Its conversation and its cards are in the view. Write `go` there, and the interview asks its first question.\n[Start the agent](command:askwire.start)",
  "walkthrough.answer.title": "Answer",
  "walkthrough.answer.description":
    "Answer in the view, or with the keyboard alone by a quick pick.\n[Answer by quick pick](command:askwire.answer)",
};

/** The pages of the first steps in Markdown, line by line. */
const walkthrough = {
  agent: [
    "| `askwire.agent` | is |",
    "| --- | --- |",
    "| `interview` | a questionnaire that needs no model |",
    "| `model` | a model that works in the folder |",
    "| `command` | any program that speaks the wire or ACP |",
    "| a name | an agent that the command knows, such as `claude` |",
  ],
  start: [
    "The agent works in the first folder of the window. Its session is kept: a reload goes on with it and with its open question.",
  ],
  answer: [
    "Escape leaves a question open. The difference of an approval opens in the diff editor, whose title approves and rejects; closing it decides nothing.",
  ],
};

/** A text of the extension outside of its view, as its code has it. */
type ExtensionText =
  | "Askwire: {0} open"
  | "Askwire: the agent has ended"
  | "Show"
  | "{0}: proposed by the agent"
  | "Askwire: that press came before you could read this. Press again."
  | "that press came too soon: press again"
  | "Askwire: this was answered elsewhere, or is no longer open."
  | "Which one do you want to answer?"
  | "recommended"
  | "In your own words…"
  | "choose at least one"
  | "this is not the number of choices that is asked for"
  | "write an answer, or press Escape to leave it open"
  | "expected at most {0} attachments: remove one"
  | "{0}: expected at most 1 MiB"
  | "{0}: expected a text or a picture"
  | "picture"
  | "Open"
  | "{0} is outside of the workspace."
  | "Askwire: another window has the session of this folder (process {0})."
  | "Watch and Answer Here"
  | "New Session"
  | "Choose the Agent"
  | "The agent that is started next"
  | "Agents by name cannot be listed: {0}"
  | "Interview"
  | "A questionnaire that needs no model and no key"
  | "A model…"
  | "It works in the folder"
  | "A program of your own…"
  | "It speaks the wire or the Agent Client Protocol"
  | "chosen now"
  | "{0} is not installed"
  | "fetched at its first start"
  | "needs Node.js {0}"
  | "of this project, to be approved first: askwire agents approve {0}"
  | "The model"
  | "openai-compatible:NAME, kimi:NAME, or a name of ~/.askwire/config.toml"
  | "The program"
  | "A program and its arguments, such as: gemini --acp. It is started without a shell."
  | "Askwire: the next start takes {0}."
  | "Askwire: the next start takes {0}, and no longer the gateway {1}."
  | "Enter the Key"
  | "Start"
  | "Attach files to the prompt"
  | "this approval is not open any more"
  | "Sessions of this folder"
  | "Type words of the title. The last ones are of conversations that are not open here."
  | "New session"
  | "{0} open"
  | "It is kept by the editor, outside of the settings. Empty forgets it."
  | "Write to the agent"
  | "write something, or press Escape"
  | "Close the session"
  | "{0} are open in this session. Close it anyway?"
  | "The key of the model's provider ({0})"
  | "The token of the gateway"
  | "expected a selection in an editor"
  | "Restart"
  | "Show log"
  | "Open settings"
  | "Askwire: the agent has ended. {0}"
  | "Askwire: open a folder first. The agent works in it."
  | "Askwire: the folder {0} is no longer there. Open it by its new name."
  | "Open Folder"
  | "{0}: outside of the workspace, proposed by the agent"
  | "Load the view again"
  | "Go on by quick pick"
  | "Askwire: the view does not load."
  | "expected a model, as PROVIDER:MODEL"
  | "expected a program and its arguments"
  | "expected interview, model, command, or an agent's name"
  | "expected an open folder: open the one that the agent is to work in"
  | "{0} is no longer there: open the folder by its new name"
  | "expected an address such as ws://127.0.0.1:PORT/wire"
  | "{0}. No token is kept: run 'Askwire: Enter the Token of the Gateway'"
  | "expected at most {0} sessions: close one"
  | "no agent is connected"
  | "this is not open any more, or does not take such an answer"
  | "this session is not open any more"
  | "{0}, file {1} of {2}"
  /** The tag by which {@link Language} knows the language of the texts. */
  | "the tag of this language"
  | "Tell the agent what to do instead. Escape leaves the approval open."
  | "Files of this approval"
  | "shown now"
  | "{0} was not saved: the approval stays open"
  | "Save and Approve"
  | "Your edits are saved first. An agent that writes whole files may still replace them."
  | "Approve Anyway"
  | "Your edits stay unsaved, beside the file that the agent writes."
  | "Unsaved edits: {0}"
  | "The approval changes what you have not saved. Escape leaves it open."
  | "this stays open: it changes a file with unsaved edits";

export const extension = { manifest, walkthrough };
/** The texts of the extension for VS Code in another language. */
export type ExtensionWords = typeof extension & {
  /** The locale by which the editor finds them. */
  readonly locale: string;
  readonly texts: Readonly<Record<ExtensionText, string>>;
};
