// The tools as a host lists them: names, words for the model, and schemas.
import { fieldTypes } from "@askwire/protocol";

/**
 * The words for Claude Code: without them its model sees a name and no schema, until it has searched for the tool.
 * `anthropic/requiresUserInteraction` is not among them: it has a headless host refuse the tool, although the person
 * is elsewhere.
 */
const metaOf = (searchHint: string) => ({
  "anthropic/alwaysLoad": true,
  "anthropic/searchHint": searchHint,
});

/** The marks of tools that change nothing by themselves. */
export const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

/** The schema of a text. */
export const text = (description: string) => ({ type: "string", description });

// Hosts whose validator is strict warn of a list of types.
const bound = { anyOf: [{ type: "number" }, { type: "string" }] };

const question = {
  type: "object",
  properties: {
    question: text("A specific question that stands on its own and ends with a question mark."),
    header: text("A short tag for the question, at most 12 characters."),
    body: text("Markdown that stands above the options, for what the person has to know first."),
    options: {
      type: "array",
      description: "What the person may choose, usually 2 to 4. Leave it out for an open question.",
      items: {
        type: "object",
        properties: {
          label: text("What is chosen, in 1 to 5 words; labels of a question differ."),
          description: text("What choosing it leads to."),
          preview: text("Markdown to look at before choosing it, such as a code sample or a sketch."),
          recommended: { type: "boolean", description: "True for the option that you would choose." },
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
    message: text("All of the result in words."),
    approved: {
      type: ["boolean", "null"],
      description: "Of ask_user_approval: true only if the person approved. Null while it is open.",
    },
    feedback: text("The person's words about an approval."),
    outcome: {
      type: ["object", "null"],
      description:
        "How it ended: status answered, declined, expired, withdrawn or unavailable, with the reason. Null while it is open.",
    },
    answers: {
      type: "object",
      description: "The answers by question text; a list where several may be chosen. Empty unless answered.",
    },
    items: {
      type: "array",
      description:
        "The answers by the ids of questions (q1) and options (q1_o2), with labels, notes and skips. Empty unless answered.",
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
    not_listed: { type: "number", description: "The number of older open questions that are left out." },
    not_fetched_not_listed: { type: "number", description: "Likewise, of those in not_fetched." },
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
- To have an action allowed, call ask_user_approval instead.
- Options are short and differ from each other; a description says what choosing one leads to. If you would choose one yourself, list it first with "recommended": true.
- The person always can answer in their own words, so do not add an option for that.
- If the result says that the questions are still open, call this tool again with the handle alone, as often as it takes, or do other work first. Never take silence for an answer.
- Calls in parallel are shown side by side; what depends on an answer waits for it. Do not ask again what is open, not in other words either.
- If the person declines, do not ask again; go on with your best judgement, or say what you need.`,
    inputSchema: {
      type: "object",
      properties: {
        questions: { type: "array", description: "The questions.", minItems: 1, items: question },
        deadline_seconds: {
          type: "number",
          description:
            "The time for the person, if the answer is of no use later; then it has none. Default: no end.",
        },
        handle: {
          ...handle,
          description: `${handle.description} Waits on for them; leave the questions out.`,
        },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations,
    _meta: metaOf("ask the user a question, let them choose, clarify, decide between options"),
  },
  {
    name: "ask_user_approval",
    title: "Ask the user to allow an action",
    description: `Have the person you work for allow one action before you take it, and see its commands and changes first: something that is costly to undo, leaves this machine, spends money, or that they have asked to approve.

- A yes counts for this one action, as you described it. Whatever else comes of it, do not take the action, nor get the same effect in another way.
- The person may reject with words: do what they say.
- If the result says that the request is still open, call this tool again with the handle alone, or do other work first. Never take silence for consent.`,
    inputSchema: {
      type: "object",
      properties: {
        action: text("The action in a word or two, such as deploy."),
        description: text("The action in a sentence: what is done to what."),
        command: text("The command that you would run, whole."),
        changes: {
          type: "array",
          description: "The changes that you would make to files.",
          items: {
            type: "object",
            properties: {
              path: { type: "string" },
              old_text: text("The text before. Default: empty, for a new file."),
              new_text: text("The text after."),
            },
            required: ["path", "new_text"],
            additionalProperties: false,
          },
        },
        handle: {
          ...handle,
          description: `${handle.description} Waits on for the decision; leave the rest out.`,
        },
      },
      additionalProperties: false,
    },
    outputSchema,
    annotations,
    _meta: metaOf("ask the user to approve, confirm or allow an action before it is taken"),
  },
  {
    name: "ask_user_status",
    title: "Questions that are open",
    description:
      "Tells at once which of your questions to the user are still open, with their handles; with a handle, what came of those questions. Use it to look for an answer while you do other work, or after a call was cut off. It asks nothing; to wait, call the tool that asked with the handle.",
    inputSchema: { type: "object", properties: { handle }, additionalProperties: false },
    outputSchema,
    annotations,
    _meta: metaOf("questions to the user that are open, answers that came meanwhile"),
  },
];
