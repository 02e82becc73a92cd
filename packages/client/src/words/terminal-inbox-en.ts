// The words of the inbox in a terminal, in English.
import { largestUnit } from "./any-language.js";

const time = (seconds: number): string => largestUnit(seconds).join(" ");

const number = (count: number): string => count.toLocaleString("en");

export const terminalInbox = {
  title: "Waiting for you",
  /** The number of those that are listed, and of all that wait. */
  some: (listed: number, all: number) => `${number(listed)} of ${number(all)}`,
  empty: "Nothing waits for you.",
  looking: "Looking for what waits…",
  question: "Question",
  approval: "Approval",
  /** The name of a session in which nothing was said. */
  untitled: "an agent",
  age: (seconds: number) => (seconds < 60 ? "now" : time(seconds)),
  /** The same in a narrow window. */
  shortAge: (seconds: number) => (seconds < 60 ? "now" : largestUnit(seconds).join("").replace("in", "")),
  left: (seconds: number) => (seconds <= 0 ? "time is over" : `${time(seconds)} left`),
  /** Somebody who is known by the client alone: there is no room for more. */
  somebodyIn: (client: string) => `in ${client}`,
  isAnswering: (names: readonly string[]) => `${names.join(", ")} at it`,
  isTaken: (name: string) => `taken by ${name}`,
  /** Taken by somebody who is known by the client alone. */
  isTakenIn: (client: string) => `taken in ${client}`,
  isOwn: "taken by you",
  /** The roles and persons that it is for, in the words of the asker. */
  isFor: (names: readonly string[]) => `for ${names.join(", ")}`,
  isForOthers: (names: readonly string[]) => `only for ${names.join(", ")}`,
  escalated: "escalated",
  /** Of an approval that several people must give. */
  mustApprove: (needed: number, names: readonly string[]) =>
    names.length === 0
      ? `${needed} must approve`
      : `approved by ${names.join(", ")}, ${needed - names.length} to go`,
  /** A key could not take a request, or give it back. */
  notTaken: (why: string) => `(not taken: ${why})`,
  notGivenBack: (why: string) => `(not given back: ${why})`,
  places: (count: number) => (count === 1 ? "1 server" : `${count} servers`),
  away: (name: string, why: string) => `${name} is away: ${why}`,
  unlisted: (name: string, why: string) => `${name} is left out: ${why}`,
  /** A server is gone although requests waited there. */
  ended: (name: string, waiting: number) =>
    `(${name} has ended with ${waiting === 1 ? "a request" : `${waiting} requests`} open; what it has stored comes back as stored sessions)`,
  gateway: "your gateway",
  kept: "stored sessions",
  above: (count: number) => `↑ ${count} more`,
  below: (count: number) => `↓ ${count} more`,
  opening: "Opening…",
  sending: "Sending your answer…",
  keys: {
    move: "↑↓ move",
    open: "Enter open",
    take: "t take",
    giveBack: "g give back",
    leave: "q quit",
    back: "Esc back",
  },
  /** In place of the words of a panel: Esc leads back to the list there. */
  inPanel: {
    back: "Esc back",
    decline: "Ctrl-D decline",
    nothingChosen: "Select at least one, or Ctrl-D to decline.",
    nothingChosenOrTyped: "Select at least one or type an answer, or Ctrl-D to decline.",
    blankText: "Type an answer first, or Ctrl-D to decline.",
    declineAgain: (questions: number) => `Press Ctrl-D again to decline${questions === 1 ? "" : " all"}.`,
  },
  notOpened: (why: string) => `(not opened: ${why})`,
  notThere: (asked: string) => `(it waits no longer) ${asked}`,
  /** Lines for screen readers. */
  counted: (all: number, listed: number) =>
    all === 0
      ? "Nothing waits for you."
      : `${number(all)} wait for you${listed < all ? `, the first ${number(listed)} are listed` : ""}:`,
  line: (number: number, kind: string, who: string, times: string, text: string) =>
    `${number}. ${kind} from ${who}, ${times}: ${text}`,
  since: (seconds: number) => (seconds < 60 ? "just now" : `since ${time(seconds)}`),
  /** The words on a request that somebody takes, or that is free again. */
  taken: (number: number, what: string) => `${number} is ${what}.`,
  free: (number: number) => `${number} is free again.`,
  gone: (number: number) => `${number} no longer waits.`,
  howToOpen:
    "Type a number to open it, t and a number to take it for you, g and a number to give it back, Enter to hear the list, q to quit. Ctrl-C goes back and decides nothing.",
  noSuchNumber: (said: string) => `There is no ${said}: type the number of a line.`,
};
/** The words of the inbox in a terminal. */
export type TerminalInboxWords = typeof terminalInbox;
