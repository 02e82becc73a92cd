import { basename } from "node:path";
import { visibleLine } from "@askwire/client/text";
import { addressedIn, approvalsIn, claimIn, type TerminalWords, whoActs } from "@askwire/client/words";
import type { HeardRequest } from "@askwire/protocol";
import type { InboxRow } from "./waiting.js";

type Words = TerminalWords["inbox"];

const SECOND_MS = 1_000;

/** The asker: the connected program, else the session by its subject, else its agent; and the folder. */
export function whoAsks({ request, place }: InboxRow, words: Words): string {
  const { program, title, agent, folder = "" } = request;
  const name = program ?? title ?? agent ?? place.name ?? words.untitled;
  const where = program === undefined ? basename(folder) : "";
  return visibleLine(where === "" || where === name ? name : `${name} (${where})`);
}

/**
 * The title of the list, with the number of requests in it.
 *
 * @param all the number of those that wait.
 */
export const listTitle = (count: number, all: number, words: Words): string =>
  count === 0 ? words.title : `${words.title} (${all > count ? words.some(count, all) : count})`;

const kindOf = ({ kind }: HeardRequest, words: Words): string =>
  kind === "approval" ? words.approval : words.question;

/** The seconds for which a request waits. */
export const ageOf = ({ since }: HeardRequest, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(since)) / SECOND_MS)) || 0;

/** The seconds that are left; undefined without a deadline. */
export const leftOf = ({ deadline }: HeardRequest, now: number): number | undefined =>
  deadline === undefined ? undefined : Math.ceil((Date.parse(deadline) - now) / SECOND_MS) || 0;

/**
 * The words on those whom it is for, on how many must approve and who has, on who has taken it, and on the people who are at
 * it on other clients: by their names where the server knows them, else by the client.
 */
export function wordsOnPeople(request: HeardRequest, words: Words): string[] {
  const { answering = [] } = request;
  const { names, mayAnswer, isEscalated } = addressedIn(request);
  const shown = names.map(visibleLine);
  const approvals = approvalsIn(request, words.somebodyIn);
  const taken = claimIn(answering);
  const others = answering
    .filter((one) => one !== taken?.by)
    .map((one) => visibleLine(whoActs(one, words.somebodyIn)));
  return [
    ...(names.length === 0 ? [] : [mayAnswer ? words.isFor(shown) : words.isForOthers(shown)]),
    ...(isEscalated ? [words.escalated] : []),
    ...(approvals === undefined
      ? []
      : [words.mustApprove(approvals.needed, approvals.names.map(visibleLine))]),
    ...(taken === undefined ? [] : [wordOnClaim(taken, words)]),
    ...(others.length === 0 ? [] : [words.isAnswering(others)]),
  ];
}

/** The word on who has taken a request. */
export function wordOnClaim({ by, isOwn }: NonNullable<ReturnType<typeof claimIn>>, words: Words): string {
  if (isOwn) return words.isOwn;
  const person = visibleLine(whoActs(by, () => ""));
  return person === "" ? words.isTakenIn(visibleLine(by.name)) : words.isTaken(person);
}

/** The line of a request for those who hear it: who asks, since when, until when, and what. */
export function spokenLine(row: InboxRow, number: number, now: number, words: Words): string {
  const { request } = row;
  const left = leftOf(request, now);
  const times = [
    words.since(ageOf(request, now)),
    ...(left === undefined ? [] : [words.left(left)]),
    ...wordsOnPeople(request, words),
  ].join(", ");
  return words.line(number, kindOf(request, words), whoAsks(row, words), times, visibleLine(request.text));
}

/** The milliseconds until a row is told in other words. */
export function untilOther({ request }: InboxRow, now: number): number {
  const left = request.deadline === undefined ? undefined : Date.parse(request.deadline) - now;
  const age = now - Date.parse(request.since);
  const minute = 60 * SECOND_MS - (((age % (60 * SECOND_MS)) + 60 * SECOND_MS) % (60 * SECOND_MS));
  if (left === undefined || left <= 0) return minute;
  return Math.min(minute, left < 120 * SECOND_MS ? left % SECOND_MS || SECOND_MS : 30 * SECOND_MS);
}
