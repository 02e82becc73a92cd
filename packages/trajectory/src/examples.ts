import type { ModelGiven } from "@askwire/server";
import type { TrajectoryFault } from "./faults.js";
import type { Trajectory, TrajectoryMessage } from "./trajectory.js";

/** The instructions and tools that a model was sent; a member is undefined where there are none, or none are kept. */
export interface GivenToModel {
  readonly system: string | undefined;
  readonly tools: ModelGiven["tools"] | undefined;
}

/** A step of a session in which the model said something, with all that it read. */
export interface AskedStep {
  /** The number of its turn, from 0. */
  readonly turn: number;
  /** The messages that the model still knew of a conversation that it had forgotten. */
  readonly base: readonly TrajectoryMessage[];
  /** The place of the first message that it read after that. */
  readonly from: number;
  /** The place of its own message. */
  readonly at: number;
  /** Undefined where the journal does not say it. */
  readonly given: GivenToModel | undefined;
}

/** The fate of a turn. */
export interface RecordedTurn {
  readonly faults: readonly TrajectoryFault[];
  /** True if it ended with an answer. */
  readonly success: boolean;
}

/** A session as its journal has it: a trajectory, and what the model was sent at each step of it. */
export interface RecordedSession {
  readonly trajectory: Trajectory;
  readonly turns: readonly RecordedTurn[];
  readonly steps: readonly AskedStep[];
}

/** An example to train a model on: the model writes its own part after having read the rest. */
export interface TrainingExample {
  /** The instructions. Default: none are kept. */
  readonly system?: string | undefined;
  /** The tools that the provider was told of. Default: none. */
  readonly tools: ModelGiven["tools"];
  /** All that comes before, which is not learned. */
  readonly context: readonly TrajectoryMessage[];
  /** From the first to the last message that is learned. Of these, `assistant` messages are learned. */
  readonly own: readonly TrajectoryMessage[];
}

/** The part of a session that is one example: what the model did in a turn, or in a step. */
export type ExampleUnit = "turn" | "step";

/** The reason why a turn is no example, or only its step. */
export type NoExample = TrajectoryFault | "unsuccessful" | "cut_off";

/** The examples of a session, and what became of its turns. */
export interface SessionExamples {
  readonly examples: readonly TrainingExample[];
  /** The reasons against each turn that is no example. */
  readonly without: readonly (readonly NoExample[])[];
  /** The number of examples without instructions and tools, since the journal has none. */
  readonly bare: number;
}

/**
 * Makes the examples of a session, by turns or by steps (P-TRJ-10). A turn that is no example is still in the context
 * of later ones. A turn in which the instructions or tools changed, or the model forgot, has an example for each part.
 *
 * @param options.keepFlagged keeps turns with faults. Default: false.
 * @param options.onlySuccess leaves out turns without an answer. Default: false.
 */
export function sessionExamples(
  { trajectory: { messages }, turns, steps }: RecordedSession,
  unit: ExampleUnit,
  { keepFlagged = false, onlySuccess = false }: { keepFlagged?: boolean; onlySuccess?: boolean } = {},
): SessionExamples {
  const examples: TrainingExample[] = [];
  const without: NoExample[][] = [];
  let bare = 0;
  for (const [number, { faults, success }] of turns.entries()) {
    const own = steps.filter(({ turn, at }) => turn === number && messages[at]?.loss === true);
    const why: NoExample[] = [
      ...(keepFlagged ? [] : faults),
      ...(onlySuccess && !success ? (["unsuccessful"] as const) : []),
      ...(own.length === 0 ? (["cut_off"] as const) : []),
    ];
    if (why.length > 0) without.push(why);
    else {
      for (const part of partsOf(own, unit)) {
        examples.push(exampleOf(part, messages));
        if (part[0]?.given === undefined) bare += 1;
      }
    }
  }
  return { examples, without, bare };
}

/** Cuts the steps of a turn where the model read something else than before. */
function partsOf(steps: readonly AskedStep[], unit: ExampleUnit): AskedStep[][] {
  if (unit === "step") return steps.map((step) => [step]);
  const parts: AskedStep[][] = [];
  for (const step of steps) {
    const last = parts.at(-1);
    const before = last?.at(-1);
    if (last === undefined || before === undefined || !continues(step, before)) parts.push([step]);
    else last.push(step);
  }
  return parts;
}

const continues = (step: AskedStep, before: AskedStep) =>
  step.base === before.base &&
  step.from === before.from &&
  step.given?.system === before.given?.system &&
  step.given?.tools === before.given?.tools;

function exampleOf(steps: readonly AskedStep[], messages: readonly TrajectoryMessage[]): TrainingExample {
  const [first] = steps as [AskedStep];
  const last = steps.at(-1) as AskedStep;
  return {
    system: first.given?.system,
    tools: first.given?.tools ?? [],
    context: [...first.base, ...messages.slice(first.from, first.at)],
    own: messages.slice(first.at, last.at + 1),
  };
}
