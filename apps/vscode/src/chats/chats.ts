// The sessions of this window: which are open, which is shown, and what a reload goes on with.
import { randomUUID } from "node:crypto";
import { type Store, store } from "@askwire/react";
import { type Chat, chat, type Dial } from "./chat.js";
import { heldBy } from "./held-by.js";
import { type KeptChat, keepChats, keptChats, type Memory } from "./kept-chats.js";

export interface Chats {
  /** The sessions that are open, the oldest first. */
  readonly all: Store<readonly Chat[]>;
  /** The number of the process that had the session of before, where a new one began for that. */
  readonly heldBy: Store<string | undefined>;
  /** The session that is shown. Undefined before the first. */
  current(): Chat | undefined;
  /** The session of the id. Undefined for one that is not open. */
  of(id: string): Chat | undefined;
  /** Calls the listener after a change of a session, its cards or its conversation. Returns the end of that. */
  onChange(listener: () => void): () => void;
  /** Goes on with the sessions of before. Resolves with false where there is none. */
  restore(): Promise<boolean>;
  /** Begins a session, and shows it. Rejects at the most sessions. */
  begin(): Promise<Chat>;
  /** Starts the agent of the shown session again; begins one where there is none. */
  restart(): Promise<void>;
  show(id: string): void;
  /** Ends a session for good: a reload does not go on with it. */
  forget(id: string): Promise<void>;
  /** Ends all connections. The sessions are kept. */
  close(): Promise<void>;
}

/** The most sessions of a window, since each has a process of its own. */
const MOST_CHATS = 5;

export function chats(dial: Dial, memory: Memory): Chats {
  const { set, ...all } = store<readonly Chat[]>([]);
  const { set: setHeldBy, ...held } = store<string | undefined>(undefined);
  const listeners = new Set<() => void>();
  const closed = new Set<string>();
  let shown: string | undefined;

  const of = (id: string) => all.current().find((one) => one.id === id);
  const current = () => all.current().find(({ id }) => id === shown) ?? all.current().at(-1);

  function changed(): void {
    const first = current();
    const mine = [...all.current()].sort((a, b) => Number(b === first) - Number(a === first));
    keepChats(
      memory,
      mine.map(({ id, title }): KeptChat => ({ id, title: title() })),
      closed,
    );
    for (const listener of [...listeners]) listener();
  }

  function add(id: string): Chat {
    const one = chat(id, dial);
    for (const { subscribe } of [one.line, one.requests, one.talk]) subscribe(changed);
    set([...all.current(), one]);
    return one;
  }

  function drop(id: string): void {
    set(all.current().filter((one) => one.id !== id));
    changed();
  }

  async function begin(): Promise<Chat> {
    if (all.current().length >= MOST_CHATS)
      throw new Error(`expected at most ${MOST_CHATS} sessions: close one`);
    const one = add(randomUUID());
    shown = one.id;
    changed();
    await one.start();
    return one;
  }

  return {
    ...{ all, heldBy: held, current, of, begin },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async restore() {
      const kept = keptChats(memory).slice(0, MOST_CHATS);
      if (kept.length === 0) return false;
      const tried = kept.map(({ id }) => add(id));
      const holders = await Promise.all(tried.map(async (one) => heldBy(await one.start())));
      tried.forEach(({ id }, index) => {
        if (holders[index] !== undefined) drop(id);
      });
      shown ??= all.current()[0]?.id;
      changed();
      if (all.current().length > 0) return true;
      setHeldBy(holders.find((holder) => holder !== undefined));
      await begin();
      return true;
    },
    async restart() {
      const one = current();
      setHeldBy(undefined);
      if (one === undefined) await begin();
      else await one.start();
    },
    show(id) {
      if (of(id) === undefined) return;
      shown = id;
      changed();
    },
    async forget(id) {
      closed.add(id);
      await of(id)?.close();
      drop(id);
    },
    async close() {
      await Promise.all(all.current().map((one) => one.close()));
    },
  };
}
