import type { QuestionInput } from "@askwire/protocol";
import { Unshowable } from "./form-field.js";

/** The longest address that is shown. */
const MOST_ADDRESS = 4_096;

/** The id of the option that says that the person has finished at the address (P-QST-2). */
export const FINISHED_THERE = "q1_o1";

/**
 * Makes a question of a request to open an address. Nothing is opened by itself.
 *
 * @param message the words of the asker about it.
 * @throws Unshowable for an address that does not go to one place under a name that can be read, over a connection that
 * nobody listens to.
 */
export function linkQuestion(message: string, url: string): QuestionInput {
  const { host, href } = addressOf(url);
  return {
    question: message,
    header: host,
    // A backtick would end the code, and the rest of the address would be Markdown.
    body: `Open this address yourself, if you trust it:\n\n\`${href.replaceAll("`", "%60")}\``,
    options: [{ label: "I have finished there" }, { label: "No" }],
    own_text: false,
  };
}

function addressOf(url: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || url.length > MOST_ADDRESS)
    throw new Unshowable("its address is none, or too long");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
  if (address.protocol !== "https:" && !(address.protocol === "http:" && isLocal)) {
    throw new Unshowable(`its address begins with ${address.protocol}; expected https:`);
  }
  if (address.username !== "" || address.password !== "") {
    throw new Unshowable("its address has a user name, which hides where it goes");
  }
  return address;
}
