import type { Clock, Message, Model, ModelRequest, ResumedTurn, Tool, Turn } from "@askwire/server";
import { retryable, unlessAborted } from "@askwire/server/internal";
import type { CallNumbers } from "./call-numbers.js";
import { compact, needsCompaction } from "./compaction.js";
import type { ModelMemory } from "./conversation.js";
import { completeLeftCalls } from "./interrupted-calls.js";
import { type LateResults, lateResults } from "./late-results.js";
import type { LeftStep } from "./left-step.js";
import { leftSteps, saidMessages } from "./left-steps.js";
import {
  goOnWithStep,
  newProgress,
  runStep,
  type SpokenMessage,
  type StepProgress,
  type StepResult,
  toldTools,
  totalTokens,
  unfinishedStep,
} from "./model-step.js";
import { refuseInputs } from "./refuse-inputs.js";
import type { Reminders } from "./reminders.js";
import { addLeftSteps, goOnInBackground } from "./resumed-conversation.js";
import { retryWait, tellRetry } from "./retry.js";

/** The parts of an agent that its turns share. */
export interface AgentParts {
  readonly conversation: ModelMemory;
  readonly numbers: CallNumbers;
  readonly reminders: Reminders;
  /** The instructions of every step. */
  readonly system: string;
  readonly maxAttempts: number;
  readonly clock: Clock;
  /** The agent's own tools at this moment. */
  tools(turn: Turn): readonly Tool[];
}

/** A turn of a model: steps from the person's words on, until the model has nothing left to do. */
export class ModelTurn {
  readonly #turn: Turn;
  readonly #model: Model;
  readonly #agent: AgentParts;
  readonly #conversation: ModelMemory;
  readonly #late: LateResults;

  constructor(turn: Turn, model: Model, agent: AgentParts) {
    this.#turn = turn;
    this.#model = model;
    this.#agent = agent;
    this.#conversation = agent.conversation;
    this.#late = lateResults(turn, model);
  }

  async run(): Promise<void> {
    const left = await this.#begin();
    try {
      await this.#steps(left);
    } finally {
      this.#conversation.add(...this.#late.rest());
    }
  }

  /** Adds the person's words, or all that an earlier process left of the turn, whose last step is returned. */
  async #begin(): Promise<LeftStep | undefined> {
    const { id, input, resumed } = this.#turn;
    // A hook may send the agent on in the same turn, with another input.
    const isAgain = this.#agent.numbers.knows(this.#turn);
    if (resumed !== undefined && !isAgain) return await this.#rebuild(resumed);
    await completeLeftCalls(this.#conversation, this.#ownTools());
    if (!isAgain) this.#conversation.beginStep(id, 0);
    this.#conversation.add({ role: "user", content: input });
    return undefined;
  }

