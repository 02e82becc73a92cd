import { visibleText } from "@askwire/client/text";
import type { OpenRequest } from "@askwire/react/cards";
import { useEffect, useRef } from "react";
import type { Settings } from "../kept/settings.js";
import type { WaitingRequest } from "../visits/waiting.js";
import type { Notices } from "./notices.js";
import type { Sound } from "./sound.js";

/** The signals of a new request. */
export interface Signals {
  readonly notices: Notices;
  readonly sound: Sound;
}

/** All that the person is told of. */
export interface Calls {
  /** The open requests, each with a name that no other has. */
  readonly asked: readonly WaitingRequest[];
  /** The number of all that waits, also where it is only listed. */
  readonly count: number;
  /** The title of the tab, with that number. */
  readonly title: string;
  textOf(request: OpenRequest): string;
  /** Leads the person to a request. */
  lead(asked: WaitingRequest): void;
}

/**
 * Announces requests by title and icon of the tab, and of new ones as the settings say. All of it goes once they are
 * settled, by whomever.
 */
export function useAttention(
  { asked, count, title, textOf, lead }: Calls,
  { sound, notify }: Settings,
  signals: Signals,
): void {
  const told = useRef<readonly string[]>([]);

  useEffect(() => {
    document.title = title;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon !== null) icon.href = count > 0 ? "/icon-waiting.svg" : "/icon.svg";
  }, [title, count]);

  useEffect(() => {
    const before = told.current;
    told.current = asked.map(({ name }) => name);
    for (const name of before) if (!told.current.includes(name)) void signals.notices.hide(name);
    const fresh = asked.filter(({ name }) => !before.includes(name));
    if (sound && fresh.length > 0) signals.sound.play();
    if (!notify || !document.hidden) return;
    for (const { name, request, visit } of fresh) {
      const session = visit.server.isHome ? visit.connection.session()?.id : undefined;
      void signals.notices.show(name, title, visibleText(textOf(request)), session);
    }
  });

  const now = useRef({ asked, lead });
  useEffect(() => {
    now.current = { asked, lead };
  });
  useEffect(() => {
    const end = signals.notices.onChosen((chosen) => {
      const found = now.current.asked.find(({ name }) => name === chosen);
      if (found !== undefined) now.current.lead(found);
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
