import { expect } from "vitest";
import type { ConnectOptions } from "../src/index.js";
import { type ExtendedLine, extendedServer, receipt } from "./extended-server.js";
import { person } from "./person.js";
import { question } from "./raw-server.js";

/** Asks a question on a line, whose client gives a receipt. */
export async function asked(line: ExtendedLine, payload = question): Promise<void> {
  line.ask("QuestionRequest", payload);
  expect(await line.next()).toEqual(receipt(payload.id));
}

/** Asks a question once more, without a number, and gets a receipt. */
export async function askedAgain(line: ExtendedLine, payload: object = question): Promise<void> {
  line.askAgain("QuestionRequest", payload as typeof question);
  expect(await line.next()).toEqual(receipt("r-1"));
}

/** A person who has been asked a question, and the server, which the test types. */
export async function askedPerson(options: ConnectOptions = {}, payload: object = question) {
  const { shown, handlers } = person();
  const server = await extendedServer({ ...options, handlers: { ...handlers, ...options.handlers } });
  await asked(server.line, payload as typeof question);
  return { ...server, shown };
}

/** A person who has been asked a question, and whose connection is cut. */
export async function askedAndCut(options?: ConnectOptions, payload?: object) {
  const there = await askedPerson(options, payload);
  await there.line.cut();
  return there;
}

/** A person who has declined a question, and the message that says so. */
export async function declinedPerson(options?: ConnectOptions) {
  const there = await askedPerson(options);
  there.shown[0]?.answer("declined");
  return { ...there, answer: await there.line.next() };
}
