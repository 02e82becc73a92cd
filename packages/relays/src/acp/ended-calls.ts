import { BoundedSet } from "@askwire/protocol/internal";

/** The most ended calls whose late news are passed over. */
const MOST_ENDED = 1_000;

/** The ids of an agent's last calls that have ended. They outlive the scene: news of them come late. */
export class EndedCalls extends BoundedSet<string> {
  constructor() {
    super(MOST_ENDED);
  }
}
