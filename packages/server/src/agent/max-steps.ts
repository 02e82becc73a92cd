/** The limit of steps of a turn was reached. Let it through: the turn ends as `max_steps_reached`. */
export class MaxStepsReached extends Error {
  override readonly name = "MaxStepsReached";
  /** The number of steps that the turn has made. */
  readonly steps: number;

  constructor(steps: number) {
    super(`the limit of ${steps} steps is reached`);
    this.steps = steps;
  }
}
