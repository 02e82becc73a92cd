import { isLoopback } from "@askwire/server";
import { usageFailure } from "../input/failure.js";

const MAIL = /^mailto:[^\s@]+@[^\s@]+$/;

/**
 * Reads `--push-contact`, by which a push service reaches whoever runs the server (RFC 8292, section 2.1).
 *
 * @throws Failure for a text that is neither `mailto:` with an address nor an `https` address that others can reach.
 */
export function readPushContact(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isReachable = url?.protocol === "https:" && url.username === "" && !isLoopback(url.hostname);
  if (isReachable || MAIL.test(text)) return text;
  throw usageFailure(
    `--push-contact ${text}: expected mailto:YOU@YOUR.DOMAIN, or an https address that others can reach`,
  );
}

/** The contact where the operator names none: the address of the page, which a device has subscribed at. */
export const pageContact = (origin: string): string => origin.replace(/^http:/, "https:");
