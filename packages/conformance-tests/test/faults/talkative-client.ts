import type { ConnectionChange, ConnectOptions } from "@askwire/client";
import { nextTurn } from "./quiet.js";

/** The moment at which a person, a tool or a hook is done; undefined: at once. */
export type Pace = (isLost: () => boolean) => Promise<void> | undefined;

/** Turns of the event loop that somebody slow takes: a client is back long before. */
const SLOW_TURNS = 60;

export const paces = {
  "at once": () => undefined,
  slowly: (_isLost) => turns(() => false),
  "once the connection is lost": (isLost) => turns(isLost),
} satisfies Record<string, Pace>;

async function turns(enough: () => boolean): Promise<void> {
  for (let n = 0; n < SLOW_TURNS && !enough(); n++) await nextTurn();
}

/** A client with a person who answers, a tool and a hook, and what it hears and does. */
export function talkativeClient(pace: Pace, done: string[]) {
  const events: unknown[] = [];
  const changes: ConnectionChange["state"][] = [];
  const problems: string[] = [];
  const taken: string[] = [];

  /** Puts down that something is begun, and who has overtaken it if somebody does, and does it in its time. */
  function at<T>(what: string, { signal }: { signal: AbortSignal }, result: T): T | Promise<T> {
    done.push(what);
    signal.addEventListener("abort", () => {
      taken.push(`${what}, by ${signal.reason.outcome?.client?.name}`);
    });
    return pace(() => changes.at(-1) === "lost")?.then(() => result) ?? result;
  }

  const options: ConnectOptions = {
    client: { name: "the client" },
    clientId: "7b0f6a7e-1c52-4f5e-9a60-0d5f2f0a9c11",
    // Longer than a wait before the next attempt, so that only a silent server is given up.
    initializeTimeoutMs: 60_000,
    handlers: {
      // An opening that was missed may be told in short.
      event: (event) => void (event.type === "InteractionOpened" || events.push(event)),
      question: ({ questions: [one, two] }, context) =>
        at("question", context, {
          items: [
            { question_id: one?.id ?? "", selected: [one?.options[1]?.id ?? ""] },
            { question_id: two?.id ?? "", selected: [two?.options[0]?.id ?? ""], own_text: "Undo" },
          ],
        }),
      approval: (_request, context) => at("approval", context, "approve"),
    },
    tools: [
      {
        name: "Lookup",
        description: "looks up",
        parameters: { type: "object" },
        run: ({ key }, context) => at(`lookup ${key}`, context, "42"),
      },
    ],
    hooks: [
      { event: "PreToolUse", matcher: "Lookup", run: (_input, context) => at("hook", context, "allow") },
    ],
    onConnection: ({ state }) => void changes.push(state),
    onProblem: (problem) => void problems.push(problem),
  };
  return { options, events, changes, problems, taken };
}
