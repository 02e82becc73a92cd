const schemes = ["http:", "https:", "mailto:"];

/** The whole address of a link that may be opened: of the web, or of a mail. Undefined for any other. */
export function safeLink(href: string): string | undefined {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  return url !== undefined && schemes.includes(url.protocol) ? url.href : undefined;
}
