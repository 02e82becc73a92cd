// The tools as a host lists them: names, words for the model, and schemas.
import { fieldTypes } from "@askwire/protocol";

const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const text = (description: string) => ({ type: "string", description });

// Hosts whose validator is strict warn of a list of types.
const bound = { anyOf: [{ type: "number" }, { type: "string" }] };

const question = {
  type: "object",
  properties: {
    question: text("A specific question that stands on its own and ends with a question mark."),
    header: text("A short tag for the question, at most 12 characters."),
    options: {
      type: "array",
      description: "What the person may choose, usually 2 to 4. Leave it out for an open question.",
      items: {
        type: "object",
        properties: {
          label: text("What is chosen, in 1 to 5 words; labels of a question differ."),
          description: text("What choosing it leads to."),
        },
        required: ["label"],
        additionalProperties: false,
      },
    },
    multi_select: { type: "boolean", description: "True if several options may be chosen. Default: false." },
    field: {
      type: "object",
      description: "The form of the answer to a question without options.",
      properties: {
        type: { type: "string", enum: [...fieldTypes] },
        bounds: {
          type: "object",
          description: "The least and greatest number or date, or the fewest and most characters.",
          properties: { min: bound, max: bound },
          additionalProperties: false,
        },
        pattern: text("A regular expression that the text contains."),
        required: { type: "boolean", description: "False if it may be left empty. Default: true." },
        prefill: text("The text that the form begins with."),
      },
      required: ["type"],
      additionalProperties: false,
    },
    min: { type: "number", description: "The fewest options to choose, with multi_select." },
    max: { type: "number", description: "The most options to choose, with multi_select." },
  },
  required: ["question"],
  additionalProperties: false,
};

const handle = text("The handle that an earlier call returned for questions that were open.");

const outputSchema = {
  type: "object",
  properties: {
    outcome: {
      type: ["object", "null"],
      description:
        "How it ended: status answered, declined, expired, withdrawn or unavailable, with the reason. Null while it is open.",
    },
    answers: { type: "object", description: "The answers by question text. Empty unless answered." },
    items: {
      type: "array",
      description: "The answers by the ids of questions (q1) and options (q1_o2). Empty unless answered.",
      items: { type: "object" },
    },
    handle: text("The handle to come back with."),
    open: {
      type: "array",
      description: "The questions that are open.",
      items: {
        type: "object",
        properties: { handle: { type: "string" }, questions: { type: "array", items: { type: "string" } } },
        required: ["handle", "questions"],
      },
    },
    earlier: text("When it ended, if that was before this call, to an earlier one of the same words."),
    not_fetched: {
      type: "array",
      description: "The questions that have ended, and whose outcome no call has fetched.",
      items: {
        type: "object",
        properties: {
          handle: { type: "string" },
          questions: { type: "array", items: { type: "string" } },
          at: { type: "string" },
        },
        required: ["handle", "questions", "at"],
      },
    },
    lost: { type: "array", description: "What the person could not be shown.", items: { type: "string" } },
  },
};

/** The tools of the server. */
export const tools = [
  {
    name: "ask_user_question",
    title: "Ask the user",
    description: `Put questions to the person you work for, and go on with what they answer. They answer in their browser, on their phone or in a terminal, and may take as long as they need.

Ask when the next step depends on something only they can decide: a preference, a trade-off, an ambiguous requirement, a choice that is costly to undo. Do not ask for what you can find out yourself, for permission to do what was already requested, or to confirm routine work.

- Put questions that belong together into one call, at most four.
- Options are short and differ from each other; a description says what choosing one leads to. If you would choose one yourself, list it first and append "(Recommended)" to its label.
- The person always can answer in their own words, so do not add an option for that.
- If the result says that the questions are still open, call this tool again with the handle alone, as often as it takes, or do other work first. Never take silence for an answer.
- If the person declines, do not ask again; go on with your best judgement, or say what you need.`,
    inputSchema: {
      type: "object",
      properties: {
        questions: { type: "array", description: "The questions.", minItems: 1, items: question },
        handle: {
          ...handle,
          description: `${handle.description} Waits on for them; leave the questions out.`,
        },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations,
  },
  {
    name: "ask_user_status",
    title: "Questions that are open",
    description:
      "Tells at once which of your questions to the user are still open, with their handles; with a handle, what came of those questions. Use it to look for an answer while you do other work, or after a call of ask_user_question was cut off. It asks nothing; to wait, call ask_user_question with the handle.",
    inputSchema: { type: "object", properties: { handle }, additionalProperties: false },
    outputSchema,
    annotations,
  },
];
