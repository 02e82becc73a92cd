/** A wrong use of the command line. The message names the word and the next step. */
export class WrongUse extends Error {
  override readonly name = "WrongUse";
}
