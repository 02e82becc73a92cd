import { type Ended, type Endings, type NativeResult, type QuestionAnswer, ToolError } from "@askwire/server";
import { brief } from "@askwire/server/internal";
import { TOO_MANY } from "../asked-texts.js";
import { imagesOf, notesOf } from "../said-beside.js";
import { withImages } from "../with-images.js";
import { failedTool, type KiloQuestion, optionId } from "./read-call.js";

/** Switches the mode of the agent. */
export type SwitchMode = (mode: string) => void | Promise<void>;

/** The text for the model if the person does not want to be asked. */
const NOT_TO_BE_ASKED =
  "<error>The user does not want to be asked questions in this session. Do not ask questions - make your best judgment and proceed with the task.</error>";
const YOLO =
  "<error>This tool is not available in yolo mode. Do not ask questions - make your best judgment and proceed with the task.</error>";

/** A result that is an error. */
export function failure(output: string, shown: string): NativeResult {
  return { is_error: true, output, display: brief(shown) };
}

/** A result that says why nobody was asked, or nothing came of it. */
export const failed = (why: string, shown: string): NativeResult => failure(failedTool(why), shown);

/** The text for the model, for each ending (P-KIL-4, P-KIL-5). */
export function kiloEndings(asked: KiloQuestion, switchMode: SwitchMode | undefined): Endings {
  return {
    answered: (ended) => answered(asked, ended, switchMode),
    dismissed: () => told("The user denied this operation.", "User dismissed"),
    discuss: ({ outcome: { note } }) =>
      told(
        `The user wants to talk about the question before answering it.${note === undefined ? "" : ` They said: ${note}`}`,
        "User wants to discuss",
      ),
    deadline: () => told("The question expired before the user answered it.", "Question expired"),
    superseded: () =>
      failure("A newer question took the place of this one, which was not answered.", "Question superseded"),
    agent: () => failed("The question was withdrawn before the user answered it.", "Question withdrawn"),
    unsupported: () => failure(YOLO, "Client unsupported"),
    unattended: () => failure(YOLO, "Nobody present"),
    do_not_ask: () => failure(NOT_TO_BE_ASKED, "Not to be asked"),
    client_lost: ({ outcome: { note = "the client went away" } }) => notAsked(note),
    protocol_error: ({ outcome: { note = "the client's answer was not understood" } }) => notAsked(note),
    subagent: () => failed("Only the main agent can ask the user.", "Not for sub-agents"),
    limit: () => failed(TOO_MANY, "Too many questions"),
    not_kept: () => notAsked("the question could not be saved"),
  };
}

const told = (output: string, shown: string): NativeResult => ({ output, display: brief(shown) });

const notAsked = (why: string) => failed(`Error asking question: ${why}`, "Question failed");

/** Makes the error for a call without a wire, or without a tool call. */
export function outsideError(missing: "wire" | "tool call"): ToolError {
  const why = missing === "wire" ? "no user is connected here" : "it was not called as a tool";
  return new ToolError({
    message: "",
    output: failedTool(`Error asking question: ${why}`),
    brief: missing === "wire" ? "Wire unavailable" : "Invalid context",
  });
}

async function answered(
  asked: KiloQuestion,
  ended: Ended,
  switchMode: SwitchMode | undefined,
): Promise<NativeResult> {
  const { outcome, answer } = ended;
  const text = answerInText(asked.question.question, ended);
  const images = imagesOf(ended);
  // A default is nobody's word, and asks for no mode.
  const isSaid = outcome.status === "answered";
  const mode = isSaid ? chosenMode(asked, answer) : undefined;
  const problem = mode === undefined ? undefined : await switched(mode, switchMode);
  const { advice } = asked;
  return {
    output: withImages(`<answer>\n${text}\n</answer>${problem ?? ""}`, images),
    display: brief(advice === undefined ? "User answered" : `User answered (${advice})`),
    ...(isSaid && {
      extras: {
        user_feedback: feedback(text, images.length),
        ...(mode !== undefined && problem === undefined && { mode }),
      },
    }),
  };
}

/** UTF-16 units of an answer that stand next to the output, which has all of it. */
const FEEDBACK = 64 * 1024;

const feedback = (text: string, images: number) => ({
  // Half a character at the end is dropped.
  text: text.slice(0, FEEDBACK).replace(/[\ud800-\udbff]$/, ""),
  ...(images > 0 && { images }),
});

/** Switches the mode. A failure leaves the answer intact, and the model is told. */
async function switched(mode: string, switchMode: SwitchMode | undefined): Promise<string | undefined> {
  try {
    await switchMode?.(mode);
    return undefined;
  } catch (error) {
    return `\nThe mode was not switched to ${mode}: ${error instanceof Error ? error.message : error}`;
  }
}

function chosenMode({ suggestions }: KiloQuestion, { items }: QuestionAnswer): string | undefined {
  const selected = items.flatMap((item) => item.selected);
  return suggestions.find((_, index) => selected.includes(optionId(index)))?.mode;
}

/** The answer to one question in words: own text, else the choice, and notes after it; never undefined. */
export function answerInText(question: string, ended: Ended): string {
  const { answers } = ended.answer;
  // A client of the base profile may call the question something else: there was but one.
  const said = answers[question] ?? Object.values(answers).find((text) => text.trim() !== "") ?? "";
  return [...(said === "" ? [] : [said]), ...notesOf(ended)].join("\n");
}
