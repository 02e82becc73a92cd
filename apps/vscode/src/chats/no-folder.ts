/** There is no folder that the agent could work in. */
export class NoFolder extends Error {
  /** The folder of the window, where it is no longer there. Undefined for a window without one. */
  readonly missing: string | undefined;

  constructor(message: string, missing?: string) {
    super(message);
    this.missing = missing;
  }
}
