import { type ClientSession, type ConnectOptions, connect } from "@askwire/client";
import type { HeardPromptResult, MessageChannel } from "@askwire/protocol";
import { promptTiming } from "../faults/timing.js";
import { answers } from "./agent.js";

/** The code of a prompt that comes while a turn runs. */
const BUSY = -32000;

/** A person at a client: what was put before them, and what they heard. */
export interface Person {
  readonly name: string;
  readonly profile: "extended" | "base";
  /** The requests that were put before the person, each time, with the question's text or the approval's. */
  readonly asked: readonly { readonly id: string; readonly what: string }[];
  /** The result of the prompt, or the code of its failure; undefined before. */
  readonly result: HeardPromptResult | { readonly failed: unknown } | undefined;
  /** True once the person has seen the end of the turn. */
  readonly sawEnd: boolean;
}

export interface Seating {
  readonly name: string;
  /** The way to the process that runs now; waits for one. */
  readonly road: () => Promise<MessageChannel>;
  /** True for who begins the turn. */
  readonly prompts: boolean;
  /** True for a question or an approval that this person answers, at once or later; others stay open before them. */
  readonly answers: (what: string) => boolean | Promise<boolean>;
}

/** A person who sits down, and leaves. */
export interface Seat {
  readonly person: Person;
  /** Resolves once the person has the result, or is told that there will be none. */
  readonly done: Promise<void>;
  leave(): Promise<void>;
}

type Sitting = { -readonly [K in keyof Person]: Person[K] } & { asked: { id: string; what: string }[] };

function sitting({ name }: Seating, profile: Person["profile"]): Sitting {
  return { name, profile, asked: [], result: undefined, sawEnd: false };
}

function optionsOf(person: Sitting, seating: Seating, onEnd = () => {}): ConnectOptions {
  const never = new Promise<never>(() => {});
  return {
    client: { name: person.name },
    profile: person.profile,
    initializeTimeoutMs: 600_000,
    timing: promptTiming(),
    handlers: {
      async question({ id, questions: [question] }) {
        const what = question?.question ?? "";
        person.asked.push({ id, what });
        return (await seating.answers(what)) ? { answers: { [what]: answers[what] ?? "" } } : never;
      },
      async approval({ id, description }) {
        person.asked.push({ id, what: description });
        return (await seating.answers(description)) ? ("approve" as const) : never;
      },
      event({ type }) {
        if (type !== "TurnEnd") return;
        person.sawEnd = true;
        onEnd();
      },
    },
  };
}

/** A person at a client of the extended profile, which comes back by itself. */
export function extendedSeat(seating: Seating): Seat {
  const person = sitting(seating, "extended");
  const options = { ...optionsOf(person, seating), clientId: "7b0f6a7e-1c52-4f5e-9a60-0d5f2f0a9c11" };
  let client: ClientSession | undefined;
  let isLeaving = false;

  async function sit(): Promise<void> {
    // Before its first connection a client gives up, and the person starts it again.
    while (client === undefined && !isLeaving) {
      client = await connect(seating.road, options).catch(() => undefined);
    }
    if (client === undefined || !seating.prompts) return;
    person.result = await client.prompt("set up").result.catch(({ code }) => ({ failed: code }));
  }

  return {
    person,
    done: sit(),
    async leave() {
      isLeaving = true;
      await client?.close();
    },
  };
}

/**
 * A person at a client of the base profile, which does not come back: when the connection is lost they start it again,
 * and say the same words unless they saw the end of the turn.
 */
export function baseSeat(seating: Seating): Seat {
  const person = sitting(seating, "base");
  let client: ClientSession | undefined;
  let isLeaving = false;

  async function sit(): Promise<void> {
    while (!isLeaving && person.result === undefined && !(seating.prompts && person.sawEnd)) {
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      client = await connect(await seating.road(), optionsOf(person, seating, end)).catch(() => undefined);
      if (client !== undefined && seating.prompts) await talk(client, ended);
      await client?.closed;
    }
  }

  async function talk(here: ClientSession, ended: Promise<void>): Promise<void> {
    try {
      person.result = await here.prompt("set up").result;
      await here.close();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === "CLOSED") return;
      // The turn is at its end, which the person is about to be told.
      if (code === BUSY) await Promise.race([ended, here.closed]);
      else person.result = { failed: code };
      await here.close();
    }
  }

  const over = sit();
  return {
    person,
    done: seating.prompts ? over : Promise.resolve(),
    async leave() {
      isLeaving = true;
      await client?.close();
    },
  };
}
