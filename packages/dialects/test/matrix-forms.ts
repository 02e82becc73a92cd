import type { DeadlineInit, Dialect, Message } from "@askwire/server";
import { callLine } from "../../server/test/scenario.js";
import { dialects } from "../src/index.js";
import type { DialectColumn, Read } from "./matrix-table.js";

/** The model's view of a result. A result in a text does not tell if it is an error. */
export type ResultRead = Omit<Read, "goesOn" | "is_error"> & { readonly is_error?: boolean };

/** A model's way of calling a dialect. */
export interface Form {
  readonly name: string;
  readonly dialect: DialectColumn;
  make(deadline?: DeadlineInit): Dialect;
  /** A line of a script that asks "Which colour?", Red or Blue; with a number another one. */
  ask(id: string, other?: string, closed?: boolean): string;
  /** The result of the call in the messages of the model's next request. */
  read(messages: readonly Message[], id: string): ResultRead | undefined;
}

function readResult(messages: readonly Message[], id: string): ResultRead | undefined {
  for (const message of messages) {
    if (message.role !== "tool" || message.tool_call_id !== id) continue;
    const { is_error, output, message: explained } = message.result;
    return { is_error, output: output as string, message: explained };
  }
  return undefined;
}

const colours = (other: string) => `Which colour${other}?`;

const kimi: Form = {
  name: "kimi",
  dialect: "kimi",
  make: (deadline) => dialects.kimi(deadline && { deadline }),
  ask: (id, other = "") =>
    callLine(
      "AskUserQuestion",
      { questions: [{ question: colours(other), options: [{ label: "Red" }, { label: "Blue" }] }] },
      id,
    ),
  read: readResult,
};

const klaude: Form = {
  name: "klaude",
  dialect: "klaude",
  make: (deadline) => dialects.klaude(deadline && { deadline }),
  ask(id, other = "") {
    const options = [
      { label: "Red", description: "like a rose" },
      { label: "Blue", description: "like the sea" },
    ];
    const question = { question: colours(other), header: "Colour", options, multiSelect: false };
    return callLine("AskUserQuestion", { questions: [question] }, id);
  },
  read: readResult,
};

const redc: Form = {
  name: "redc",
  dialect: "redc",
  make: (deadline) => dialects.redc(deadline && { deadline }),
  ask: (id, other = "", closed = false) =>
    callLine(
      "ask_user",
      { question: colours(other), choices: ["Red", "Blue"], ...(closed && { allow_freeform: false }) },
      id,
    ),
  read: readResult,
};

const kilo: Form = {
  name: "kilo",
  dialect: "kilo",
  make: (deadline) => dialects.kilo(deadline && { deadline }),
  ask(id, other = "") {
    const follow_up = ["Red", "Blue"].map((text) => ({ text, mode: null }));
    return callLine("ask_followup_question", { question: colours(other), follow_up }, id);
  },
  read: readResult,
};

/** Calls in the model's text, whose results the model reads as the person's words. */
const kiloInText: Form = {
  name: "kilo-xml",
  dialect: "kilo",
  make: (deadline) => dialects["kilo-xml"](deadline && { deadline }),
  ask(_id, other = "") {
    const suggestions = "<suggest>Red</suggest>\n<suggest>Blue</suggest>";
    const question = `<question>${colours(other)}</question>\n<follow_up>\n${suggestions}\n</follow_up>`;
    return `text: ${JSON.stringify(`<ask_followup_question>\n${question}\n</ask_followup_question>`)}`;
  },
  read(messages) {
    const said = messages.flatMap((message) =>
      message.role === "user" && typeof message.content !== "string" ? message.content : [],
    );
    const [head, result] = said.flatMap((part) => (part.type === "text" ? [part.text] : []));
    if (head !== "[ask_followup_question for 'Which colour?'] Result:") return undefined;
    return result === undefined ? undefined : { output: result, message: "" };
  },
};

export const forms: readonly Form[] = [kimi, klaude, kilo, kiloInText, redc];
