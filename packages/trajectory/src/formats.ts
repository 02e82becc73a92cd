import type { ExampleUnit, TrainingExample } from "./examples.js";
import type { TrajectoryMessage } from "./trajectory.js";

/** The formats of training programs (P-TRJ-10). */
export const trainingFormats = ["trl", "openai", "axolotl", "llamafactory", "sharegpt"] as const;
/** A value of {@link trainingFormats}. */
export type TrainingFormat = (typeof trainingFormats)[number];

/** The shape of a format. */
interface Shape {
  /** `turn` where the format or its trainer masks messages, `step` where only a last message can be learned alone. */
  readonly unit: ExampleUnit;
  /** The line of an example; undefined where the format has no place for a part of it. */
  line(example: TrainingExample): object | undefined;
}

type Assistant = Extract<TrajectoryMessage, { role: "assistant" }>;
type Call = NonNullable<Assistant["tool_calls"]>[number];

/** A message of a chat, as templates of chats read it. */
interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  content: string;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

const shapes: { readonly [F in TrainingFormat]: Shape } = {
  trl: {
    unit: "turn",
    line(example) {
      const { context, own } = chats(example, argumentsObject);
      return {
        prompt: [...instructions(example), ...context],
        completion: own,
        tools: toolsText(example),
      };
    },
  },
  openai: {
    unit: "turn",
    line(example) {
      const { context, own } = chats(example, argumentsText);
      return {
        messages: [...instructions(example), ...weighed(context, 0), ...weighed(own, 1)],
        ...tools(example),
      };
    },
  },
  axolotl: {
    unit: "turn",
    line(example) {
      const { context, own } = chats(example, argumentsObject);
      return {
        messages: [
          ...[...instructions(example), ...context].map((message) => ({ ...message, train: false })),
          ...own.map((message) => ({ ...message, train: message.role === "assistant" })),
        ],
        tools: toolsText(example),
      };
    },
  },
  llamafactory: { unit: "step", line: llamaFactoryLine },
  sharegpt: { unit: "step", line: shareGptLine },
};

/** The unit of a format's examples: see {@link formatLine}. */
export const unitOf = (format: TrainingFormat): ExampleUnit => shapes[format].unit;

/** Writes an example in a format; undefined where the format has no place for a part of it (P-TRJ-10). */
export const formatLine = (format: TrainingFormat, example: TrainingExample): object | undefined =>
  shapes[format].line(example);

type Given = Pick<TrainingExample, "system" | "tools">;

const instructions = ({ system }: Given): ChatMessage[] =>
  system === undefined ? [] : [{ role: "system", content: system }];

const toolFunctions = ({ tools }: Given) =>
  tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));

/** Tools as text, which these trainers read, and no loader merges with the tools of other examples. */
const toolsText = (given: Given) => (given.tools.length === 0 ? null : JSON.stringify(toolFunctions(given)));

const tools = (given: Given) => (given.tools.length === 0 ? {} : { tools: toolFunctions(given) });

/** Messages with the weight of those of the model. The format has no name of a tool beside its result. */
const weighed = (messages: readonly ChatMessage[], weight: 0 | 1) =>
  messages.map(({ name: _, ...message }) =>
    message.role === "assistant" ? { ...message, weight } : message,
  );

const argumentsText = ({ arguments: text }: Call): string => text;

/** The arguments as an object. Text that is not one is wrapped, as providers are sent it. */
function argumentsObject({ arguments: text }: Call): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Wrapped below.
  }
  return { invalid_arguments: text };
}

/** The result of a call that the end of its turn overtook: providers refuse a call without one. */
const OVERTAKEN = "<system>ERROR: The turn ended before this call had a result.</system>";

/** Messages as a provider reads them: results of calls in one text are one message of the person. */
function chat(messages: readonly TrajectoryMessage[], args: (call: Call) => string | object): ChatMessage[] {
  const all: ChatMessage[] = [];
  /** The calls of the last message of the model that have no result yet. */
  let open: Call[] = [];
  let before: TrajectoryMessage | undefined;
  for (const message of messages) {
    const last = all.at(-1);
    if (message.role === "tool" && message.tool_call_id !== undefined) {
      const at = open.findIndex(({ id }) => id === message.tool_call_id);
      all.push(toolMessage(message.tool_call_id, open[at]?.name, message.content));
      open = open.filter((_, index) => index !== at);
    } else {
      all.push(...open.map(({ id, name }) => toolMessage(id, name, OVERTAKEN)));
      open = (message.role === "assistant" && message.tool_calls) || [];
      if (isInText(message) && isInText(before) && last !== undefined) last.content += `\n${message.content}`;
      else all.push(chatMessage(message, args));
    }
    before = message;
  }
  return all;
}

