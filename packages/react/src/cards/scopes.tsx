import type { ReactNode } from "react";
import type { Way } from "./approval-ways.js";
import { Foreign } from "./foreign-text.js";

/** True where a single way says how far it goes, or there are several. */
export const isChoice = (ways: readonly Way[]): boolean =>
  ways.some(({ covers }, index) => index > 0 || covers !== "");

/** The choice of an extent: the first and narrowest is chosen, so that a wide one takes a second act. */
export const Scopes = ({
  id,
  heading,
  ways,
  chosen,
  onChoose,
}: {
  readonly id: string;
  readonly heading: string;
  readonly ways: readonly Way[];
  readonly chosen: Way | undefined;
  onChoose(id: string): void;
}): ReactNode => (
  <fieldset className="askwire-scopes">
    <legend>{heading}</legend>
    <div className="askwire-options">
      {ways.map((way) => (
        <div key={way.id} className="askwire-option">
          <input
            type="radio"
            id={`${id}${way.id}`}
            name={`${id}${way.kind}`}
            checked={way === chosen}
            onChange={() => onChoose(way.id)}
            {...(way.covers !== "" && { "aria-describedby": `${id}${way.id}d` })}
          />
          <label htmlFor={`${id}${way.id}`}>
            <Foreign text={way.label} />
          </label>
          {way.covers !== "" && (
            <p id={`${id}${way.id}d`}>
              <Foreign text={way.covers} />
            </p>
          )}
        </div>
      ))}
    </div>
  </fieldset>
);
