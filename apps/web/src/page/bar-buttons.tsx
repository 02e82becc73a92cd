import { pairingWords } from "@askwire/client/push-words";
import type { Language, PageWords } from "@askwire/client/words";
import { useStore } from "@askwire/react/cards";
import { type ReactNode, useState } from "react";
import type { Visit } from "../visits/visit.js";
import { later } from "./later.js";
import type { PageParts } from "./parts.js";
import SettingsDialog from "./settings-dialog.js";
import { Sign } from "./sign.js";

const PhoneSheet = later(() => import("./phone-sheet.js"));

/** The buttons of the bar that every place of the page has. */
export default function BarButtons({
  visit,
  ...parts
}: PageParts & {
  /** The visit that the page shows. */
  readonly visit: Visit;
  readonly words: PageWords;
  /** The language of the words. */
  readonly language: Language;
}): ReactNode {
  return (
    <>
      <AddPhone visit={visit} words={parts.words} language={parts.language} />
      <SettingsDialog {...parts} server={visit.server} />
    </>
  );
}

/** The way to a code for a phone, where the server lets this client make one (P-DEV-7). */
function AddPhone({
  visit: { connection, server },
  words,
  language,
}: {
  readonly visit: Visit;
  readonly words: PageWords;
  readonly language: Language;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useStore(connection);
  const session = connection.session();
  if (session?.server?.capabilities?.askwire?.pairing !== true) return null;
  const own = pairingWords[language];
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        <Sign name="phone">{own.title}</Sign>
      </button>
      {isOpen && (
        <PhoneSheet
          {...{ session, own, close: words.close }}
          port={new URL(server.origin).port}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
