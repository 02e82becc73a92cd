/** The contents of an address: a token or a pairing code, and the session that is meant. */
export interface Entered {
  readonly token?: string;
  readonly code?: string;
  readonly session?: string;
}

/** Characters of the longest value that is taken from an address. */
const LONGEST = 512;

/**
 * Takes token, pairing code and session out of the address, and the whole fragment with them, so that neither the
 * address bar nor the history of the browser keeps it.
 */
export function takeFragment(
  { hash, pathname }: Pick<Location, "hash" | "pathname">,
  history: Pick<History, "replaceState">,
): Entered {
  if (hash === "") return {};
  history.replaceState(null, "", pathname);
  return readFragment(hash.slice(1));
}

/** Reads `token=…&session=…` or `code=…&session=…`. Other fields, and values of no sense, are left out. */
export function readFragment(fragment: string): Entered {
  const fields = new URLSearchParams(fragment);
  const field = (name: keyof Entered): Entered => {
    const value = fields.get(name) ?? "";
    return value === "" || value.length > LONGEST ? {} : { [name]: value };
  };
  return { ...field("token"), ...field("code"), ...field("session") };
}

/** The reason why a typed entry leads nowhere: it names another server, or nothing. */
export type EntryProblem = "other_server" | "nothing";

/**
 * Reads what a person types or pastes: an address of the page, an address of the wire, a token, or a pairing code.
 *
 * @param host the host of this page, with its port.
 */
export function readEntry(text: string, host: string): Entered | EntryProblem {
  const typed = text.trim();
  if (typed === "" || typed.length > 4 * LONGEST) return "nothing";
  if (!/^(https?|wss?):\/\//i.test(typed))
    return /^[\w-]{22,}$/.test(typed) ? { token: typed } : { code: typed };
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (url === undefined) return "nothing";
  if (url.host !== host) return "other_server";
  const fragment = url.hash.slice(1);
  const session = /^\/wire\/([^/]+)$/.exec(url.pathname)?.[1];
  if (url.pathname.startsWith("/wire")) {
    return fragment === "" ? "nothing" : { token: fragment, ...(session !== undefined && { session }) };
  }
  const entered = readFragment(fragment);
  return (entered.token ?? entered.code) === undefined ? "nothing" : entered;
}
