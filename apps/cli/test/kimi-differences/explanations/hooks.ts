import type { Explanation } from "../explanation.js";
import { texts } from "./values.js";

export const hooks: readonly Explanation[] = [
  {
    about: "the hook of UserPromptSubmit",
    kimi: "is asked before TurnBegin; a prompt of parts is told to it as an empty text",
    ours: "is asked after TurnBegin (P-TRN-2), and told the text of the parts",
    why: "TurnBegin is the first event of a turn, so a client knows what HookTriggered belongs to; and a hook that looks for secrets sees the prompt.",
    where: [
      { scenario: /^hooks\//, message: /TurnBegin/, path: /^\(place\)$/ },
      { scenario: /^hooks\/prompt blocked$/, path: /payload\.(target|input_data\.prompt)$/ },
    ],
  },
  {
    about: "what is said of a prompt or call that a hook blocks",
    kimi: "the hook's reason alone",
    ours: "that a hook blocked it, and the reason",
    why: "Neither the person nor the model takes the words of a program for the person's.",
    where: [
      { scenario: /^hooks\/prompt blocked$/, message: /ContentPart/, path: /payload\.text$/, values: texts },
      { scenario: /^hooks\//, message: /ToolResult/, path: /return_value\.message$/, values: texts },
    ],
  },
  {
    about: "the hooks after a call",
    kimi: "PostToolUseFailure only for an exception in a tool; `tool_output` is the text of a Python object",
    ours: "PostToolUseFailure for every result that is an error, with `error`; `tool_output` is the output",
    why: "A result that says that it failed has failed, and the text is what the model reads.",
    where: [
      { scenario: /^hooks\//, path: /input_data\.tool_output$/ },
      {
        scenario: /^hooks\/all of a turn allowed$/,
        message: /Hook/,
        path: /payload\.(event|subscription_id|input_data\.(hook_event_name|error))$/,
      },
    ],
  },
  {
    about: "when the hooks after a call are asked",
    kimi: "beside the turn, about when the result is told",
    ours: "after the ToolResult",
    why: "The turn waits for them, so their HookResolved is never lost.",
    where: [
      {
        scenario: /^hooks\/(all of a turn allowed|approval after a hook)$/,
        message: /(ToolResult|Hook)/,
        path: /^\(place\)$/,
      },
    ],
  },
  {
    about: "the hooks of StopFailure and PostCompact",
    kimi: "are asked beside the turn, and their HookResolved is often lost",
    ours: "are asked within the turn: HookResolved comes before TurnEnd",
    why: "A client knows what became of every hook.",
    where: [
      { scenario: /^hooks\/failed step$/, message: /HookResolved/, path: /^\(added\)$/ },
      { scenario: /^hooks\/failed step$/, message: /TurnEnd/, path: /^\(place\)$/ },
      { scenario: /^compaction\/hooks$/, message: /Hook/, path: /^\((added|place)\)$/ },
      { scenario: /^compaction\/hooks$/, message: /HookRequest/, path: /estimated_token_count$/ },
    ],
  },
  {
    about: "the number of the step after a hook of Stop has blocked",
    kimi: "begins at 1 again",
    ours: "goes on (P-STP-1)",
    why: "A number names one step of the turn.",
    where: [{ scenario: /^hooks\/stop blocked$/, message: /StepBegin/, path: /payload\.n$/ }],
  },
  {
    about: "the result of a client's tool that is answered with an error",
    kimi: "the error's message; an empty one ends the turn with `-32603`",
    ours: "the error's message, for `-32601` with the sentence that the client does not run the tool; an empty one is said to be so",
    why: "A client's mistake must not end the turn.",
    where: [
      { scenario: /^external tools\/answered wrongly$/, message: /^response p1/, path: /^(error|result)$/ },
      { scenario: /^external tools\/answered wrongly$/, message: /StepInterrupted/, path: /^\(missing\)$/ },
      {
        scenario: /^external tools\/answered wrongly$/,
        message: /(StepBegin|ContentPart|StatusUpdate|ToolResult)/,
        path: /^\(added\)$/,
      },
    ],
  },
  {
    about: "a list to do in a tool's `display` with a status that nobody knows",
    kimi: "makes the whole result invalid",
    ours: "is told as it came",
    why: "What the tool did is worth more than how it is drawn.",
    where: [
      {
        scenario: /^external tools\/answered wrongly$/,
        message: /ToolResult 11/,
        path: /return_value\.(is_error|output|display\..*)$/,
      },
    ],
  },
  {
    about: "a call that is made again and again",
    kimi: "the third equal result has a note to the model, later ones sharper words",
    ours: "results stay as they are",
    why: "Clients see what the tool gave. The limit of steps ends a loop.",
    where: [
      {
        scenario: /^tools\/repeated calls$/,
        message: /ToolResult/,
        path: /return_value\.output$/,
        values: (kimi) => String(kimi).includes("<system-reminder>"),
      },
    ],
  },
];
