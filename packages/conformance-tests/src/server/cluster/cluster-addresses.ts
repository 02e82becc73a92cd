/** The least characters of a token (P-SEC-1). */
const LEAST_TOKEN = 22;

/**
 * Reads the addresses of nodes, and gives each its token.
 *
 * @param words as they were typed: `ws://<host>:<port>` with or without `/wire`, a session and a token.
 * @param token of the addresses that have none.
 * @returns the addresses, `ws://<host>:<port>/wire#<token>`, or a sentence on what is wrong.
 */
export function clusterAddresses(
  words: readonly string[],
  token: string | undefined,
): { readonly addresses: readonly string[] } | { readonly wrong: string } {
  if (words.length < 2) return { wrong: "cluster: name the addresses of two nodes or more" };
  const addresses: string[] = [];
  for (const word of words) {
    const bare = word.replace(/#.*/, "");
    const url = URL.canParse(word) ? new URL(word) : undefined;
    if (url === undefined || !/^wss?:$/.test(url.protocol) || !/^\/(wire(\/[^/]*)?)?$/.test(url.pathname))
      return { wrong: `cluster ${bare}: expected an address such as ws://10.0.0.7:8080, as serve prints it` };
    const own = url.hash === "" ? token : decodeURIComponent(url.hash.slice(1));
    if (own === undefined) return { wrong: `cluster ${bare}: it has no token: add --token-file FILE` };
    if (own.length < LEAST_TOKEN)
      return { wrong: `cluster ${bare}: expected a token of ${LEAST_TOKEN} characters or more` };
    addresses.push(`${url.protocol}//${url.host}/wire#${encodeURIComponent(own)}`);
  }
  return { addresses };
}

/** An address without its token. */
export const withoutToken = (address: string): string => address.replace(/#.*/, "");
