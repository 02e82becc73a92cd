// The sessions of this window: which are open, which is shown, and what a reload goes on with.
import { randomUUID } from "node:crypto";
import { type Store, store } from "@askwire/react/stores";
import { type Chat, chat, type Dial } from "./chat.js";
import { heldBy, leftBy } from "./held-by.js";
import type { KeptChats } from "./kept-chats.js";

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
  /** Goes on with the sessions of before, if there are any. */
  restore(): Promise<void>;
  /** Begins a session, and shows it. Rejects at the most sessions. */
  begin(): Promise<Chat>;
  /** Starts the agent of the shown session where none runs; begins a session where there is none. */
  start(): Promise<void>;
  /** Starts the agent of the shown session again; begins a session where there is none. */
  restart(): Promise<void>;
  show(id: string): void;
  /** Ends a session for good: a reload does not go on with it. */
  forget(id: string): Promise<void>;
  /** The person's unsent work in a session, as the JSON of the view. Empty without any. */
  drafts(id: string): string;
  keepDrafts(id: string, drafts: string): void;
  /** Ends all connections. The sessions are kept. */
  close(): Promise<void>;
}

/** The most sessions of a window, since each has a process of its own. */
const MOST_CHATS = 5;

export function chats(dial: Dial, kept: KeptChats): Chats {
  const { set, ...all } = store<readonly Chat[]>([]);
  const { set: setHeldBy, ...held } = store<string | undefined>(undefined);
  const listeners = new Set<() => void>();
  let shown: string | undefined;
  /** The sessions of before, once they are read. */
  let loaded: Promise<readonly Chat[]> | undefined;
  let isClosed = false;

  const of = (id: string) => all.current().find((one) => one.id === id);
  const current = () => all.current().find(({ id }) => id === shown) ?? all.current().at(-1);

  function changed(): void {
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

  function show(id: string): void {
    if (of(id) === undefined) return;
    shown = id;
    kept.keep(id, { at: Date.now(), isOpen: true });
    changed();
  }

  async function begin(): Promise<Chat> {
    await loaded;
    if (all.current().length >= MOST_CHATS)
      throw new Error(`expected at most ${MOST_CHATS} sessions: close one`);
    const one = add(randomUUID());
    show(one.id);
    await one.start();
    return one;
  }

  /** Goes on with a session of before. Resolves with the process of the window that has it, if one has. */
  async function take({ id, start }: Chat): Promise<string | undefined> {
    const { isOpen } = kept.of(id);
    const isHeld = (failure: unknown) => heldBy(failure) !== undefined;
    const holder = heldBy(await start(isHeld));
    if (holder === undefined || isOpen) return holder;
    // The window has closed, such as by a reload, and its agent is about to end.
    await leftBy(holder);
    if (isClosed || of(id) === undefined) return undefined;
    return heldBy(await start(isHeld));
  }

  return {
    ...{ all, heldBy: held, current, of, begin, show },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async restore() {
      loaded = kept.load().then((ids) => (isClosed ? [] : ids.slice(0, MOST_CHATS).map(add)));
      const tried = await loaded;
      const holders = await Promise.all(tried.map(take));
      if (isClosed) return;
      tried.forEach(({ id }, index) => {
        if (of(id) === undefined) return;
        if (holders[index] === undefined) kept.keep(id, { isOpen: true });
        else drop(id);
      });
      shown ??= all.current()[0]?.id;
      changed();
      const holder = holders.find((one) => one !== undefined);
      if (holder === undefined || all.current().length > 0) return;
      setHeldBy(holder);
      await begin();
    },
    async start() {
      await loaded;
      await (current()?.ensure() ?? begin());
    },
    async restart() {
      await loaded;
      setHeldBy(undefined);
      await (current()?.start() ?? begin());
    },
    async forget(id) {
      const one = of(id);
      kept.forget(id);
      drop(id);
      await one?.close();
    },
    drafts: (id) => kept.of(id).drafts,
    keepDrafts(id, drafts) {
      if (of(id) !== undefined) kept.keep(id, { drafts });
    },
    async close() {
      isClosed = true;
      for (const { id } of all.current()) kept.keep(id, { isOpen: false });
      await Promise.all([...all.current().map((one) => one.close()), kept.written()]);
    },
  };
}
