import { randomUUID } from "node:crypto";
import { type Store, store } from "@askwire/react/stores";
import { Chat, type DialSession, type Translation } from "./chat.js";
import { heldBy, leftBy } from "./held-by.js";
import type { KeptChat, KeptChats } from "./kept-chats.js";

/** The most sessions of a window, since each has a process of its own. */
const MOST_CHATS = 5;

/** The sessions of this window: which are open, which is shown, and which a reload resumes. */
export class Chats {
  readonly #dial: DialSession;
  readonly #kept: KeptChats;
  readonly #l10n: Translation;
  readonly #all = store<readonly Chat[]>([]);
  readonly #heldBy = store<string | undefined>(undefined);
  readonly #listeners = new Set<() => void>();
  /** Facts of sessions that another window may have. They are written once the sessions are this window's. */
  readonly #unclaimed = new Map<string, Partial<KeptChat>>();
  #shown: string | undefined;
  /** The earlier sessions, once they are read. */
  #loaded: Promise<readonly Chat[]> | undefined;
  #isClosed = false;
  /** The sessions that are open, the oldest first. */
  readonly all: Store<readonly Chat[]> = this.#all;
  /** The number of the process that had the earlier session, where a new one began for that. */
  readonly heldBy: Store<string | undefined> = this.#heldBy;

  constructor(dial: DialSession, kept: KeptChats, l10n: Translation) {
    this.#dial = dial;
    this.#kept = kept;
    this.#l10n = l10n;
  }

  /** The session that is shown. Undefined before the first. */
  current(): Chat | undefined {
    const all = this.all.current();
    return all.find(({ id }) => id === this.#shown) ?? all.at(-1);
  }

  /** The session of the id. Undefined for one that is not open. */
  of(id: string): Chat | undefined {
    return this.all.current().find((one) => one.id === id);
  }

  /** Calls the listener after a change of a session, its cards or its conversation. Returns the end of that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resumes the earlier sessions, if there are any. */
  async restore(): Promise<void> {
    this.#loaded = this.#kept.load().then((ids) => {
      const first = this.#isClosed ? [] : ids.slice(0, MOST_CHATS);
      for (const id of first) this.#unclaimed.set(id, {});
      return first.map((id) => this.#add(id));
    });
    const tried = await this.#loaded;
    const holders = await Promise.all(tried.map((one) => this.#take(one)));
    if (this.#isClosed) return;
    this.#shown ??= this.all.current()[0]?.id;
    this.#changed();
    const holder = holders.find((one) => one !== undefined);
    if (holder === undefined || this.all.current().length > 0) return;
    this.#heldBy.set(holder);
    await this.begin();
  }

  /** Begins a session, and shows it. Rejects at the most sessions. */
  async begin(): Promise<Chat> {
    await this.#loaded;
    if (this.all.current().length >= MOST_CHATS)
      throw new Error(this.#l10n.t("expected at most {0} sessions: close one", MOST_CHATS));
    const one = this.#add(randomUUID());
    this.show(one.id);
    await one.start();
    return one;
  }

  /** Starts the agent of the shown session where none runs; begins a session where there is none. */
  async start(): Promise<void> {
    await this.#loaded;
    await (this.current()?.ensure() ?? this.begin());
  }

  /** Starts the agent of the shown session again; begins a session where there is none. */
  async restart(): Promise<void> {
    await this.#loaded;
    this.#heldBy.set(undefined);
    await (this.current()?.start() ?? this.begin());
  }

  /** The person has read that another window has the session. */
  putAway(): void {
    this.#heldBy.set(undefined);
    this.#changed();
  }

  show(id: string): void {
    if (this.of(id) === undefined) return;
    this.#shown = id;
    this.#keep(id, { at: Date.now(), isOpen: true });
    this.#changed();
  }

  /** Ends a session for good: a reload does not resume it. */
  async forget(id: string): Promise<void> {
    const one = this.of(id);
    this.#kept.forget(id);
    this.#drop(id);
    await one?.close();
  }

  /** The person's unsent work in a session, as the JSON of the view. Empty without any. */
  drafts(id: string): string {
    return this.#unclaimed.get(id)?.drafts ?? this.#kept.of(id).drafts;
  }

  keepDrafts(id: string, drafts: string): void {
    if (this.of(id) !== undefined) this.#keep(id, { drafts });
  }

  /** Ends all connections. The sessions are kept. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const all = this.all.current();
    for (const { id } of all) if (!this.#unclaimed.has(id)) this.#kept.keep(id, { isOpen: false });
    await Promise.all([...all.map((one) => one.close()), this.#kept.written()]);
  }

  #add(id: string): Chat {
    const one = new Chat(id, this.#dial, this.#l10n);
    for (const { subscribe } of [one.line, one.requests, one.talk, one.outbox])
      subscribe(() => this.#changed());
    this.#all.set([...this.all.current(), one]);
    return one;
  }

  #drop(id: string): void {
    this.#unclaimed.delete(id);
    this.#all.set(this.all.current().filter((one) => one.id !== id));
    this.#changed();
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #keep(id: string, facts: Partial<KeptChat>): void {
    const before = this.#unclaimed.get(id);
    if (before === undefined) this.#kept.keep(id, facts);
    else this.#unclaimed.set(id, { ...before, ...facts });
  }

  /** Writes the facts of a session, which is this window's from now on. */
  #claim(id: string): void {
    const facts = this.#unclaimed.get(id);
    this.#unclaimed.delete(id);
    this.#kept.keep(id, { ...facts, isOpen: true });
  }

  /** Resumes an earlier session, or drops it where another window has it. Resolves with that one's process. */
  async #take(one: Chat): Promise<string | undefined> {
    const holder = await this.#holderOf(one);
    if (this.#isClosed || this.of(one.id) === undefined) return undefined;
    if (holder === undefined) this.#claim(one.id);
    else this.#drop(one.id);
    return holder;
  }

  /** Starts an earlier session. Resolves with the process of the window that has it, or with nothing. */
  async #holderOf(one: Chat): Promise<string | undefined> {
    const { isOpen } = this.#kept.of(one.id);
    const isHeld = (failure: unknown) => heldBy(failure) !== undefined;
    const holder = heldBy(await one.start(isHeld));
    if (holder === undefined || isOpen) return holder;
    // The window has closed, such as by a reload, and its agent is about to end.
    await leftBy(holder);
    if (this.#isClosed || this.of(one.id) === undefined) return undefined;
    return heldBy(await one.start(isHeld));
  }
}