const isInText = (message: TrajectoryMessage | undefined) =>
  message?.role === "tool" && message.tool_call_id === undefined;

const toolMessage = (tool_call_id: string, name: string | undefined, content: string): ChatMessage => ({
  role: "tool",
  tool_call_id,
  ...(name !== undefined && { name }),
  content,
});

function chatMessage(message: TrajectoryMessage, args: (call: Call) => string | object): ChatMessage {
  const { role, content } = message;
  // The model reads the result of a call in its text as something that the person said.
  if (role === "tool") return { role: "user", content };
  if (role !== "assistant" || message.tool_calls === undefined) return { role, content };
  return { role, content, tool_calls: message.tool_calls.map((call) => calling(call, args)) };
}

/** The chat of an example, cut where its own part begins. A call without a result gets one before that. */
function chats(
  { context, own }: Pick<TrainingExample, "context" | "own">,
  args: (call: Call) => string | object,
) {
  const [all, mine] = [chat([...context, ...own], args), chat(own, args)];
  return { context: all.slice(0, all.length - mine.length), own: mine };
}

const calling = (call: Call, args: (call: Call) => string | object) => ({
  id: call.id,
  type: "function",
  function: { name: call.name, arguments: args(call) },
});

/** The form of LLaMA-Factory's `sharegpt`: a person's side and the model's take turns. */
function llamaFactoryLine({ context, own, ...given }: TrainingExample): object | undefined {
  const conversations: { from: string; value: string }[] = [];
  for (const message of chat([...context, ...own], argumentsObject)) {
    const last = conversations.at(-1);
    const said = llamaFactoryMessage(message);
    if (said === undefined) return undefined;
    if (said.from === "observation" && last?.from === "observation")
      last.value += `\n</tool_response>\n<tool_response>\n${said.value}`;
    else conversations.push(said);
  }
  const isEven = ({ from }: { from: string }) => from === "gpt" || from === "function_call";
  if (conversations.some((said, index) => isEven(said) !== (index % 2 === 1))) return undefined;
  return {
    conversations,
    system: given.system ?? "",
    tools: given.tools.length === 0 ? "" : JSON.stringify(toolFunctions(given).map((tool) => tool.function)),
  };
}

/** A message with text or several thoughts beside calls has no place there. */
function llamaFactoryMessage({ role, content, tool_calls }: ChatMessage) {
  if (role === "user") return { from: "human", value: content };
  if (role === "tool") return { from: "observation", value: content };
  const said = content.replace(THOUGHT, "<think>\n$1\n</think>\n\n");
  if (tool_calls === undefined) return { from: "gpt", value: said };
  const thoughts = content.match(THOUGHT) ?? [];
  if (thoughts.length > 1 || content.replace(THOUGHT, "").trim() !== "") return undefined;
  const calls = tool_calls.map((call) => (call as { function: object }).function);
  return { from: "function_call", value: `${said}${JSON.stringify(calls.length === 1 ? calls[0] : calls)}` };
}

/** A thought, which LLaMA-Factory finds on lines of its own. */
const THOUGHT = /<think>([\s\S]*?)<\/think>\n?/g;

/** The form of ShareGPT, with tools and calls as Hermes models read and write them. */
function shareGptLine({ context, own, ...given }: TrainingExample): object {
  const functions = toolFunctions(given);
  const signatures = functions.map((tool) => JSON.stringify(tool)).join("\n");
  const told = functions.length === 0 ? [] : [`${HERMES}\n<tools>\n${signatures}\n</tools>\n${HERMES_CALL}`];
  const system = [...(given.system === undefined ? [] : [given.system]), ...told].join("\n\n");
  const conversations = chat([...context, ...own], argumentsObject).map(shareGptMessage);
  return {
    conversations: system === "" ? conversations : [{ from: "system", value: system }, ...conversations],
    tools: functions.length === 0 ? "[]" : JSON.stringify(functions),
  };
}

const HERMES = "You may call functions to assist with the user query. Here are their signatures:";
const HERMES_CALL =
  'For each call, write a JSON object with its name and arguments:\n<tool_call>\n{"name": "…", "arguments": {…}}\n</tool_call>';

function shareGptMessage({ role, content, tool_calls = [] }: ChatMessage) {
  if (role === "user") return { from: "human", value: content };
  if (role === "tool") return { from: "tool", value: `<tool_response>\n${content}\n</tool_response>` };
  const calls = tool_calls.map((call) => {
    const { name, arguments: args } = (call as { function: { name: string; arguments: object } }).function;
    return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
  });
  return { from: "gpt", value: [...(content === "" ? [] : [content]), ...calls].join("\n") };
}
