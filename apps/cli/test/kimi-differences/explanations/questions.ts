import type { Explanation, Place } from "../explanation.js";
import { texts } from "./values.js";

const answered = (how: string): Place => ({
  scenario: new RegExp(`^approvals/answered with ${how}$`),
});
const odd = ["an error", "an unknown kind", "no id", "null"];

export const questions: readonly Explanation[] = [
  {
    about: "an approval that is answered with an error or something malformed",
    kimi: "counts as a rejection by the person: the turn ends",
    ours: "the call is not run, and the turn goes on (P-APR-5)",
    why: "No person said no. The model reads why.",
    where: odd.flatMap((how) => [
      { ...answered(how), message: /(StepBegin|ContentPart|StatusUpdate)/, path: /^\(added\)$/ },
    ]),
  },
  {
    about: "an approval that is open when its turn is cancelled",
    kimi: "ApprovalResponse comes after TurnEnd",
    ours: "ApprovalResponse comes before TurnEnd (P-APR-2)",
    why: "Nothing of a turn comes after its end, and a client that closes its dialogs at TurnEnd knows the outcome by then.",
    where: [
      { scenario: /^cancel\/at an approval$/, path: /^\(place\)$/ },
      { scenario: /^initialize\/during a turn$/, path: /^\(place\)$/ },
    ],
  },
  {
    about: "approvals under `--afk`",
    kimi: "are given",
    ours: "are not given, unless `--yolo` is on too (P-ATT-3)",
    why: "Nothing is approved because nobody is there.",
    where: [
      {
        scenario: /^approvals\/afk$/,
        message: /ToolResult 1/,
        path: /return_value\.(is_error|output|display\.0)$/,
      },
    ],
  },
  {
    about: "the `description` of an approval",
    kimi: "its own words, with the whole path",
    ours: "our own words, with the path from the folder",
    why: "The `display` has the whole path.",
    where: [{ message: /^request ApprovalRequest/, path: /payload\.description$/, values: texts }],
  },
  {
    about: "a question that is answered with an error",
    kimi: "counts as dismissed",
    ours: "`-32601` says that the client cannot show questions; any other is a failure, unless it says `User cancelled` (P-ANS-5)",
    why: "No person dismissed it: a handler that crashed answers so too.",
    where: [
      {
        scenario: /^questions\/answered with an error$/,
        message: /ToolResult [1-4]$/,
        path: /return_value\.(is_error|output)$/,
      },
    ],
  },
  {
    about: "a question that is answered with something malformed",
    kimi: "counts as dismissed",
    ours: "is a failure: `Failed to get user response.`",
    why: "No person dismissed it.",
    where: [
      {
        scenario: /^questions\/answered wrongly$/,
        message: /ToolResult/,
        path: /return_value\.(is_error|output)$/,
      },
    ],
  },
  {
    about: "answers that are blank",
    kimi: "count as an answer",
    ours: "are a dismissal (P-ANS-1)",
    why: "Nothing was said.",
    where: [
      {
        scenario: /^questions\/answered with nothing$/,
        message: /ToolResult 2/,
        path: /return_value\.output$/,
      },
    ],
  },
  {
    about: "questions with equal texts, equal or blank labels, or no text",
    kimi: "are sent",
    ours: "are told to the model as a mistake (P-KIM-4)",
    why: "An answer is keyed by the text and names a label: it could not be told apart.",
    where: ["equal texts", "equal labels", "blank labels"]
      .map((what): Place => ({ scenario: new RegExp(`^questions/with ${what}$`) }))
      .concat({ scenario: /^questions\/without a text$/ }),
  },
  {
    about: "`multiSelect` in a call of AskUserQuestion",
    kimi: "is ignored",
    ours: "is read as `multi_select` (P-KIM-3)",
    why: "Models write it so, and mean it.",
    where: [{ scenario: /^questions\/with more members$/, path: /multi_select$/ }],
  },
];
