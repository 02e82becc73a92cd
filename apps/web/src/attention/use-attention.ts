import { visibleText } from "@askwire/client/text";
import type { OpenRequest } from "@askwire/react";
import { useEffect, useRef } from "react";
import type { Settings } from "../kept/settings.js";
import type { Notices } from "./notices.js";
import type { Sound } from "./sound.js";

/** The signals of a new request. */
export interface Signals {
  readonly notices: Notices;
  readonly sound: Sound;
}

/**
 * Tells of requests by title and icon of the tab, and of new ones as the settings say. All of it goes once they are
 * settled, by whomever.
 *
 * @param title the title of the tab, with the number of requests.
 */
export function useAttention(
  waiting: readonly OpenRequest[],
  title: string,
  textOf: (one: OpenRequest) => string,
  { sound, notify }: Settings,
  signals: Signals,
): void {
  const told = useRef<readonly string[]>([]);
  const count = waiting.length;

  useEffect(() => {
    document.title = title;
    const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
    if (icon !== null) icon.href = count > 0 ? "icon-waiting.svg" : "icon.svg";
  }, [title, count]);

  useEffect(() => {
    const before = told.current;
    told.current = waiting.map(({ id }) => id);
    for (const id of before) if (!told.current.includes(id)) signals.notices.hide(id);
    const fresh = waiting.filter(({ id }) => !before.includes(id));
    if (sound && fresh.length > 0) signals.sound.play();
    if (!notify || !document.hidden) return;
    for (const one of fresh) signals.notices.show(one.id, title, visibleText(textOf(one)));
  });

  // A person who sees the page needs no notification.
  useEffect(() => {
    const onShow = () => {
      if (!document.hidden) told.current.forEach((id) => void signals.notices.hide(id));
    };
    document.addEventListener("visibilitychange", onShow);
    return () => document.removeEventListener("visibilitychange", onShow);
  }, [signals]);

  // A notification of a page that is gone could not be taken back.
  useEffect(() => () => told.current.forEach((id) => void signals.notices.hide(id)), [signals]);
}
