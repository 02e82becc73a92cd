import { WireError } from "@askwire/protocol";
import { checkOptions, type OptionRules, option } from "@askwire/protocol/internal";
import {
  type Agent,
  type Clock,
  type History,
  type Model,
  ModelError,
  type SlashCommand,
  systemClock,
  type Tool,
  type ToolSet,
  type Turn,
} from "@askwire/server";
import { CallNumbers } from "./call-numbers.js";
import { compact } from "./compaction.js";
import { contextFigures } from "./context-figures.js";
import { ModelMemory } from "./conversation.js";
import { type AgentParts, ModelTurn } from "./model-turn.js";
import { refuseInputs } from "./refuse-inputs.js";
import { Reminders } from "./reminders.js";

/** The parts of a {@link modelAgent}. */
export interface ModelAgentOptions {
  /** Undefined: every prompt is answered with `-32001`. */
  readonly model: Model | undefined;
  /** Default: none. */
  readonly tools?: readonly Tool[];
  /** Tools that may be others at each prompt. They begin with each prompt and end with the session. Default: none. */
  readonly toolSets?: readonly ToolSet[];
  /** The instructions of every step. Default: only those that the state of the session adds. */
  readonly system?: string;
  /** The messages of earlier turns, and the place for later ones. Default: nothing is kept. */
  readonly history?: History | undefined;
  /** Tries of a step that a provider fails at for the moment. Default: 3. */
  readonly maxAttemptsPerStep?: number;
  /** Makes the commands that may begin a prompt. A command may change the given conversation. Default: none. */
  readonly commands?: (conversation: ModelConversation) => readonly SlashCommand[];
  /** Default: the system's. */
  readonly clock?: Clock;
}

const agentRules: OptionRules<ModelAgentOptions> = {
  model: option.having("a model with a function stream", "stream"),
  tools: option.list,
  toolSets: option.list,
  system: option.text,
  history: option.object,
  maxAttemptsPerStep: option.whole(1),
  commands: option.callable,
  clock: option.object,
};

/** The changes that a command may make to an agent's conversation. */
export interface ModelConversation {
  /** Forgets everything that was said. */
  clear(): void;
  /**
   * Replaces the conversation by the model's own summary. Resolves with false if it was empty, or if a client's hook
   * kept it.
   *
   * @throws WireError ModelNotSet without a model, ProviderError for a failure of its provider.
   */
  compact(turn: Turn): Promise<boolean>;
  /** Tells the clients how much of the model's context the conversation takes now. */
  tellFigures(turn: Turn): void;
}

/**
 * Makes an agent that runs a model in steps. The model speaks and calls tools, the tools run, and their results go
 * back, until a step has no calls. The agent holds one conversation, so make an agent for each session.
 *
 * @throws TypeError for an option that is unknown or does not fit.
 */
export function modelAgent(options: ModelAgentOptions): Agent {
  checkOptions("modelAgent", options, agentRules);
  const { tools: fixed = [], toolSets = [] } = options;
  const tools = () => [...fixed, ...toolSets.flatMap((set) => set.tools)];
  const parts: AgentParts = {
    conversation: new ModelMemory(options.history),
    numbers: new CallNumbers(),
    reminders: new Reminders(),
    system: options.system ?? "",
    maxAttempts: options.maxAttemptsPerStep ?? 3,
    clock: options.clock ?? systemClock,
    tools: (turn) => [...turn.dialectTools, ...tools()],
  };
  const commands = options.commands?.(modelConversation(options, parts));
  return {
    get tools() {
      return tools();
    },
    async close() {
      await Promise.all(toolSets.map((set) => set.close()));
    },
    resumes: true,
    ...(commands === undefined ? {} : { commands }),
    run(turn) {
      const model = modelOf(options);
      return asWireErrors(model, async () => {
        refuseInputs(model, turn.input);
        await Promise.all(toolSets.map((set) => set.begin(turn.signal)));
        await new ModelTurn(turn, model, parts).run();
      });
    },
  };
}

function modelConversation(
  options: ModelAgentOptions,
  { conversation, tools }: AgentParts,
): ModelConversation {
  return {
    clear: () => conversation.replace([]),
    compact(turn) {
      const model = modelOf(options);
      return asWireErrors(model, () => compact(turn, model, conversation, tools(turn), "manual"));
    },
    tellFigures: (turn) =>
      turn.emit("StatusUpdate", contextFigures(conversation.tokens, options.model ?? {})),
  };
}

function modelOf({ model }: ModelAgentOptions): Model {
  if (model === undefined) throw new WireError("ModelNotSet", "LLM is not set");
  return model;
}

/** Maps a provider's failure to the codes of the wire (P-TRN-4). */
async function asWireErrors<T>({ login = false }: Model, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const name = login && error.status === 401 ? "AuthExpired" : "ProviderError";
    throw new WireError(name, error.message, { cause: error });
  }
}
