import { createRoot } from "react-dom/client";
import { notices } from "../attention/notices.js";
import { sound } from "../attention/sound.js";
import { type Entered, takeFragment } from "../entry/fragment.js";
import { box } from "../kept/box.js";
import { credentials } from "../kept/credentials.js";
import { drafts } from "../kept/drafts.js";
import { settings } from "../kept/settings.js";
import { Page, type PageParts } from "./page.js";
import { visits } from "./visits.js";

/** Puts the page together out of what the browser has, and goes where the address led. */
export function openPage(entered: Entered): void {
  const tab = box(() => sessionStorage);
  const device = box(() => localStorage);
  const kept = credentials(tab, device);
  const work = drafts([tab, device], () => (kept.remembered.current() ? device : tab), Date.now);
  const places = visits({
    ...{ location, tab, credentials: kept, drafts: work, version: __ASKWIRE_VERSION__ },
    request: (...call) => fetch(...call),
  });
  const choices = settings(device);
  const audio = sound(typeof AudioContext === "undefined" ? undefined : () => new AudioContext());
  const parts: PageParts = {
    ...{ places, credentials: kept, drafts: work, tab, settings: choices },
    signals: { notices: notices(window), sound: audio },
  };

  const retry = () => {
    const place = places.current();
    if (place.is === "session" && place.visit.connection.current().is === "lost")
      place.visit.connection.retry();
  };
  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  window.addEventListener("hashchange", () => {
    const next = takeFragment(location, history);
    if (Object.keys(next).length > 0) places.enter(next);
  });
  document.addEventListener("pointerdown", () => choices.current().sound && audio.allow(), { once: true });

  places.enter(entered);
  createRoot(document.getElementById("page") as Element).render(<Page {...parts} />);
}
