import type { CardWords } from "@askwire/client/words";
import { type ReactNode, useId, useRef } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import { Icon } from "../looks/icon.js";
import { SettledNote } from "./settled-note.js";

/**
 * Shows how far the answer of a card has come, and how a request ended without it: with the person's own words, to be
 * copied, and a button to take the card away.
 */
export function DeliveryNote({
  delivery = { is: "draft" },
  settled,
  own,
  words,
  onDismiss,
}: {
  /** Default: not answered. */
  readonly delivery?: OpenRequest["delivery"];
  readonly settled?: OpenRequest["settled"];
  /** The person's words. Empty without any. */
  readonly own: string;
  readonly words: CardWords;
  onDismiss?(): void;
}): ReactNode {
  return (
    <>
      <p className="askwire-delivery" data-delivery={delivery.is} role="status">
        {settled === undefined && delivery.is === "sending" && words.sending}
        {settled === undefined && delivery.is === "undelivered" && words.undelivered}
      </p>
      {settled && (
        <SettledNote {...{ delivery, settled, words, onDismiss }}>
          {own !== "" && <OwnWords text={own} words={words} />}
        </SettledNote>
      )}
    </>
  );
}

/** Words that did not count, to be copied. Where the clipboard is out of reach they are selected. */
function OwnWords({ text, words }: { readonly text: string; readonly words: CardWords }): ReactNode {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const copy = () => {
    box.current?.select();
    void navigator.clipboard?.writeText(text).catch(() => {});
  };
  return (
    <div className="askwire-own">
      <label htmlFor={id}>{words.yourWords}</label>
      <textarea
        ref={box}
        id={id}
        dir="auto"
        readOnly
        rows={Math.min(8, text.split("\n").length)}
        value={text}
      />
      <button type="button" className="askwire-plain" onClick={copy}>
        <Icon name="copy" /> {words.copy}
      </button>
    </div>
  );
}
