/** @import { Question } from "./contract.js" */

const options = [
  { label: "PostgreSQL", description: "Relational, in the stack" },
  { label: "SQLite", description: "One file, without a server" },
  { label: "Redis", description: "In memory and very fast" },
];

/** The option that every client picks, by position. */
export const chosenOption = 1;

const heldMark = "H";

/** @type {(text: string, turn: number) => Question} */
function question(text, turn) {
  const turned = options.map(
    (_, n) => /** @type {typeof options[0]} */ (options[(n + turn) % options.length]),
  );
  const expected = /** @type {typeof options[0]} */ (turned[chosenOption]).label;
  return { question: text, header: "Database", options: turned, expected };
}

/** The options in three orders, so that mixed-up answers are noticed. */
export const questions = options.map((_, turn) =>
  question("Which database should the service use for its sessions?", turn),
);

/** A question that the client shows and never answers. */
export const heldQuestion = question(
  `${heldMark}old on: which database should the service use at the end`,
  0,
);

/** @type {(text: string) => boolean} */
export const isHeld = (text) => text.startsWith(heldMark);
