import { type ContentPart, type UserInput, WireError } from "@askwire/protocol";
import type { Agent, ResumedTurn, SlashCommand, TakesLater, Tool, ToolSet, Turn } from "../agent/agent.js";
import type { History } from "../agent/agent-session.js";
import { type Message, type Model, ModelError, type ModelInput, retryable } from "../agent/model.js";
import { type Clock, systemClock, unlessAborted } from "../runtime/clock.js";
import { compact, needsCompaction } from "./compaction.js";
import { contextFigures } from "./context-figures.js";
import { createConversation } from "./conversation.js";
import { interruptedTextCalls } from "./interrupted-text-calls.js";
import { type LateResults, lateResults, tellsResultOf } from "./late-results.js";
import type { LeftStep } from "./left-step.js";
import { leftMessages, leftSteps, saidMessages } from "./left-steps.js";
import {
  goOnWithStep,
  newProgress,
  runStep,
  type StepResult,
  totalTokens,
  unfinishedStep,
} from "./model-step.js";
import { attended, planMode, unattended } from "./prompts.js";
import { retryWait, tellRetry } from "./retry.js";

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
 */
export function modelAgent(options: ModelAgentOptions): Agent {
  const { tools: fixed = [], toolSets = [], system, clock = systemClock, maxAttemptsPerStep = 3 } = options;
  const conversation = createConversation(options.history);
  const commands = options.commands?.({
    clear: () => conversation.replace([]),
    compact: (turn) => asWireErrors(model(), () => compact(turn, model(), conversation, own(turn), "manual")),
    tellFigures: (turn) =>
      turn.emit("StatusUpdate", contextFigures(conversation.tokens, options.model ?? {})),
  });

  const tools = () => [...fixed, ...toolSets.flatMap((set) => set.tools)];
  const own = (turn: Turn) => [...turn.dialectTools, ...tools()];

  function model(): Model {
    if (options.model === undefined) throw new WireError("ModelNotSet", "LLM is not set");
    return options.model;
  }

  /** The instructions that the state of the session adds to a step, also on the return of a person (K-20). */
  let wasUnattended = false;
  function reminders(turn: Turn): string[] {
    const back = wasUnattended && !turn.unattended;
    wasUnattended = turn.unattended;
    return [turn.planMode ? planMode : "", turn.unattended ? unattended : "", back ? attended : ""];
  }

  /** Tries a step until it succeeds, fails for good, or was tried often enough (P-STP-4). */
  async function step(turn: Turn, n: number, later: TakesLater): Promise<StepResult> {
    const all = withExternal(own(turn), turn.externalTools);
    const { offer } = turn;
    const offered = all.filter((tool) => tool.offered?.(offer) ?? true);
    const request = {
      messages: conversation.messages,
      ...instructions([system ?? "", ...offered.map(({ prompt = "" }) => prompt), ...reminders(turn)]),
    };
    for (let attempt = 1; ; attempt++) {
      const progress = newProgress(numbersOf(turn));
      try {
        // A model that does not stop must not add to the conversation once it goes on without this turn.
        const spoken = (message: Message) => conversation.add(message);
        const stepping = runStep(turn, model(), all, offered, request, progress, spoken, later);
        return await unlessAborted(stepping, turn.signal);
      } catch (error) {
        const again = progress.calls.length === 0 && attempt < maxAttemptsPerStep && retryable(error);
        if (!again) {
          conversation.add(...unfinishedStep(progress));
          throw error;
        }
        await retryWait(turn, clock, { n, attempt, maxAttempts: maxAttemptsPerStep, error });
      }
    }
  }

  let isComplete = options.history === undefined;
  /** Runs before anything is added to the conversation of an earlier process. */
  async function complete(turn: Turn): Promise<void> {
    isComplete = true;
    conversation.add(...(await interruptedTextCalls(conversation.messages, own(turn))));
  }

  let counted: { readonly turnId: string; readonly numbers: Map<string, number> } | undefined;
  /** The number of the turn's calls by their ids, also where the agent is asked to go on in the same turn. */
  function numbersOf({ id: turnId }: Turn): Map<string, number> {
    if (counted?.turnId !== turnId) counted = { turnId, numbers: new Map() };
    return counted.numbers;
  }

  /** Begins the next step and asks the model. */
  async function nextStep(turn: Turn, late: LateResults): Promise<StepResult> {
    const n = turn.step();
    conversation.at = { turn_id: turn.id, step: n };
    if (needsCompaction(conversation, model()))
      await compact(turn, model(), conversation, own(turn), "auto", true);
    return await step(turn, n, late.add);
  }

  /** Goes on with the last step of an earlier process, or tries it again where the model has called nothing (P-RES-10). */
  async function lastStep(turn: Turn, left: LeftStep, late: LateResults): Promise<StepResult> {
    const calls = left.calls.filter(({ isWhole }) => isWhole);
    if (calls.length === 0 && !left.isSpoken) {
      if (left.content.length + left.calls.length > 0) tellRetry(turn, left.n, maxAttemptsPerStep);
      return await step(turn, left.n, late.add);
    }
    const progress = newProgress(numbersOf(turn));
    const spoken = (message: Message) => conversation.add(message);
    const all = withExternal(own(turn), turn.externalTools);
    try {
      const going = goOnWithStep(turn, model(), all, { ...left, calls }, progress, spoken, late.add);
      const { results, usage } = await unlessAborted(going, turn.signal);
      return { results: [...results, ...saidMessages(left.said)], usage };
    } catch (error) {
      conversation.add(...unfinishedStep(progress));
      throw error;
    }
  }

  /**
   * Puts the conversation of a turn together that an earlier process left: what the history has not, it takes from what
   * clients were told. Returns the last step; undefined where none had begun.
   */
  async function rebuild(
    turn: Turn,
    { events, isStarted }: ResumedTurn,
    late: LateResults,
  ): Promise<LeftStep | undefined> {
    const tools = withExternal(own(turn), turn.externalTools);
    const { steps, numbers } = leftSteps(events, tools);
    counted = { turnId: turn.id, numbers };
    const { step: from, spoken } = conversation.rewind(turn.id, steps.at(-1)?.n ?? 0);
    if (!isComplete) await complete(turn);
    for (const [index, left] of steps.entries()) {
      if (left.n > 0) turn.step();
      if (left.n === from && spoken?.role === "assistant") {
        // The history has the calls in the model's text word for word.
        left.content = spoken.content;
        left.isSpoken ||= left.mayBeSpoken;
      }
      for (const call of left.calls) call.isWhole ||= isStarted({ callId: call.call.id, nth: call.nth });
      left.isSpoken ||= left.mayBeSpoken && left.calls.at(-1)?.isWhole === true;
      conversation.at = { turn_id: turn.id, step: left.n };
      const isLast = left.n > 0 && index === steps.length - 1;
      if (left.n >= from && !isLast) conversation.add(...leftMessages(left));
    }
    const said = steps.flatMap((left) => left.said);
    for (const { call, nth, result } of steps.flatMap(({ calls }) => calls)) {
      const tool = tools.find(({ name }) => name === call.function.name);
      if (result === undefined || tool === undefined || said.some((words) => tellsResultOf(words, call.id)))
        continue;
      // A question in the background goes on where its answer was not told.
      void turn.callTool(tool, call, { announced: true, later: late.add, nth });
    }
    const last = steps.at(-1);
    return last === undefined || last.n === 0 ? undefined : last;
  }

  /**
   * Runs steps until the model has nothing to go on with.
   *
   * @param left the last step of an earlier process. Default: the turn begins here.
   */
  async function steps(turn: Turn, late: LateResults, left?: LeftStep): Promise<void> {
    for (let last = left; ; last = undefined) {
      const { results, usage } =
        last === undefined ? await nextStep(turn, late) : await lastStep(turn, last, late);
      conversation.add(...results);
      if (usage !== undefined) conversation.tokens = totalTokens(usage);
      if (turn.stopped) return;
      const news = takeNews(turn, late);
      conversation.add(...news);
      if (results.length > 0 || news.length > 0) continue;
      if (!late.isOpen) return;
      // The turn ends with what was asked in it: the model is told of the answer, and not that it comes too late.
      await unlessAborted(Promise.race([late.next(), turn.steered()]), turn.signal);
      conversation.add(...takeNews(turn, late));
    }
  }

  /** The answers that came late, and the words of the person, as messages. */
  function takeNews(turn: Turn, late: LateResults): Message[] {
    const unasked = turn.resumed?.takeUnasked() ?? [];
    for (const user_input of unasked) turn.emit("SteerInput", { user_input });
    const answers = late.take();
    const steers = turn.takeSteers();
    for (const steer of steers) refuseInputs(model(), steer);
    return [
      ...unasked.map((content): Message => ({ role: "user", content, kept: true })),
      ...answers,
      ...saidMessages(steers),
    ];
  }

  return {
    get tools() {
      return tools();
    },
    async close() {
      await Promise.all(toolSets.map((set) => set.close()));
    },
    resumes: true,
    ...(commands === undefined ? {} : { commands }),
    run: (turn) =>
      asWireErrors(model(), async () => {
        refuseInputs(model(), turn.input);
        await Promise.all(toolSets.map((set) => set.begin(turn.signal)));
        const { resumed } = turn;
        // A hook may send the agent on in the same turn, with another input.
        const isAgain = counted?.turnId === turn.id;
        const late = lateResults(turn, model());
        const left = resumed === undefined || isAgain ? undefined : await rebuild(turn, resumed, late);
        if (resumed === undefined || isAgain) {
          if (!isComplete) await complete(turn);
          if (!isAgain) conversation.at = { turn_id: turn.id, step: 0 };
          conversation.add({ role: "user", content: turn.input });
        }
        try {
          await steps(turn, late, left);
        } finally {
          conversation.add(...late.rest());
        }
      }),
  };
}

/** The agent's own tools, then those of clients that have another name. */
function withExternal(own: readonly Tool[], external: readonly Tool[]): readonly Tool[] {
  if (external.length === 0) return own;
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...external.filter(({ name }) => !names.has(name))];
}

function instructions(parts: readonly string[]): { system?: string } {
  const given = parts.filter((part) => part !== "");
  return given.length === 0 ? {} : { system: given.join("\n\n") };
}

function refuseInputs({ inputs, name }: Model, input: UserInput): void {
  if (inputs === undefined || typeof input === "string") return;
  const refused = input.find(
    ({ type }) => !["text", "think"].includes(type) && !inputs.includes(type as ModelInput),
  );
  if (refused === undefined) return;
  throw new WireError("ModelNotSupported", `Model "${name}" does not take ${capability(refused)}`);
}

const capability = ({ type }: ContentPart) => `${type} content`;

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
