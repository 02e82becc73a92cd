import { oneLine } from "@askwire/server/internal";

/** A place in a questionnaire: keys and indexes from the top, such as `["questions", 2, "options"]`. */
export type QuestionnairePath = readonly (string | number)[];

/** Line and column, both counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * A questionnaire that cannot be used. The message is one line:
 * `FILE:LINE:COLUMN: PLACE: WHAT IS WRONG AND WHAT WAS EXPECTED`.
 */
export class QuestionnaireError extends Error {
  override readonly name = "QuestionnaireError";
  /** The questionnaire's name as it was given to the parser. */
  readonly file: string;
  /** The place as the message writes it, such as `questions[2].options`; empty for the whole file. */
  readonly place: string;
  /** The position in the text; undefined if unknown. */
  readonly position: Position | undefined;

  constructor(
    file: string,
    place: QuestionnairePath,
    position: Position | undefined,
    problem: string,
    cause?: unknown,
  ) {
    const where = position ? `${file}:${position.line}:${position.column}` : file;
    const path = formatPlace(place);
    super(oneLine([where, path, problem].filter(Boolean).join(": ")), { cause });
    this.file = file;
    this.place = path;
    this.position = position;
  }
}

/** `["questions", 2, "options"]` as `questions[2].options`. */
function formatPlace(place: QuestionnairePath): string {
  return place
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
