// The sessions of this window: which are open, which is shown, and what a reload goes on with.
import { randomUUID } from "node:crypto";
import { type Store, store } from "@askwire/react/stores";
import { type Chat, chat, type Dial, type Translation } from "./chat.js";
import { heldBy, leftBy } from "./held-by.js";
import type { KeptChat, KeptChats } from "./kept-chats.js";

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

export function chats(dial: Dial, kept: KeptChats, l10n: Translation): Chats {
  const { set, ...all } = store<readonly Chat[]>([]);
  const { set: setHeldBy, ...held } = store<string | undefined>(undefined);
  const listeners = new Set<() => void>();
  /** Facts of sessions that another window may have. They are written once the sessions are this window's. */
  const unclaimed = new Map<string, Partial<KeptChat>>();
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
    const one = chat(id, dial, l10n);
    for (const { subscribe } of [one.line, one.requests, one.talk, one.outbox]) subscribe(changed);
    set([...all.current(), one]);
    return one;
  }

  function drop(id: string): void {
    unclaimed.delete(id);
    set(all.current().filter((one) => one.id !== id));
    changed();
  }

  function keep(id: string, facts: Partial<KeptChat>): void {
    const before = unclaimed.get(id);
    if (before === undefined) kept.keep(id, facts);
    else unclaimed.set(id, { ...before, ...facts });
  }

  /** Writes the facts of a session, which is this window's from now on. */
  function claim(id: string): void {
    const facts = unclaimed.get(id);
    unclaimed.delete(id);
    kept.keep(id, { ...facts, isOpen: true });
  }

  function show(id: string): void {
    if (of(id) === undefined) return;
    shown = id;
    keep(id, { at: Date.now(), isOpen: true });
    changed();
  }

  async function begin(): Promise<Chat> {
    await loaded;
    if (all.current().length >= MOST_CHATS)
      throw new Error(l10n.t("expected at most {0} sessions: close one", MOST_CHATS));
    const one = add(randomUUID());
    show(one.id);
    await one.start();
    return one;
  }

  /** Goes on with a session of before, or drops it where another window has it. Resolves with that one's process. */
  async function take(one: Chat): Promise<string | undefined> {
    const holder = await taken(one);
    if (isClosed || of(one.id) === undefined) return undefined;
    if (holder === undefined) claim(one.id);
    else drop(one.id);
    return holder;
  }

  async function taken({ id, start }: Chat): Promise<string | undefined> {
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
      loaded = kept.load().then((ids) => {
        const first = isClosed ? [] : ids.slice(0, MOST_CHATS);
        for (const id of first) unclaimed.set(id, {});
        return first.map(add);
      });
      const tried = await loaded;
      const holders = await Promise.all(tried.map(take));
      if (isClosed) return;
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
    drafts: (id) => unclaimed.get(id)?.drafts ?? kept.of(id).drafts,
    keepDrafts(id, drafts) {
      if (of(id) !== undefined) keep(id, { drafts });
    },
    async close() {
      isClosed = true;
      for (const { id } of all.current()) if (!unclaimed.has(id)) kept.keep(id, { isOpen: false });
      await Promise.all([...all.current().map((one) => one.close()), kept.written()]);
    },
  };
}
