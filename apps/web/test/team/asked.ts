import type { AskInit, ClientSession } from "@askwire/client";

/** A question or an approval of a program, as teams have them. */
export function requestOf(program: string, count: number, random: () => number): AskInit & { wait?: true } {
  const text = `${program}, ${count}`;
  const key = text;
  const kind = random();
  if (kind < 0.15) return { key, approval: { action: "deploy", description: `Deploy ${text}` } };
  if (kind < 0.2) return { key, approval: { action: "pay", description: `Pay for ${text}`, quorum: 2 } };
  const options = [{ label: "Yes" }, { label: "No" }, { label: "Later" }];
  const multi = kind < 0.35;
  const questions = [{ question: `May ${text} begin?`, options, multi_select: multi }];
  if (kind < 0.45)
    return {
      key,
      questions,
      to: { roles: ["leads"] },
      escalate: [{ after_ms: 20_000, to: { roles: ["all"] } }],
    };
  if (kind < 0.5) return { key, questions, deadline: { ms: 15_000, on_expiry: "cancel" } };
  return { key, questions };
}

/** The ends of all requests of the team's programs. */
export interface Ends {
  /** By the status, or by the name of the person where somebody answered. */
  readonly by: Map<string, number>;
  /** The times from asking to the answer, in milliseconds. */
  readonly waited: number[];
}

/** Asks one thing after the other until it is over. */
export async function asks(
  session: ClientSession,
  program: string,
  {
    ends,
    random,
    isOver,
    pause,
  }: { ends: Ends; random: () => number; isOver: () => boolean; pause(): Promise<void> },
): Promise<void> {
  for (let count = 1; !isOver(); count += 1) {
    const since = performance.now();
    const { outcome } = await session.ask(requestOf(program, count, random));
    const who =
      outcome.status === "answered" ? String(Object(outcome.principal).name ?? "nobody") : outcome.status;
    ends.by.set(who, (ends.by.get(who) ?? 0) + 1);
    if (outcome.status === "answered") ends.waited.push(performance.now() - since);
    await pause();
  }
}
