import { fileURLToPath } from "node:url";

const program = (name: string, ...args: string[]) => [
  process.execPath,
  fileURLToPath(new URL(name, import.meta.url)),
  ...args,
];

/** A small client that does as it is told on its standard input, but for one fault. */
export const acting = (fault: string) => program("acting-client.mjs", fault);
const mishearing = (heard: string, done: string) => program("mishearing-client.mjs", heard, done, "{url}");

/** Faults of clients that are told their acts, each with its check, its command and the text of the failure. */
export const brokenActors: [fault: string, id: string, client: string[], expected: string][] = [
  ["answers twice", "C31", acting("answers twice"), "answer"],
  ["cancels twice", "C49", acting("cancels twice"), "the number of requests cancel 1"],
  ["takes words for an answer", "C52", acting("takes words for an answer"), "a request steer"],
  ["asks again in a replay", "C53", acting("asks again in a replay"), "a response with the id"],
  ["says discuss as if it were a refusal", "CX33", mishearing("discuss", "decline"), '"reason":"discuss"'],
  ["never comes back", "CX34", mishearing("connect", "end"), "the command to open a WebSocket"],
];
