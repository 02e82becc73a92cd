import type { MessageChannel } from "@askwire/protocol";
import { LocalError, type UserInput, WireError } from "@askwire/protocol";
import { systemClock } from "../runtime/clock.js";
import type { ApprovalAsked, QuestionAsked, RunEvent, ToolCalled } from "./run-record.js";
import { type AnswersApproval, type AnswersByQuestion, type AnswersQuestion, Script } from "./script.js";
import { ScriptedClient } from "./scripted-client.js";
import type { ScriptedApproval, ScriptedRefusal } from "./scripted-words.js";

/** The end of a prompt, and all that the client was told until then. */
export interface RunResult {
  readonly status: "finished" | "cancelled" | "max_steps_reached" | "failed";
  /** The failure of the agent, with the name and message of its exception; undefined unless `failed`. */
  readonly error: WireError | undefined;
  /** The text that the agent said, without that of sub-agents. */
  readonly text: string;
  readonly events: readonly RunEvent[];
  /** The questions and approvals, oldest first, each with its answer and outcome. */
  readonly asked: readonly (QuestionAsked | ApprovalAsked)[];
  /** The tool calls in the order in which they were made, without those of sub-agents. */
  readonly tools: readonly ToolCalled[];
}

/** The parts of a run. */
export interface RunParts {
  readonly input: UserInput;
  /** Milliseconds until a run that does not end has failed. */
  readonly timeoutMs: number;
  /** Opens a connection to the session. */
  readonly connect: () => MessageChannel;
  /** The timers that wait until the test advances its clock. */
  readonly waitingTimers: () => number;
  /** Ends the turn of a run that has failed. */
  readonly abandon: () => void;
}

/**
 * One prompt, with the person's part as a script. Awaiting it runs it, once. The parts of a script are tried in the
 * order in which they were added, so that `answers({…}).declines()` declines all other questions.
 */
export class ScriptedRun implements PromiseLike<RunResult> {
  readonly #parts: RunParts;
  readonly #script = new Script();
  readonly #listeners: ((event: RunEvent) => void)[] = [];
  #client: ScriptedClient | undefined;
  #result: Promise<RunResult> | undefined;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** Answers questions: by their texts, each with an answer or a function; or all by one function. */
  answers(given: AnswersByQuestion | AnswersQuestion): this {
    this.#script.answers(given);
    return this;
  }

  /** Answers approvals: all alike, or by a function. */
  approves(given: ScriptedApproval | AnswersApproval = "approve"): this {
    this.#script.approves(given);
    return this;
  }

  /** Declines every question, with or without words. Default: it is dismissed. */
  declines(refusal: ScriptedRefusal = { declined: "dismissed" }): this {
    this.#script.declines(refusal);
    return this;
  }

  /**
   * Has no person: the client shows neither questions nor approvals. Of these, `asked` has the approvals alone, since
   * clients that show no questions are sent none.
   */
  nobody(): this {
    this.#script.isShown = false;
    return this;
  }

  /** Calls a listener with each event, as it comes. An exception of it fails the run. */
  hears(listener: (event: RunEvent) => void): this {
    this.#listeners.push(listener);
    return this;
  }

  /**
   * Cancels the turn, as the person's client does: to be called by a function of the script or by a listener.
   *
   * @throws LocalError INVALID_STATE before the run has begun.
   */
  async cancel(): Promise<void> {
    if (this.#client === undefined) throw new LocalError("INVALID_STATE", "the run has not begun: await it");
    await this.#client.cancel();
  }

  /**
   * Runs the prompt and resolves with its end, also where the agent failed.
   *
   * @throws UnforeseenRequest as soon as the agent asks something that the script has no word on.
   * @throws LocalError TIMEOUT for a run that does not end, and CLOSED where the session ends first.
   * @throws WireError InvalidState for a prompt beside another, or after `close`.
   * @throws Error for an answer that was refused, and whatever a function of the script throws.
   */
  // biome-ignore lint/suspicious/noThenProperty: a script is written first and awaited last, as one expression
  then<Kept = RunResult, Caught = never>(
    kept?: ((result: RunResult) => Kept | PromiseLike<Kept>) | null,
    caught?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#result ??= this.#run();
    return this.#result.then(kept, caught);
  }

  async #run(): Promise<RunResult> {
    const { input, timeoutMs, connect, abandon } = this.#parts;
    let stop = () => {};
    try {
      return await new Promise<RunResult>((resolve, reject) => {
        const client = new ScriptedClient({
          channel: connect(),
          script: this.#script,
          hear: (event) => this.#hear(event, reject),
          fail: reject,
        });
        this.#client = client;
        stop = systemClock.after(timeoutMs, () => reject(this.#tooLate()), true);
        client.introduce().then(() => {
          client.prompt(input, (end) => {
            if (end.ok) resolve(this.#ended(end.value.status as RunResult["status"]));
            else if (end.error instanceof WireError && this.#hasBegun()) {
              resolve(this.#ended("failed", end.error));
            } else reject(end.error);
          });
        }, reject);
      });
    } catch (error) {
      abandon();
      throw error;
    } finally {
      stop();
      this.#client?.close();
    }
  }

  /** False for a prompt that the session refused, such as beside another. */
  #hasBegun(): boolean {
    return this.#client?.record.events.some(({ type }) => type === "TurnBegin") === true;
  }

  #hear(event: RunEvent, fail: (error: unknown) => void): void {
    try {
      for (const listener of this.#listeners) listener(event);
    } catch (error) {
      fail(error);
    }
  }

  #ended(status: RunResult["status"], error?: WireError): RunResult {
    const { text, events, asked, tools } = (this.#client as ScriptedClient).record;
    return { status, error, text, events: [...events], asked, tools };
  }

  /** The failure of a run that does not end, which says for what it waits. */
  #tooLate(): LocalError {
    const { asked, events } = (this.#client as ScriptedClient).record;
    const open = asked.filter(({ outcome }) => outcome === undefined);
    const texts = open.flatMap((request) =>
      request.kind === "approval"
        ? request.approval.description
        : request.questions.map(({ question }) => question),
    );
    const last = events.at(-1)?.type ?? "nothing";
    const waits =
      texts.length === 0
        ? `no question is open, and the last event was ${last}`
        : `the script has not answered ${texts.map((text) => JSON.stringify(text)).join(", ")}`;
    const timers = this.#parts.waitingTimers();
    const clock = timers === 0 ? "" : `, and the clock has timers (${timers}) that wait for "advance"`;
    return new LocalError(
      "TIMEOUT",
      `the run did not end within ${this.#parts.timeoutMs} ms: ${waits}${clock}`,
    );
  }
}
