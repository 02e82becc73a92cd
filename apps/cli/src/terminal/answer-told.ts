/** The first line of an answer: what it is about, and the decision. */
export interface AnswerHead {
  /** The sign in front: answered, or not. */
  readonly mark: string;
  readonly about: string;
  readonly decision: string;
}

/** An answer as the conversation shows it from then on. */
export interface AnswerTold {
  /** Undefined where the lines tell all. */
  readonly head?: AnswerHead;
  readonly lines: readonly string[];
}

export const headLine = ({ mark, about, decision }: AnswerHead): string => `${mark} ${about} ${decision}`;

/** All lines of an answer. */
export const toldLines = ({ head, lines }: AnswerTold): readonly string[] =>
  head === undefined ? lines : [headLine(head), ...lines];
