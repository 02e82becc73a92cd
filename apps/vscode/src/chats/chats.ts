import { randomUUID } from "node:crypto";
import { type Store, store } from "@askwire/react/stores";
import { Chat, type DialBeside, type DialSession, type Translation } from "./chat.js";
import { heldBy, leftBy } from "./held-by.js";
import type { KeptChat, KeptChats } from "./kept-chats.js";

/** The most sessions of a window, since each has a process of its own. */
const MOST_CHATS = 5;

/** A session of the folder that another process has, which is offered to the person. */
export interface HeldSession {
  readonly id: string;
  /** The number of that process. */
  readonly holder: string;
  /** True where that process lets this window in, to watch and answer. */
  readonly canWatch: boolean;
}

/** A session of the folder in the history: open in this window, or to be opened again. */
export interface PastChat {
  readonly id: string;
  /** The first words of the conversation. Empty before them. */
  readonly title: string;
  /** The time at which it was shown last, in milliseconds since 1970. */
  readonly at: number;
  /** The session in this window. Undefined for one that is not open in it. */
  readonly chat: Chat | undefined;
}

/** The sessions of this window: which are open, which is shown, and which a reload resumes. */
export class Chats {
  readonly #dial: DialSession;
  readonly #kept: KeptChats;
  readonly #l10n: Translation;
  readonly #beside: DialBeside;
  readonly #all = store<readonly Chat[]>([]);
  readonly #held = store<HeldSession | undefined>(undefined);
  /** The session that was offered last, until the person begins one or watches it. */
  #offered: HeldSession | undefined;
  /** The sessions here that other processes have. */
  readonly #watched = new Set<string>();
  readonly #listeners = new Set<() => void>();
  /** Facts of sessions that another window may have. They are written once the sessions are this window's. */
  readonly #unclaimed = new Map<string, Partial<KeptChat>>();
  #shown: string | undefined;
  /** The earlier sessions, once they are read. */
  #loaded: Promise<readonly Chat[]> | undefined;
  #isClosed = false;
  /** The sessions that are open, the oldest first. */
  readonly all: Store<readonly Chat[]> = this.#all;
  /** The session that another process has, while the person is offered to watch it or to begin a new one. */
  readonly held: Store<HeldSession | undefined> = this.#held;

  /** @param beside the way to a session that another process has. Default: there is none. */
  constructor(dial: DialSession, kept: KeptChats, l10n: Translation, beside: DialBeside = () => undefined) {
    this.#dial = dial;
    this.#kept = kept;
    this.#l10n = l10n;
    this.#beside = beside;
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

  /** Resumes the earlier sessions, if there are any. Where other processes have all of them, the last one is offered. */
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
    const at = holders.findIndex((one) => one !== undefined);
    const [id, holder] = [tried[at]?.id, holders[at]];
    if (id === undefined || holder === undefined || this.all.current().length > 0) return;
    this.#offer({ id, holder, canWatch: this.#beside(holder, id) !== undefined });
  }

