import type { Explanation } from "../explanation.js";
import { texts } from "./values.js";

const result = /^(event|journal) ToolResult/;

export const tools: readonly Explanation[] = [
  {
    about: "the `message` of a result",
    kimi: "its own words to the model",
    ours: "our own words",
    why: "It is prose for the model. `is_error`, `output`, `display` and `extras` are equal but for what stands below.",
    where: [{ message: result, path: /return_value\.message$/, values: texts }],
  },
  {
    about: "the text of a `brief`",
    kimi: "its own words; the end of a failed command's output besides",
    ours: "our own words",
    why: "It is prose for the person. There is a `brief` where Kimi has one.",
    where: [{ message: result, path: /return_value\.display\.\d+\.text$/, values: texts }],
  },
  {
    about: "the `output` of SetTodoList",
    kimi: "that the list is updated; the list only when it is asked for",
    ours: "the list",
    why: "The model sees what is set. The `display` is equal.",
    where: [
      {
        message: result,
        path: /return_value\.output$/,
        values: (kimi) => /^(Todo list|Current todo list)/.test(String(kimi)),
      },
    ],
  },
  {
    about:
      "tools that only Kimi has: Agent, Glob, Grep, ReadMediaFile, SearchWeb, FetchURL, TaskList, TaskOutput, TaskStop",
    kimi: "run",
    ours: "are unknown: the result is an error",
    why: "The command's agent is small: Shell, ReadFile, WriteFile, StrReplaceFile and SetTodoList, and what asks the person. Sub-agents and other tools are for who embeds the server.",
    where: [
      {
        scenario: /^tools\/that only kimi has$/,
        message: result,
        path: /return_value\.(is_error|output|display\.0)$/,
      },
      { scenario: /^tools\/sub-agent$/ },
    ],
  },
  {
    about: "a line of ReadFile over 2,000 characters",
    kimi: "ends in three dots within these",
    ours: "has its first 2,000 characters",
    why: "What stands there is in the file. The message names the lines that are cut.",
    where: [{ scenario: /^tools\/ReadFile$/, message: /ToolResult 9$/, path: /return_value\.output$/ }],
  },
  {
    about: "ReadFile of a file with CR LF",
    kimi: "shows LF",
    ours: "shows CR LF",
    why: "A model that replaces text needs it unchanged.",
    where: [{ scenario: /^tools\/ReadFile$/, message: /ToolResult 12$/, path: /return_value\.output$/ }],
  },
  {
    about: "WriteFile into a folder that is not there",
    kimi: "is an error",
    ours: "makes the folder",
    why: "The person approves the path that is shown.",
    where: [
      {
        scenario: /^tools\/WriteFile$/,
        message: /ToolResult 6$/,
        path: /return_value\.(is_error|display\.0.*)$/,
      },
      { scenario: /^tools\/WriteFile$/, message: /^file missing/, path: /^\(added\)$/ },
    ],
  },
  {
    about: "StrReplaceFile where `old` occurs more than once, or is empty",
    kimi: "replaces the first one",
    ours: "changes nothing, and says so",
    why: "The model may have meant another one.",
    where: [
      {
        scenario: /^tools\/StrReplaceFile$/,
        message: /ToolResult [2346]$/,
        path: /return_value\.(is_error|display\.\d.*)$/,
      },
      { scenario: /^tools\/StrReplaceFile$/, message: /^file /, path: /^\(value\)$/ },
    ],
  },
  {
    about: "StrReplaceFile with equal texts",
    kimi: "is an error",
    ours: "is no error: the file is as it should be",
    why: "There is nothing to repair.",
    where: [
      {
        scenario: /^tools\/StrReplaceFile$/,
        message: /ToolResult 7$/,
        path: /return_value\.(is_error|display\.0)$/,
      },
    ],
  },
  {
    about: "a command that runs longer than its `timeout`",
    kimi: "is killed: the result is an error",
    ours: "the person is asked whether to wait on; where nobody can be asked it is ended",
    why: "A build that takes long is not lost.",
    where: [
      { scenario: /^tools\/Shell$/, message: /QuestionRequest/, path: /^\(added\)$/ },
      { scenario: /^tools\/Shell$/, message: /ToolResult 7$/ },
    ],
  },
  {
    about: "a long output of Shell",
    kimi: "keeps the beginning, up to 50,000 characters, and 2,000 of a line",
    ours: "keeps the beginning and the end of it, and counts what is between",
    why: "The error stands at the end.",
    where: [{ scenario: /^tools\/Shell$/, message: /ToolResult 1[34]$/, path: /return_value\.output$/ }],
  },
];
