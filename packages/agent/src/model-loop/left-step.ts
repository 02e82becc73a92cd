import type { ContentPart, ToolCall, ToolReturnValue, UserInput } from "@askwire/protocol";
import type { InText } from "@askwire/server";

/** A call of a step that an earlier process left. */
export interface LeftCall {
  readonly call: ToolCall;
  /** The number among the turn's calls with that id, from 1. */
  readonly nth: number;
  /** Set for a call that was written in the text. */
  readonly inText: InText | undefined;
  /** The result that clients were told; undefined for a call that has none yet. */
  result: ToolReturnValue | undefined;
  /** False for a call of which more may have been to come. */
  isWhole: boolean;
}

/** A step as clients were told it. */
export interface LeftStep {
  readonly n: number;
  content: ContentPart[];
  calls: LeftCall[];
  /** True once the model's whole message was told. */
  isSpoken: boolean;
  /** True after a StatusUpdate that is the step's, or one of plan mode: a provider that counts nothing leaves them alike. */
  mayBeSpoken: boolean;
  /** The words of persons that were taken after it. */
  readonly said: UserInput[];
}