  /**
   * Watches the session that was offered, also after that was put away, and answers in it. Where its process has ended,
   * it is this window's; where that lets nobody else in, it is offered again.
   */
  async watch(): Promise<void> {
    const id = this.#offered?.id;
    if (id === undefined) return;
    this.#offer(undefined);
    this.#watched.add(id);
    this.#unclaimed.set(id, {});
    const one = this.#add(id, this.#sharedDial());
    this.show(id);
    const holder = heldBy(await one.start((failure) => heldBy(failure) !== undefined));
    if (holder === undefined || this.#isClosed || this.of(id) !== one) return;
    this.#watched.delete(id);
    this.#drop(id);
    this.#offer({ id, holder, canWatch: false });
  }

  /** Begins a session, and shows it. Rejects at the most sessions. */
  async begin(): Promise<Chat> {
    await this.#loaded;
    this.#wantRoom();
    this.#offer(undefined);
    const one = this.#add(randomUUID());
    this.show(one.id);
    await one.start();
    return one;
  }

  /** The sessions of the folder: those of this window, then those with a conversation, the one that was shown last first. */
  async history(): Promise<readonly PastChat[]> {
    await this.#loaded;
    await this.#kept.load();
    const here = this.all.current().map((chat) => this.#past(chat.id, chat));
    const others = this.#kept.all().filter((id) => this.of(id) === undefined);
    return [...here, ...others.map((id) => this.#past(id, undefined)).filter(({ title }) => title !== "")];
  }

  /**
   * Opens a session of the history again with the agent of the settings, and shows it. One that another process has is
   * offered to be watched. Rejects at the most sessions.
   */
  async reopen(id: string): Promise<void> {
    await this.#loaded;
    if (this.of(id) !== undefined) return this.show(id);
    this.#wantRoom();
    this.#offer(undefined);
    this.#unclaimed.set(id, { isClosed: false });
    const one = this.#add(id);
    this.show(id);
    const holder = heldBy(await one.start((failure) => heldBy(failure) !== undefined));
    if (this.#isClosed || this.of(id) !== one) return;
    if (holder === undefined) return this.#claim(id);
    this.#drop(id);
    this.#offer({ id, holder, canWatch: this.#beside(holder, id) !== undefined });
  }

  /**
   * Starts the agent of the shown session where none runs; begins a session where there is none, and none is offered.
   */
  async start(): Promise<void> {
    await this.#loaded;
    const one = this.current();
    if (one === undefined && this.held.current() !== undefined) return;
    await (one?.ensure() ?? this.begin());
  }

  /** Starts the agent of the shown session again; begins a session where there is none. */
  async restart(): Promise<void> {
    await this.#loaded;
    await (this.current()?.start() ?? this.begin());
  }

  /** Hides what is offered. */
  putAway(): void {
    this.#held.set(undefined);
    this.#changed();
  }

  show(id: string): void {
    if (this.of(id) === undefined) return;
    this.#shown = id;
    this.#keep(id, { at: Date.now(), isOpen: true });
    this.#changed();
  }

  /** Ends a session: a reload does not resume it. One in which something was said stays in the history. */
  async end(id: string): Promise<void> {
    const one = this.of(id);
    const title = this.title(id);
    const isOthers = this.#watched.delete(id);
    if (!isOthers && title === "") this.#kept.forget(id);
    else if (!isOthers) this.#kept.keep(id, { title, isOpen: false, isClosed: true });
    this.#drop(id);
    await one?.close();
  }

  /** The first words of a session, also where the conversation has lost its beginning. Empty before them. */
  title(id: string): string {
    return this.#factsOf(id).title ?? this.of(id)?.title() ?? "";
  }

  /** True for a session that another process has, in which others may answer. */
  isWatched(id: string): boolean {
    return this.#watched.has(id);
  }

  /** The person's unsent work in a session, as the JSON of the view. Empty without any. */
  drafts(id: string): string {
    // The kept drafts of a session that is watched are its owner's.
    return this.#unclaimed.get(id)?.drafts ?? (this.isWatched(id) ? "" : this.#kept.of(id).drafts);
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

  #offer(held: HeldSession | undefined): void {
    this.#offered = held;
    this.#held.set(held);
    this.#changed();
  }

  /** Takes a session where it is free, and else attaches to it at the process that has it. */
  #sharedDial(): DialSession {
    return async (id, dialled) => {
      try {
        const session = await this.#dial(id, dialled);
        this.#watched.delete(id);
        this.#claim(id);
        return session;
      } catch (error) {
        const holder = heldBy(error);
        if (holder !== undefined) this.#leave(id);
        const beside = holder === undefined ? undefined : this.#beside(holder, id);
        if (beside === undefined) throw error;
        return await beside(id, dialled);
      }
    };
  }

  #wantRoom(): void {
    if (this.all.current().length >= MOST_CHATS)
      throw new Error(this.#l10n.t("expected at most {0} sessions: close one", MOST_CHATS));
  }

  #factsOf(id: string): KeptChat {
    return { ...this.#kept.of(id), ...this.#unclaimed.get(id) };
  }

  #past(id: string, chat: Chat | undefined): PastChat {
    return { id, chat, title: this.title(id), at: this.#factsOf(id).at };
  }

  /** Keeps the first words of a session for the history. */
  #keepTitle(one: Chat): void {
    const title = one.title();
    if (title === "" || this.of(one.id) !== one || this.#factsOf(one.id).title !== undefined) return;
    this.#keep(one.id, { title });
  }

  #add(id: string, dial = this.#dial): Chat {
    const one = new Chat(id, dial, this.#l10n);
    one.talk.subscribe(() => this.#keepTitle(one));
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
    this.#kept.keep(id, { ...facts, isOpen: true, isClosed: false });
  }

  /** Another process has a session, which was this window's until now. Unsent work here stays in this window. */
  #leave(id: string): void {
    if (this.#watched.has(id)) return;
    this.#watched.add(id);
    this.#unclaimed.set(id, { drafts: this.#kept.of(id).drafts });
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
