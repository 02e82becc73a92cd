// The way to the host: messages out, the state that the host sends, and the drafts that the editor keeps for the view.

import { defaultLanguage, viewWords } from "@askwire/client/words";
import { type Entry, type Store, store } from "@askwire/react";
import { type MessageOf, readMessage, type ToHost, toHost, toView } from "../messages.js";
import { changedEntries, type ToView, type ViewParts } from "../view-state.js";

/** The part of the editor that a webview is given. */
export interface EditorApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): unknown;
}

/** The state of the host as it was last told. */
export interface ViewState extends Partial<ViewParts> {
  readonly entries: readonly Entry[];
  /** True after a message that was too large for the host, until the next one that is not. */
  readonly isTooLarge?: boolean;
}

type Calling = Extract<ToHost, { call: number }>;
type Found = readonly string[];
type WithoutCall<M> = M extends Calling ? Omit<M, "call"> : never;

export interface Host {
  readonly state: Store<ViewState>;
  post(message: Exclude<ToHost, Calling>): void;
  /** The person has read that a message was too large. */
  forgetTooLarge(): void;
  /** Asks the host to do something. Rejects with the problem. */
  call(message: WithoutCall<Exclude<Calling, { type: "findFiles" }>>): Promise<void>;
  /** Asks the host for the files that a part of a path may mean, the best first. */
  findFiles(begun: string): Promise<readonly string[]>;
}

/**
 * Takes the messages of the host. A message that was missed, or has another shape, makes the view ask for the whole
 * state.
 *
 * @param lead leads the person to a card.
 * @param adopt takes the unsent work in a session that the host kept.
 */
export function host(
  api: EditorApi,
  window: EventTarget,
  lead: (card: string) => void,
  adopt: (chat: string, drafts: string) => void,
): Host {
  const { set, ...state } = store<ViewState>({ entries: [] });
  const calls = new Map<number, { done(files: Found): void; failed(why: Error): void }>();
  let expected = 0;
  // Other than those of this page before it was hidden, whose replies may still come.
  let count = Date.now();

  function take(message: ToView): void {
    if (message.type === "lead") return lead(message.card);
    if (message.type === "done") {
      const call = calls.get(message.call);
      calls.delete(message.call);
      return message.problem === undefined
        ? call?.done(message.files ?? [])
        : call?.failed(new Error(message.problem));
    }
    const { seq, parts, entries } = message;
    if (seq !== expected && seq !== 0) return api.postMessage({ type: "ready" });
    expected = seq + 1;
    const before = state.current();
    if (parts.drafts !== undefined) adopt(parts.chat ?? before.chat ?? "", parts.drafts);
    const known = parts.chat === undefined ? before.entries : [];
    set({
      ...before,
      ...parts,
      entries: entries === undefined ? known : changedEntries(known, entries),
    });
  }

  window.addEventListener("message", (event) => {
    const message: MessageOf<typeof toView> | undefined = readMessage(toView, (event as MessageEvent).data);
    if (message !== undefined) take(message as unknown as ToView);
  });
  const fits = (message: ToHost) => readMessage(toHost, message) !== undefined;
  /** Posts a message. A message that the host would not take is told to the person instead. */
  function post(message: ToHost): void {
    const isTooLarge = !fits(message);
    if ((state.current().isTooLarge ?? false) !== isTooLarge) set({ ...state.current(), isTooLarge });
    if (!isTooLarge) api.postMessage(message);
  }
  const ask = (message: WithoutCall<Calling>) =>
    new Promise<Found>((done, failed) => {
      count += 1;
      const calling = { ...message, call: count } as ToHost;
      if (!fits(calling))
        return failed(new Error(viewWords[state.current().language ?? defaultLanguage].tooLarge));
      calls.set(count, { done, failed });
      post(calling);
    });
  post({ type: "ready" });
  return {
    state,
    post,
    forgetTooLarge: () => set({ ...state.current(), isTooLarge: false }),
    call: async (message) => void (await ask(message)),
    findFiles: (begun) => ask({ type: "findFiles", begun }),
  };
}
