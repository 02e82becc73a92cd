import { WireError } from "@askwire/protocol";

/** Rows of a page where the client wants no other number. */
export const ROWS_A_PAGE = 50;

/**
 * Reads the place behind which a page begins, as the `next` of the page before has it: a list as JSON.
 *
 * @param fits tells the places of a list from others.
 * @throws WireError InvalidParams for a text that no page gave.
 */
export function placeOf<Place extends readonly unknown[]>(
  after: string,
  fits: (place: readonly unknown[]) => place is Place,
): Place {
  try {
    const place: unknown = JSON.parse(after);
    if (Array.isArray(place) && fits(place)) return place;
  } catch {
    // As below.
  }
  throw new WireError("InvalidParams", "after: expected the `next` of the page before");
}