  /**
   * Puts the conversation of a turn together that an earlier process left: what the history has not, it takes from what
   * clients were told. Returns the last step; undefined where none had begun.
   */
  async #rebuild(resumed: ResumedTurn): Promise<LeftStep | undefined> {
    const tools = this.#allTools();
    const { steps, numbers } = leftSteps(resumed.events, tools);
    this.#agent.numbers.restore(this.#turn, numbers);
    const from = this.#conversation.rewind(this.#turn.id, steps.at(-1)?.n ?? 0);
    await completeLeftCalls(this.#conversation, this.#ownTools());
    addLeftSteps(this.#turn, this.#conversation, steps, from, resumed);
    goOnInBackground(this.#turn, steps, tools, this.#late.add);
    const last = steps.at(-1);
    return last === undefined || last.n === 0 ? undefined : last;
  }

  /**
   * Runs steps until the model has nothing left to do.
   *
   * @param left the last step of an earlier process. Default: the turn begins here.
   */
  async #steps(left?: LeftStep): Promise<void> {
    for (let last = left; ; last = undefined) {
      const { results, usage } = last === undefined ? await this.#nextStep() : await this.#lastStep(last);
      this.#conversation.add(...results);
      if (usage !== undefined) this.#conversation.tokens = totalTokens(usage);
      if (this.#turn.stopped) return;
      const news = this.#takeNews();
      this.#conversation.add(...news);
      if (results.length > 0 || news.length > 0) continue;
      if (!this.#late.isOpen) return;
      // The turn ends with what was asked in it: the model is told of the answer, and not that it comes too late.
      await unlessAborted(Promise.race([this.#late.next(), this.#turn.steered()]), this.#turn.signal);
      this.#conversation.add(...this.#takeNews());
    }
  }

  /** Begins the next step and asks the model. */
  async #nextStep(): Promise<StepResult> {
    const n = this.#turn.step();
    this.#conversation.beginStep(this.#turn.id, n);
    if (needsCompaction(this.#conversation, this.#model))
      await compact(this.#turn, this.#model, this.#conversation, this.#ownTools(), "auto", true);
    return await this.#step(n);
  }

  /** Resumes the last step of an earlier process, or tries it again where the model has called nothing (P-RES-10). */
  async #lastStep(left: LeftStep): Promise<StepResult> {
    const calls = left.calls.filter(({ isWhole }) => isWhole);
    if (calls.length > 0 || left.isSpoken) return await this.#goOn({ ...left, calls });
    if (left.content.length + left.calls.length > 0) tellRetry(this.#turn, left.n, this.#agent.maxAttempts);
    return await this.#step(left.n);
  }

  async #goOn(left: LeftStep): Promise<StepResult> {
    const progress = newProgress(this.#agent.numbers.of(this.#turn));
    const tools = this.#allTools();
    try {
      const going = goOnWithStep(
        this.#turn,
        this.#model,
        tools,
        left,
        progress,
        this.#addSpoken,
        this.#late.add,
      );
      const { results, usage } = await unlessAborted(going, this.#turn.signal);
      return { results: [...results, ...saidMessages(left.said)], usage };
    } catch (error) {
      this.#conversation.add(...unfinishedStep(progress));
      throw error;
    }
  }

  /** Tries a step until it succeeds, fails for good, or was tried often enough (P-STP-4). */
  async #step(n: number): Promise<StepResult> {
    const { numbers, clock, maxAttempts } = this.#agent;
    const ask = this.#asking();
    for (let attempt = 1; ; attempt++) {
      const progress = newProgress(numbers.of(this.#turn));
      try {
        return await ask(progress);
      } catch (error) {
        if (progress.calls.length > 0 || attempt >= maxAttempts || !retryable(error)) {
          this.#conversation.add(...unfinishedStep(progress));
          throw error;
        }
        await retryWait(this.#turn, clock, { n, attempt, maxAttempts, error });
      }
    }
  }

  /** Makes a function that asks the model once, at each attempt the same. */
  #asking(): (progress: StepProgress) => Promise<StepResult> {
    const turn = this.#turn;
    const { offer } = turn;
    const tools = this.#allTools();
    const offered = tools.filter((tool) => tool.offered?.(offer) ?? true);
    const request = this.#request(offered);
    const { system } = request;
    this.#conversation.asked({ tools: toldTools(offered), ...(system !== undefined && { system }) });
    const spoken = this.#addSpoken;
    const later = this.#late.add;
    // A model that does not stop must not add to the conversation once that continues without this turn.
    return (progress) =>
      unlessAborted(
        runStep(turn, this.#model, tools, offered, request, progress, spoken, later),
        turn.signal,
      );
  }

  #request(offered: readonly Tool[]): Pick<ModelRequest, "messages" | "system"> {
    const prompts = offered.map(({ prompt = "" }) => prompt);
    const parts = [this.#agent.system, ...prompts, ...this.#agent.reminders.forStep(this.#turn)];
    const system = parts.filter((part) => part !== "").join("\n\n");
    return { messages: this.#conversation.messages, ...(system !== "" && { system }) };
  }

  readonly #addSpoken = (message: SpokenMessage, hasWritten: boolean): void => {
    if (hasWritten) this.#conversation.said(message.content);
    this.#conversation.add(message);
  };

  /** The answers that came late, and the words of the person, as messages. */
  #takeNews(): Message[] {
    const unasked = this.#turn.resumed?.takeUnasked() ?? [];
    for (const user_input of unasked) this.#turn.emit("SteerInput", { user_input });
    const answers = this.#late.take();
    const steers = this.#turn.takeSteers();
    for (const steer of steers) refuseInputs(this.#model, steer);
    return [
      ...unasked.map((content): Message => ({ role: "user", content, kept: true })),
      ...answers,
      ...saidMessages(steers),
    ];
  }

  #ownTools(): readonly Tool[] {
    return this.#agent.tools(this.#turn);
  }

  /** The agent's own tools, then those of clients that have another name. */
  #allTools(): readonly Tool[] {
    const own = this.#ownTools();
    const external = this.#turn.externalTools;
    if (external.length === 0) return own;
    const names = new Set(own.map(({ name }) => name));
    return [...own, ...external.filter(({ name }) => !names.has(name))];
  }
}
