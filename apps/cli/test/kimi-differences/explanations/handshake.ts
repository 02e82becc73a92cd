import type { Explanation } from "../explanation.js";
import { longer, onlyOurError, texts } from "./values.js";

const response = /^response /;

export const handshake: readonly Explanation[] = [
  {
    about: "`server` of `initialize`",
    kimi: "its own name and version",
    ours: "`askwire` and the version of the command",
    why: "They are different programs.",
    where: [
      { message: response, path: /^result\.server\.name$/ },
      { message: response, path: /^result\.server\.version$/ },
    ],
  },
  {
    about: "`slash_commands`",
    kimi: "`init`, `add-dir`, `export`, `import` and a command for each skill besides",
    ours: "`clear` (`reset`), `compact`, `plan`, `yolo` and `afk`",
    why: "These work on what the agent here does not have: skills, further folders, files of sessions. The descriptions are our own words.",
    where: [
      { message: response, path: /^result\.slash_commands\.(init|add-dir|export|import|skill:.*)$/ },
      { message: response, path: /^result\.slash_commands\..*\.description$/, values: texts },
    ],
  },
  {
    about: "the text of an error",
    kimi: "a fixed text, such as `Invalid request`",
    ours: "the same text, a colon, and the place with what was expected",
    why: "Who writes a client finds the mistake. The codes are equal.",
    where: [{ message: response, path: /^error\.message$/, values: longer }],
  },
  {
    about: "an object with a method that is null",
    kimi: "`-32600` `Invalid response`",
    ours: "`-32600` `Invalid request: method: expected a string`",
    why: "What has a `method` is no response.",
    where: [
      {
        scenario: /^envelope\/lines$/,
        message: /^response null/,
        path: /^error\.message$/,
        values: (kimi) => kimi === "Invalid response",
      },
    ],
  },
  {
    about: 'a value of another type: `"yes"` or `1` for a boolean, `"5"` for a number',
    kimi: "is read as if it were of that type",
    ours: "`-32602`, or `-32600` in the envelope, with the place",
    why: "A mistake of the client is said to it, where a guess may be wrong.",
    where: [
      { scenario: /^initialize\/variants$/, message: /^response lax /, path: /^result$/ },
      {
        scenario: /^initialize\/variants$/,
        message: /^response lax /,
        path: /^error$/,
        values: onlyOurError(-32602),
      },
      { scenario: /^initialize\/hooks$/, message: /^response timeout text /, path: /^result$/ },
      {
        scenario: /^initialize\/hooks$/,
        message: /^response timeout text /,
        path: /^error$/,
        values: onlyOurError(-32602),
      },
      {
        scenario: /^envelope\/lines$/,
        message: /^response plan (yes|0) /,
        path: /^(result|error|\(place\))$/,
      },
      {
        scenario: /^envelope\/lines$/,
        message: /^(event StatusUpdate|journal (StatusUpdate|metadata))/,
        path: /^\(missing\)$/,
      },
      {
        scenario: /^envelope\/lines$/,
        message: /^response null/,
        path: /^\(added\)$/,
        values: (_, ours) => JSON.stringify(ours).includes("error: expected {code: integer"),
      },
    ],
  },
  {
    about: "`NaN` in a message",
    kimi: "is taken for JSON",
    ours: "`-32700`",
    why: "It is no JSON.",
    where: [
      { scenario: /^envelope\/lines$/, message: /^response nan/, path: /^\(missing\)$/ },
      {
        scenario: /^envelope\/lines$/,
        message: /^response null/,
        path: /^\(added\)$/,
        values: (_, ours) => JSON.stringify(ours).includes("-32700"),
      },
    ],
  },
  {
    about:
      "a `$ref` that leads nowhere, or a `pattern` that is no regular expression, in the schema of a client's tool",
    kimi: "is accepted",
    ours: "is rejected with the place",
    why: "No call could be checked against it.",
    where: [
      {
        scenario: /^initialize\/external tools$/,
        message: response,
        path: /external_tools\.rejected\.s[89]$/,
      },
      { scenario: /^initialize\/external tools$/, message: response, path: /external_tools\.accepted/ },
    ],
  },
  {
    about: "the `reason` of a rejected tool",
    kimi: "the text of a Python library over several lines",
    ours: "the place and what was expected, in one line",
    why: "The words are our own.",
    where: [
      {
        scenario: /^initialize\/external tools$/,
        message: response,
        path: /rejected\..*\.reason$/,
        values: texts,
      },
    ],
  },
  {
    about: "`hooks.configured` after `initialize` again",
    kimi: "counts all subscriptions that the client ever made",
    ours: "counts those of the last `initialize` (P-INI-5)",
    why: "A client that introduces itself again would be asked twice about each event.",
    where: [
      {
        scenario: /^initialize\/hooks$/,
        message: response,
        path: /^result\.hooks\.configured\.(PreToolUse|Stop|Notification)$/,
      },
      { scenario: /^initialize\/hooks$/, message: /^response bad matcher/, path: /configured\.PostToolUse$/ },
    ],
  },
  {
    about: "two hooks with one id, and a `matcher` that is no regular expression",
    kimi: "both count",
    ours: "the later one of the two counts, and a matcher that cannot be searched does not (P-HOK-1)",
    why: "An answer names its hook by the id.",
    where: [
      { scenario: /^initialize\/hooks$/, message: /^response same id/, path: /configured\.PostToolUse$/ },
      {
        scenario: /^initialize\/hooks$/,
        message: /^response bad matcher/,
        path: /configured\.PostToolUseFailure$/,
      },
    ],
  },
];
