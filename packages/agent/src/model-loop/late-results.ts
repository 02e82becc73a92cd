import type { ContentPart, ToolReturnValue, UserInput } from "@askwire/protocol";
import type { LateResult, Message, Model, Turn } from "@askwire/server";

/** The results of questions in the background, for the model of one turn (P-XBG-2 to P-XBG-4). */
export interface LateResults {
  /** Gathers a result that comes later. */
  readonly add: (late: LateResult) => void;
  /** True while a result is to come. */
  readonly isOpen: boolean;
  /** The message that tells the model of the results that have come, and of the questions still open; none without news. */
  take(): Message[];
  /** Resolves with the next result. */
  next(): Promise<void>;
  /** The message for the next prompt, at the end of the turn: what the model was not told, and what has no answer. */
  rest(): Message[];
}

type Late = Extract<Message, { role: "user" }>;

export function lateResults(turn: Turn, model: Model): LateResults {
  const open = new Set<LateResult>();
  let come: ContentPart[][] = [];
  let wake = () => {};

  function add(late: LateResult): void {
    open.add(late);
    const end = (parts: ContentPart[]) => {
      if (!open.delete(late)) return;
      come.push(parts);
      wake();
    };
    late.result.then(
      (value) => end(resultParts(late, value, model)),
      // The turn ends with the wait, and its end reports the question.
      () => {},
    );
  }

  function message(last: string): Late[] {
    const parts = [...come.flat(), ...(last === "" ? [] : [text(last)])];
    come = [];
    return parts.length === 0 ? [] : [{ role: "user", content: joined(parts), kept: true }];
  }

  return {
    add,
    get isOpen() {
      return open.size > 0;
    },
    take() {
      if (come.length === 0) return [];
      const told = message(
        open.size === 0 ? "" : `Still open: ${[...open].map(({ what }) => what).join("; ")}`,
      );
      for (const { content } of told) turn.emit("SteerInput", { user_input: content });
      return told;
    },
    next() {
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    rest() {
      const left = [...open].map(
        ({ callId, what }) => `The turn ended before the user answered what call ${callId} asked: ${what}`,
      );
      open.clear();
      return message(left.join("\n"));
    },
  };
}

/** A result as parts of a message. Media that the model does not take is named by its type. */
function resultParts({ callId }: LateResult, value: ToolReturnValue, { inputs }: Model): ContentPart[] {
  const output = value.is_error ? value.message : value.output;
  const parts: ContentPart[] = typeof output === "string" ? [text(output)] : output;
  const taken = parts.map((part) =>
    part.type === "text" || inputs === undefined || (inputs as readonly string[]).includes(part.type)
      ? part
      : text(`[${part.type}]`),
  );
  return [text(endOf(callId)), ...taken];
}

const endOf = (callId: string) => `The question that call ${callId} asked in the background has ended:`;

/** True if the result of a question in the background was told in these words. */
export const tellsResultOf = (said: UserInput, callId: string): boolean =>
  (typeof said === "string" ? [said] : said.map((part) => (part.type === "text" ? part.text : ""))).some(
    (words) => words.includes(endOf(callId)),
  );

const text = (words: string): ContentPart => ({ type: "text", text: words });

/** One text where there is nothing else, its lines apart. */
function joined(parts: readonly ContentPart[]): string | ContentPart[] {
  const words = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return words.length === parts.length ? words.join("\n") : [...parts];
}
