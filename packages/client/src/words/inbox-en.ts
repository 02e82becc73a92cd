// The words of the inbox, in English. They are apart, so that a page loads them with the inbox.
import { largestUnit } from "./any-language.js";
import { failure } from "./apart-en.js";
import { decidedEnglish } from "./decided-en.js";

const number = (count: number): string => count.toLocaleString("en");
const units = { s: "s", min: "min", h: "h" };
const time = (seconds: number): string => {
  const [count, unit] = largestUnit(seconds);
  return `${count} ${units[unit]}`;
};

export const inboxEnglish = {
  /** A text that a tool wrote, in this language where it is one of ours. */
  told: (text: string): string => text,
  title: "Waiting for you",
  /** The way to the inbox, with the number of requests there. */
  way: (count: number) => (count === 0 ? "Inbox" : `Inbox (${number(count)})`),
  empty: "Nothing waits for you.",
  emptyNext: "What an agent asks comes here by itself. Begin a session, or go to one that there is.",
  loading: "Looking for what waits…",
  noLonger: (why: string) => `What waits is no longer told: ${why}. Load the page anew.`,
  question: "Question",
  approval: "Approval",
  due: "Time runs out",
  oldest: "Waiting",
  since: (seconds: number) => (seconds < 60 ? "just now" : `since ${time(seconds)}`),
  left: (seconds: number) => (seconds <= 0 ? "time is over" : `${time(seconds)} left`),
  asks: (name: string) => `${name} asks`,
  somebodyIn: (client: string) => `somebody in ${client}`,
  isAnswering: (names: readonly string[]) =>
    names.length === 1 ? `${names[0]} answers it` : `${names.join(", ")} answer it`,
  /** Somebody has taken it, so that others leave it to them. */
  isTaken: (name: string) => `${name} has taken it`,
  isOwn: "you have taken it",
  /** The roles and persons that it is for, in the words of the asker. */
  isFor: (names: readonly string[]) => `for ${names.join(", ")}`,
  isForOthers: (names: readonly string[]) => `only ${names.join(", ")} may answer`,
  escalated: "escalated",
  /** Of an approval that several people must give. */
  mustApprove: (needed: number, names: readonly string[]) =>
    names.length === 0
      ? `${needed} must approve`
      : `approved by ${names.join(", ")}, ${needed - names.length} to go`,
  /** Takes a request, and gives it back. */
  take: "Take",
  giveBack: "Give back",
  /** Shows more of a long list, of which so many are not shown. */
  more: (count: number, left: number) => `Show ${number(count)} more of ${number(left)}`,
  kept: "kept: opens its session again",
  untitled: "Nothing said yet",
  place: (folder: string, host: string) => [folder, host].filter((part) => part !== "").join(" on "),
  newSession: "New session",
  next: (text: string) => `Next: ${text}`,
  /** Below a card with the work of another device. */
  fromElsewhere: "What you began on another device is here.",
  /** Beside a list in which no row is open. */
  choose: "What you choose opens here.",
  filter: {
    search: "Search what waits",
    kind: "Kind",
    kinds: {
      all: "All",
      mine: "Mine",
      toMe: "To me",
      question: "Questions",
      approval: "Approvals",
      kept: "Kept",
    },
    found: (shown: number, all: number) => `${number(shown)} of ${number(all)} shown`,
  },
  /** The list of what was decided. */
  decided: decidedEnglish,
  notDone: (why: string) => `Not done: ${why}`,
  /** The parts that may fail, at the beginning of a sentence. */
  list: "The list of what waits for you",
  failure,
  row: "This request",
  /** A session in which nothing was said, which the page loads as late as its inbox. */
  begin: {
    title: (folder: string | undefined) =>
      folder === undefined ? "What should be done?" : `What should be done in ${folder}?`,
    asks: "The agent asks before it does what needs your approval, and where it has a question. Both come here, and wait for you.",
    comes: "The conversation is being fetched…",
    suggestions: [
      "Explain how this project is built, and where to begin reading.",
      "Run the tests, and mend what fails.",
      "Look through the latest changes, and tell me what could go wrong.",
    ],
  },
  /** The whole page of a connection that is over, by its end. */
  over: {
    revoked: {
      title: "This device was revoked.",
      next: "The server lets it in no more. The machine where the agent works gives you a new pairing code.",
    },
    token: {
      title: "The server refused the token.",
      next: "It makes a new one with each start, unless it keeps one. Enter the address that its last start printed, or a pairing code.",
    },
    session: {
      title: "The server does not have this session any more.",
      next: "It was closed, or its files are gone.",
    },
    kept: {
      title: "The server was started anew. It has kept this session.",
      next: "The conversation comes back, with what was open in it.",
    },
    replaced: {
      title: "Another connection of this page took over.",
      next: "Load the page anew to go on here.",
    },
    ended: { title: "The session was closed.", next: "Somebody closed it for everybody." },
    failed: { title: "The connection is over.", next: "Load the page anew to try once more." },
    unsent: "Copy what you had not sent before you go on: it ends with this page.",
    words: "Not sent to the agent",
  },
};
/** The words of the inbox, in one language. */
export type InboxWords = typeof inboxEnglish;
