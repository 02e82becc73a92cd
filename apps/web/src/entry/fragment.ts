/** The contents of an address: a token or a pairing code, and the server and the session that are meant. */
export interface Entered {
  /** The origin of the server. Default: the one that the page comes from. */
  readonly server?: string;
  readonly token?: string;
  readonly code?: string;
  readonly session?: string;
  /** The request that is meant, in that session. */
  readonly request?: string;
}

/** Characters of the longest value that is taken from an address. */
const LONGEST = 512;

/**
 * Takes token, pairing code and session out of the address, and the whole fragment with them, so that neither the
 * address bar nor the history of the browser keeps it. What the path names stays there.
 */
export function takeFragment(
  location: Pick<Location, "hash" | "pathname" | "search">,
  history: Pick<History, "replaceState">,
): Entered {
  const { hash, pathname, search } = location;
  const named = readPlace(location);
  if (hash === "") return named;
  history.replaceState(null, "", pathname + search);
  const request = /^#r-(.+)$/s.exec(hash)?.[1];
  if (request === undefined) return { ...named, ...readFragment(hash.slice(1)) };
  const id = decoded(request);
  return { ...named, ...(id !== undefined && named.session !== undefined && { request: id }) };
}

/** Reads the session that `/s/<id>` names, and the other server that `?at=<origin>` does. */
export function readPlace({ pathname, search }: Pick<Location, "pathname" | "search">): Entered {
  const session = decoded(/^\/s\/([^/]+)$/.exec(pathname)?.[1] ?? "");
  if (session === undefined) return {};
  const at = new URLSearchParams(search).get("at") ?? "";
  const isOrigin = URL.canParse(at) && new URL(at).origin === at;
  return { session, ...(isOrigin && { server: at }) };
}

/** The address of a session on the page, without any secret: `/s/<id>`. */
export const placeAddress = (session: string, server?: string): string =>
  `/s/${encodeURIComponent(session)}${server === undefined ? "" : `?at=${encodeURIComponent(server)}`}`;

/** A part of an address as text. Undefined for one that is empty, too long, or no text. */
function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text === "" || text.length > LONGEST ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Reads `token=…&session=…` or `code=…&session=…`. Other fields, and values of no sense, are left out. */
export function readFragment(fragment: string): Entered {
  const fields = new URLSearchParams(fragment);
  const field = (name: "token" | "code" | "session"): Entered => {
    const value = fields.get(name) ?? "";
    return value === "" || value.length > LONGEST ? {} : { [name]: value };
  };
  return { ...field("token"), ...field("code"), ...field("session") };
}

/** The reason why a typed entry leads nowhere: it names a server out of reach, none of several, or nothing. */
export type EntryProblem = "other_server" | "which_server" | "nothing";

/**
 * Reads what a person types or pastes: an address of the page, an address of the wire, a token, or a pairing code.
 *
 * @param origins the servers that an address may name.
 * @param server the server of a token or a code without an address; undefined where several may be meant.
 */
export function readEntry(
  text: string,
  origins: readonly string[],
  server: string | undefined,
): Entered | EntryProblem {
  const typed = text.trim();
  if (typed === "" || typed.length > 4 * LONGEST) return "nothing";
  if (!/^(https?|wss?):\/\//i.test(typed)) {
    if (server === undefined) return "which_server";
    return /^[\w-]{22,}$/.test(typed) ? { server, token: typed } : { server, code: typed };
  }
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined) return "nothing";
  const origin = origins.find((one) => new URL(one).host === url.host);
  if (origin === undefined) return "other_server";
  const entered = readPath(url);
  return (entered.token ?? entered.code) === undefined ? "nothing" : { ...entered, server: origin };
}

/** Reads an address of the wire, whose fragment is the token, or of a page. */
function readPath({ hash, pathname }: URL): Entered {
  const fragment = hash.slice(1);
  if (!pathname.startsWith("/wire")) return readFragment(fragment);
  const session = /^\/wire\/([^/]+)$/.exec(pathname)?.[1];
  return { ...(fragment !== "" && { token: fragment }), ...(session !== undefined && { session }) };
}
