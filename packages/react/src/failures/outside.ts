/** Calls what the page around gave. Its error goes to the window, and holds up nobody at the card. */
export function runOutside(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    reportError(error);
  }
}
