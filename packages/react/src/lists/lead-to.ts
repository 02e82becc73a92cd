/**
 * Leads the person to the card of a request, by the name that `openRequests` gives it: shows it if it was put aside, and focuses its heading, which no key on the
 * way can answer. Does nothing without the card.
 */
export function leadTo(id: string): void {
  const card = document.querySelector(`[data-askwire-request="${CSS.escape(id)}"]`);
  const aside = card?.closest("[hidden]")?.id;
  if (aside) document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(aside)}"]`)?.click();
  // A card that was put aside is shown with the next redraw.
  requestAnimationFrame(() => card?.querySelector<HTMLElement>("h2")?.focus());
}
