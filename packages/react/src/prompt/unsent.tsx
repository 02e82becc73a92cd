import { visibleText } from "@askwire/client/text";
import type { TalkWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import { Foreign } from "../cards/foreign-text.js";
import type { Unsent } from "./use-sending.js";

/** Characters of words under way that are shown: enough to know them by. */
const BEGINNING = 60;

/** The words that have been on their way for a second, to be taken back. */
export const NotYet = ({
  slow,
  words,
  onTakeBack,
}: {
  readonly slow: readonly Unsent[];
  readonly words: TalkWords;
  onTakeBack(one: Unsent): void;
}): ReactNode =>
  slow.map((one) => (
    <div key={one.key} className="askwire-not-yet">
      <p role="status">
        <Foreign text={words.notSentYet(beginningOf(one.text || namesOf(one)))} />
      </p>
      {one.recall.signal.aborted ? (
        <small role="status">{words.tooLateToTakeBack}</small>
      ) : (
        <button type="button" className="askwire-plain" onClick={() => onTakeBack(one)}>
          {words.takeBack}
        </button>
      )}
    </div>
  ));

const beginningOf = (text: string) => (text.length > BEGINNING ? `${text.slice(0, BEGINNING)}…` : text);

/** The names of what goes with words. */
const namesOf = ({ attached }: Unsent) => attached.map(({ name }) => name).join(", ");

/** The words that did not arrive, to be put back or forgotten. */
export const CameBack = ({
  failed,
  words,
  onPutBack,
  onDrop,
}: {
  readonly failed: readonly Unsent[];
  readonly words: TalkWords;
  onPutBack(one: Unsent): void;
  onDrop(one: Unsent): void;
}): ReactNode =>
  failed.map((one) => (
    <div key={one.key} className="askwire-unsent">
      <p role="status">
        <Foreign text={words.notSent(one.problem ?? "")} />
      </p>
      <p className="askwire-text" dir="auto">
        {visibleText([one.text, namesOf(one)].filter((text) => text !== "").join("\n"))}
      </p>
      <div className="askwire-buttons">
        <button type="button" onClick={() => onPutBack(one)}>
          {words.putBack}
        </button>
        <button type="button" onClick={() => onDrop(one)}>
          {words.drop}
        </button>
      </div>
    </div>
  ));
