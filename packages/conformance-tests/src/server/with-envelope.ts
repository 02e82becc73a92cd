import type { Check, CheckContext, CheckFailure } from "../contract/check.js";

/** The tools of a check of a server, over any transport. */
interface ObservedContext extends CheckContext {
  /** The server's first output that no client could read. */
  readonly violation: CheckFailure | undefined;
}

/** Whatever a check looks at, no message of the server may break the envelope. */
export function withEnvelope<Context extends ObservedContext, One extends Check<Context>>(
  check: One & Check<Context>,
): One {
  return {
    ...check,
    async run(context: Context) {
      await check.run(context);
      if (context.violation !== undefined) throw context.violation;
    },
  };
}
