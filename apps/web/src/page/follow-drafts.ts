import { type PersonDrafts, personDrafts, type RequestDraft } from "@askwire/client/drafts";
import { isWaiting, leadTo, type OpenRequest, type Store, store } from "@askwire/react/cards";
import type { FoundDraft } from "../kept/drafts.js";
import type { Visit } from "../visits/visit.js";
import { portableWork, type Work, workOf } from "./portable-work.js";

/** The most requests whose work is read anew when the person comes back. */
const MOST_LOOKED_AT = 32;
/** Work of which nothing is left. It is kept as such: no other device brings back what it had of it. */
const CLEARED: RequestDraft = {};

/** The work on a request that is before the person. */
interface Followed {
  readonly request: string;
  /** As the list had it last. Undefined before the first act on this page. */
  work: Work | undefined;
  /** True where something of it goes to other devices. */
  hasWork: boolean;
  /** The time of that, in milliseconds since 1970. */
  at: number;
}

/** The work that follows the person over devices, for as long as a page shows the session. */
export interface FollowedDrafts {
  /** The names of the requests whose cards have work of another device, and nothing newer. */
  readonly filled: Store<ReadonlySet<string>>;
  stop(): void;
}

/**
 * Has unsent work follow the person over their devices (P-XDR-4): what they do here goes to the server, and newer work of
 * elsewhere fills a card when it is shown and when they come back to the page. What they do here meanwhile stays.
 *
 * @param now the time in milliseconds since 1970, as kept work has it.
 */
export function followDrafts(
  visit: Pick<Visit, "connection" | "requests" | "server">,
  document: Document,
  now: () => number,
): FollowedDrafts {
  const { connection, requests, server } = visit;
  const { filled, tell } = filledCards();
  const known = new Map<string, Followed>();
  const looking = new Set<string>();
  let fills = 0;
  let made: PersonDrafts | undefined;

  function drafts(): PersonDrafts | undefined {
    const session = connection.session();
    if (session !== undefined) made ??= personDrafts(session);
    return made;
  }

  const open = (id: string) => requests.current().find((one) => one.id === id && isWaiting(one));

  /** Takes the list: what the person did, and requests that came or went. */
  function listed(): void {
    const waiting = requests.current().filter(isWaiting);
    for (const [id, { request }] of known) {
      if (waiting.some((one) => one.id === id)) continue;
      known.delete(id);
      tell(id, false);
      drafts()?.drop(request);
    }
    for (const one of waiting) {
      const there = known.get(one.id);
      if (there !== undefined && there.work === one.draft) continue;
      const { next, changed } = workListed(one, there, now);
      known.set(one.id, next);
      if (there === undefined) {
        void look(one.id);
        continue;
      }
      if (changed !== undefined) drafts()?.keep(next.request, changed);
      tell(one.id, false);
    }
  }

  /** Looks at the work on a request that was kept elsewhere, once at a time. */
  async function look(id: string): Promise<void> {
    const before = known.get(id);
    const one = open(id);
    const way = drafts();
    if (before === undefined || one === undefined || way?.areKept !== true || looking.has(id)) return;
    looking.add(id);
    const own = await ownWork(one, server.drafts);
    const found = await way.read(before.request);
    looking.delete(id);
    const still = open(id);
    // An act of the person meanwhile stays, and is on its way.
    if (still === undefined || known.get(id) !== before) return;
    const here = one.draft ?? own?.draft;
    const mine = portableWork(one, here);
    before.hasWork ||= mine !== undefined;
    const since = mine === undefined ? before.at : keptSince(one, own, before);
    const isNewer = found !== undefined && now() - found.ageMs > since;
    if (isNewer && !isSame(found.draft, mine)) return fill(still, here, now() - found.ageMs, found.draft);
    if (mine === undefined || isSame(found?.draft, mine)) return;
    way.keep(before.request, mine);
    way.flush();
  }

  /** Puts the work of elsewhere in the card, whose focus stays in it. */
  function fill(one: OpenRequest, here: Work | undefined, at: number, draft: RequestDraft): void {
    const work = workOf(one, draft, here);
    const card = document.querySelector(`[data-askwire-request="${CSS.escape(one.id)}"]`);
    const hadFocus = card?.contains(document.activeElement) === true;
    drafts()?.drop(one.request.id);
    const hasWork = !isSame(draft, CLEARED);
    known.set(one.id, { request: one.request.id, work, hasWork, at });
    server.drafts.keep(one.id, work);
    fills += 1;
    (one.onDraft as (work: Work, fill: number) => void)(work, fills);
    tell(one.id, hasWork);
    if (hadFocus) requestAnimationFrame(() => leadTo(one.id));
  }

  function lookAgain(): void {
    for (const id of [...known.keys()].slice(0, MOST_LOOKED_AT)) void look(id);
  }

  const ends = [
    requests.subscribe(listed),
    connection.subscribe(() => connection.current().is === "connected" && lookAgain()),
    whileAtPage(document, { comes: lookAgain, leaves: () => drafts()?.flush() }),
  ];
  listed();
  return {
    filled,
    stop() {
      for (const end of ends) end();
      drafts()?.flush();
    },
  };
}

/** The names of the requests whose cards were filled, and the way to tell one. */
function filledCards() {
  const { set, ...filled } = store<ReadonlySet<string>>(new Set());
  function tell(id: string, isFilled: boolean): void {
    if (filled.current().has(id) === isFilled) return;
    const others = [...filled.current()].filter((other) => other !== id);
    set(new Set(isFilled ? [...others, id] : others));
  }
  return { filled, tell };
}

/** A request as the list has it now, and the work to keep for other devices, where the person did some. */
function workListed(
  one: OpenRequest,
  there: Followed | undefined,
  now: () => number,
): { readonly next: Followed; readonly changed?: RequestDraft } {
  const draft = portableWork(one, one.draft);
  const hasWork = draft !== undefined;
  // Whoever only looks through a card has done nothing on it.
  const isDone = hasWork || there?.hasWork === true;
  const at = isDone ? now() : (there?.at ?? Number.NEGATIVE_INFINITY);
  const next = { request: one.request.id, work: one.draft, hasWork, at };
  return { next, ...(isDone && { changed: draft ?? CLEARED }) };
}

/** Calls a function where the person comes to the page, and where they turn away from it. The returned one ends that. */
function whileAtPage(
  document: Document,
  { comes, leaves }: { readonly comes: () => void; readonly leaves: () => void },
): () => void {
  const window = document.defaultView;
  const turned = () => (document.hidden ? leaves() : comes());
  document.addEventListener("visibilitychange", turned);
  window?.addEventListener("focus", comes);
  for (const end of ["blur", "pagehide"]) window?.addEventListener(end, leaves);
  return () => {
    document.removeEventListener("visibilitychange", turned);
    window?.removeEventListener("focus", comes);
    for (const end of ["blur", "pagehide"]) window?.removeEventListener(end, leaves);
  };
}

/** The work that an earlier page of this browser kept. */
const ownWork = (
  { kind, id }: OpenRequest,
  kept: Visit["server"]["drafts"],
): FoundDraft<Work> | Promise<FoundDraft<Work> | undefined> | undefined =>
  kind === "question" ? kept.ofQuestion(id) : kept.ofApproval(id);

/** The time of the work here. That of an earlier look at the request is as old as it was kept. */
const keptSince = ({ draft }: OpenRequest, own: FoundDraft<Work> | undefined, { at }: Followed): number =>
  own === undefined ? at : draft === undefined ? own.at : Math.min(own.at, at);

const isSame = (one: RequestDraft = CLEARED, other: RequestDraft = CLEARED): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
