// @ts-check
// A user interface over the question form, as small as can be. Each line of its input is a key by its name (down, enter,
// tab, space, …), or a text that is typed; the form is printed before each. Usage: node question-form.mjs COMMAND [ARGUMENT…]
// #region question-form
import {
  formAction,
  hasReview,
  isChosen,
  keyNames,
  questionForm,
  questionRows,
  reduceForm,
  shownQuestion,
  statusOf,
} from "@askwire/client/form";
import { connectProcess, textLines } from "@askwire/client/stdio";

/** The form that was filled in last, and the request that it belongs to. */
let last = { id: "", form: questionForm([]) };

/**
 * @param {import("@askwire/client").QuestionView} view
 * @param {import("@askwire/client").RequestContext} context
 */
async function question({ id, questions }, { issues, touch }) {
  let form = questionForm(questions);
  // An answer that the server refuses is asked for again: the form is as it was, and says why.
  if (issues.length > 0 && last.id === id) form = reduceForm(last.form, { type: "refused", issues });
  while (form.result === undefined) {
    console.log(page(form).join("\n"));
    const action = formAction(form, await nextKey(), performance.now());
    touch(); // The person has begun: a deadline stands still.
    if (action !== undefined) form = reduceForm(form, action);
  }
  last = { id, form };
  return form.result;
}
// #endregion question-form

/** @param {import("@askwire/client/form").FormState} form */
function page(form) {
  const { questions, drafts, tab, reviewRow, reading, hint } = form;
  const page = [];
  if (hasReview(form)) {
    const marks = { open: "☐", answered: "✔", edited: "◐" };
    const tabs = questions.map((question, index) => {
      const draft = drafts[index];
      return `${draft && marks[statusOf(question, draft)]} ${question.header || question.id}`;
    });
    page.push([...tabs, "Review"].map((label, index) => (index === tab ? `[${label}]` : label)).join(" "));
  }
  const shown = shownQuestion(form);
  if (reading) {
    page.push(...questions.flatMap(({ question, body }) => [question, body]));
  } else if (shown === undefined) {
    page.push(...["Submit", "Cancel"].map((label, index) => `${index === reviewRow ? ">" : " "} ${label}`));
  } else {
    const { question, draft } = shown;
    page.push(question.question);
    questionRows(question).forEach((row, index) => {
      const mark = row.is === "confirm" ? "" : isChosen(question, draft, row) ? "[x] " : "[ ] ";
      page.push(`${index === draft.row ? ">" : " "} ${index + 1} ${mark}${label(question, draft, row)}`);
    });
  }
  if (hint !== undefined) page.push(`! ${hint.why}`);
  return page.map((line) => line.replace(/\p{Cc}/gu, "⏎")); // Foreign text must not steer the terminal.
}

/**
 * @param {import("@askwire/client").QuestionView["questions"][number]} question
 * @param {import("@askwire/client/form").QuestionDraft} draft
 * @param {import("@askwire/client/form").Row} row
 */
function label({ options, other_label }, { text: { text, caret } }, row) {
  if (row.is === "option") return options[row.index]?.label;
  if (row.is === "confirm") return "Done";
  return `${other_label || "Other"}: ${text.slice(0, caret)}|${text.slice(caret)}`;
}

const [command = "", ...args] = process.argv.slice(2);
const lines = textLines(process.stdin);

/**
 * A line of the input as a key. The end of the input is nobody's answer: the program ends, and the question with it.
 *
 * @returns {Promise<import("@askwire/client/form").FormKey>}
 */
async function nextKey() {
  const { done, value } = await lines.next();
  if (done) {
    console.error("The input has ended, so nobody here can answer.");
    process.exit(4);
  }
  const key = keyNames.find((name) => name === value);
  if (key !== undefined) return { key };
  return { text: value === "space" ? " " : value };
}

const session = await connectProcess(command, args, { handlers: { question } });
for await (const { type, payload } of session.prompt("Set up the project"))
  if (type === "ContentPart" && payload.type === "text") console.log(payload.text);
await session.close().then(() => process.stdin.destroy());
