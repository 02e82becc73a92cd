import { PARAM_QUERY } from "@askwire/dialects/internal";
import type { ToolCall, ToolReturnValue } from "@askwire/protocol";
import { nameKey } from "@askwire/protocol/internal";
import type { TrajectoryFlags } from "./trajectory.js";

/** A call as the journal has it. */
export interface RecordCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, whole once its step is. */
  arguments: string;
  /** The end of the call in the model's text, if it was written there. */
  readonly end: number | undefined;
  /** The known parts of a call in the text besides its arguments (P-17, P-18). */
  readonly extras: ToolCall["extras"];
  result: ToolReturnValue | undefined;
}

/** Counts the fate of a session's calls, step by step (P-TRJ-5). */
export function callFacts() {
  /** Answered queries without a call yet, by their subject. */
  const open = new Map<string, number>();
  const counted: Omit<TrajectoryFlags, "success"> = {
    queries: 0,
    filled_after_query: 0,
    validation_errors: 0,
    unanswered_queries: 0,
    dropped_calls: 0,
    hallucinated_result: false,
  };

  function query({ arguments: text, result }: RecordCall): void {
    counted.queries += 1;
    if (result === undefined) counted.unanswered_queries += 1;
    else if (!result.is_error) {
      const about = actionOf(text, result);
      if (about !== undefined) open.set(about, (open.get(about) ?? 0) + 1);
    }
  }

  function action({ name, result }: RecordCall): void {
    const about = nameKey(name);
    counted.filled_after_query += open.get(about) ?? 0;
    open.delete(about);
    if (result === undefined) counted.dropped_calls += 1;
    else if (isValidationError(result)) counted.validation_errors += 1;
  }

  return {
    counted,
    /** The calls of a step that is over. */
    add(calls: readonly RecordCall[]): void {
      for (const call of calls) {
        const { name, extras } = call;
        counted.hallucinated_result ||= extras?.stripped_result === true;
        // A call that cannot be read is told as a query, which the model did not make.
        if (extras?.unread === true) counted.validation_errors += 1;
        else {
          if (Array.isArray(extras?.not_executed)) counted.dropped_calls += extras.not_executed.length;
          (name === PARAM_QUERY ? query : action)(call);
        }
      }
    },
  };
}

/** The subject of a query: the action in the answer's words, else in the query's. */
function actionOf(asked: string, { output }: ToolReturnValue): string | undefined {
  const answer = typeof output === "string" ? objectOf(output) : {};
  const { canonical_action = answer.action ?? objectOf(asked).action } = answer;
  return typeof canonical_action === "string" ? nameKey(canonical_action) : undefined;
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Arguments that did not fit, in the words of the tools that say so. */
function isValidationError({ is_error, output, message }: ToolReturnValue): boolean {
  const told = message !== "" ? message : typeof output === "string" ? output : "";
  return is_error && /^(?:Parameter Validation Failed|Invalid arguments)\b/.test(told);
}
