import { store } from "@askwire/react/cards";
import { createRoot } from "react-dom/client";
import { browserNotices } from "../attention/notices.js";
import { sound } from "../attention/sound.js";
import { type Entered, takeFragment } from "../entry/fragment.js";
import { type TrustedTypes, workerAddresses } from "../entry/worker-address.js";
import { box } from "../kept/box.js";
import { keptServers } from "../kept/kept-servers.js";
import { keptPictures } from "../kept/pictures.js";
import { settings, spokenIn } from "../kept/settings.js";
import { wasOn } from "../push/was-on.js";
import { followAddress } from "../visits/follow-address.js";
import { Visits } from "../visits/visits.js";
import { pageColours } from "./page-colours.js";
import type { PageParts } from "./parts.js";
import { spokenTexts } from "./texts.js";
import { WholePage } from "./whole-page.js";

/** Puts the page together out of what the browser has, and goes where the address led. */
export function openPage(entered: Entered): void {
  const tab = box(() => sessionStorage);
  const device = box(() => localStorage);
  const home = location.origin;
  const pictures = keptPictures(
    async () => (await import("../kept/picture-box.js")).default(Date.now),
    Date.now,
  );
  const servers = keptServers({ home, tab, device, pictures });
  const choices = settings(device);
  const places = new Visits({
    ...{ home, tab, servers, version: __ASKWIRE_VERSION__ },
    asks: () => choices.current().asks,
    request: (...call) => fetch(...call),
  });
  const audio = sound(typeof AudioContext === "undefined" ? undefined : () => new AudioContext());
  const address = workerAddresses((window as { readonly trustedTypes?: TrustedTypes }).trustedTypes);
  const notices = browserNotices(window, address);
  const texts = spokenTexts(choices, navigator.languages);
  const parts: PageParts = {
    ...{ places, settings: choices, texts, typed: store(""), device },
    highlight: pageColours(address),
    signals: { notices, sound: audio },
  };

  const retry = () => {
    for (const { connection } of places.all.current())
      if (connection.current().is === "lost") connection.retry();
  };
  window.addEventListener("online", retry);
  document.addEventListener("visibilitychange", () => document.hidden || retry());
  window.addEventListener("hashchange", () => {
    const next = takeFragment(location, history);
    if (Object.keys(next).length > 0) places.enter(next);
  });
  document.addEventListener("pointerdown", () => choices.current().sound && audio.allow(), { once: true });

  places.enter(entered);
  followAddress(places, window);
  if (wasOn(device)) {
    const { credentials } = servers.at(home);
    const language = choices.current().language ?? spokenIn(navigator.languages);
    const shown = () => places.shown();
    const kept = { notices, credentials, device, language, request: fetch.bind(globalThis), shown };
    // Without the file, messages come as they did; only the server does not hear what is visible.
    import("../push/kept-push.js").then((file) => file.default(kept)).catch(() => {});
  }
  const root = createRoot(document.getElementById("page") as Element);
  const begin = () => root.render(<WholePage {...parts} />);
  texts.first.then(begin, begin);
}
