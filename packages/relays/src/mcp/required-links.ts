import * as z from "@askwire/protocol/internal";
import type { ElicitationReply } from "../elicitation/elicit.js";

/** The most addresses of one refusal, and the most refusals of one call that are followed. */
const [MOST_LINKS, MOST_ROUNDS] = [8, 4];

/** The error of a server that refuses a call until a person was at addresses. */
const LinksRequired = z.looseObject({
  code: z.literal(-32042),
  data: z.looseObject({
    elicitations: z
      .array(z.looseObject({ mode: z.literal("url"), url: z.string() }))
      .check(z.minLength(1), z.maxLength(MOST_LINKS)),
  }),
});

/**
 * Calls a tool, and again after a person was at each address that the server asks for first.
 *
 * @param ask puts `elicitation/create` to the person.
 * @throws the server's error, and an Error for an address at which nobody has finished.
 */
export async function afterLinks<T>(
  call: () => Promise<T>,
  ask: (params: unknown) => Promise<ElicitationReply>,
): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await call();
    } catch (error) {
      const { code, data } = error as { code?: unknown; data?: unknown };
      const required = z.safeParse(LinksRequired, { code, data });
      if (!required.success || round > MOST_ROUNDS) throw error;
      for (const link of required.data.data.elicitations) {
        const { action } = await ask(link);
        if (action === "accept") continue;
        const why = action === "decline" ? "the user said no" : "nobody has said that it is done";
        throw new Error(`it first wants a person at ${link.url}, and ${why}`);
      }
    }
  }
}
