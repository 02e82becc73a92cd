/** A tool's failure, told to the model as `message` and to the person as `brief`. Return it or throw it. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** For the person: a word or two. */
  readonly brief: string;
  /** The output for the model, in addition to the message. Default: empty. */
  readonly output: string;

  constructor(init: { message: string; brief: string; output?: string }) {
    super(init.message);
    this.brief = init.brief;
    this.output = init.output ?? "";
  }
}
