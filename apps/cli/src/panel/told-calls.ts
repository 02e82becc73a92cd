import { BoundedSet } from "@askwire/protocol/internal";

/** The most calls kept; a turn that ends early leaves some behind. */
const MOST_TOLD = 256;

/** The calls whose outcome the lines of an answered panel have told. */
export class ToldCalls extends BoundedSet<string> {
  constructor() {
    super(MOST_TOLD);
  }
}
