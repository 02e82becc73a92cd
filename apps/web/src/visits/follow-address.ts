import { placeAddress, readPlace } from "../entry/fragment.js";
import type { PagePlace, Visits } from "./visits.js";

/** The parts of a window whose address follows the person. */
type AddressWindow = Pick<Window, "addEventListener" | "location" | "history">;

/**
 * Keeps the address of the page at the place of the person, without any secret, so that it can be kept, shared and
 * loaded again; and goes where Back and Forward lead.
 */
export function followAddress(places: Visits, window: AddressWindow): void {
  const { location, history } = window;
  let key: number | undefined;
  let unwatch = () => {};

  function write(place: PagePlace): void {
    const address = addressOf(place);
    if (address === undefined || address === location.pathname + location.search) return;
    const isSame = key === undefined || ("key" in place && place.key === key);
    history[isSame ? "replaceState" : "pushState"](null, "", address);
  }

  function look(): void {
    const place = places.current();
    write(place);
    unwatch();
    if (!("key" in place)) return;
    key = place.key;
    // A new session has its id once it is connected.
    unwatch = place.visit.connection.subscribe(() => write(place));
  }

  places.subscribe(look);
  look();
  window.addEventListener("popstate", () => {
    if (location.hash !== "") return;
    const { session, server = places.home } = readPlace(location);
    if (session === undefined) places.inbox();
    else places.go(session, server);
  });
}

/** Undefined where the place has none, or none yet. */
function addressOf(place: PagePlace): string | undefined {
  if (place.is !== "session" && place.is !== "inbox") return undefined;
  const { server, connection, session, inLobby } = place.visit;
  const id = connection.session()?.id;
  // A server that knows no lobby has made a session, which is then the place.
  if (place.is === "inbox" && (inLobby !== true || id === undefined)) return "/";
  const named = id ?? session;
  return named === undefined ? undefined : placeAddress(named, server.isHome ? undefined : server.origin);
}
