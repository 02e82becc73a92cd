import { visibleText } from "@askwire/client/text";
import { useEffect, useRef } from "react";
import type { Settings } from "../kept/settings.js";
import type { Notices } from "./notices.js";
import type { Sound } from "./sound.js";

/** The signals of a new request. */
export interface Signals {
  readonly notices: Notices;
  readonly sound: Sound;
}

/** A request that waits, in the session that the page shows or in any other. */
export interface Announced {
  /** A name that no other has, and that stays the same in whichever session the person is. */
  readonly name: string;
  readonly text: string;
  /** The session on the page's own server that a new window opens. Undefined: as a new window does. */
  readonly session: string | undefined;
  /** Leads the person there. */
  lead(): void;
}

/** All that the person is told of. */
export interface Calls {
  readonly asked: readonly Announced[];
  /** The number of all that waits, also where it is only listed. */
  readonly count: number;
  /** The title of the tab, with that number. */
  readonly title: string;
}

/** Names of requests that were announced, at most: older ones are forgotten. */
const MOST_NAMES = 1_000;

/**
 * Announces requests by title and icon of the tab, and of new ones as the settings say. All of it goes once they are
 * settled, by whomever.
 */
export function useAttention(
  { asked, count, title }: Calls,
  { sound, notify }: Settings,
  signals: Signals,
): void {
  const told = useRef<readonly string[]>([]);
  // Between two sessions nothing is known of what waits, and comes back as it was: it is announced once.
  const announced = useRef(new Set<string>());

  useEffect(() => {
    document.title = title;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon !== null) icon.href = count > 0 ? "/icon-waiting.svg" : "/icon.svg";
  }, [title, count]);

  useEffect(() => {
    const before = told.current;
    told.current = asked.map(({ name }) => name);
    for (const name of before) if (!told.current.includes(name)) void signals.notices.hide(name);
    const fresh = asked.filter(({ name }) => !announced.current.has(name));
    for (const { name } of fresh) announced.current.add(name);
    for (const name of announced.current) {
      if (announced.current.size <= MOST_NAMES) break;
      announced.current.delete(name);
    }
    if (sound && fresh.length > 0) signals.sound.play();
    if (!notify || !document.hidden) return;
    for (const { name, text, session } of fresh)
      void signals.notices.show(name, title, visibleText(text), session);
  });

  const now = useRef(asked);
  useEffect(() => {
    now.current = asked;
  });
  useEffect(() => {
    const end = signals.notices.onChosen((chosen) => {
      const found = now.current.find(({ name }) => name === chosen);
      found?.lead();
      return found !== undefined;
    });
    return () => end();
  }, [signals]);

  // A person who sees the page needs no notification.
  useEffect(() => {
    const onShow = () => {
      if (!document.hidden) void signals.notices.hideAll();
    };
    onShow();
    document.addEventListener("visibilitychange", onShow);
    return () => document.removeEventListener("visibilitychange", onShow);
  }, [signals]);

  // A notification of a page that is gone could not be taken back.
  useEffect(() => () => told.current.forEach((name) => void signals.notices.hide(name)), [signals]);
}
