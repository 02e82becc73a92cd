import type { ReactNode } from "react";
import type { PagePlace } from "../visits/visits.js";
import { later } from "./later.js";
import type { AllWords, PageParts } from "./parts.js";

// Whoever is let in needs no file of this.
const EntryPage = later(() => import("./entry-page.js"));

/** The page without a token, and while one is fetched. */
export function EntrancePage({
  place,
  words,
  ...parts
}: Pick<PageParts, "places" | "typed"> & {
  readonly place: Exclude<PagePlace, { is: "session" | "inbox" }>;
  readonly words: AllWords;
}): ReactNode {
  const { page } = words;
  if (place.is === "entrance") return <EntryPage {...parts} {...{ place, words }} />;
  return (
    <main className="entrance">
      <h1>{page.title}</h1>
      <p role="status">{place.is === "pairing" ? page.pairing : page.connecting}</p>
    </main>
  );
}
