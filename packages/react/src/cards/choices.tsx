import type { ReactNode } from "react";
import { Foreign } from "./foreign-text.js";

/** The choices of an answer. Several are the elements of a list: no separator could not be a part of a label. */
export const Choices = ({ choices }: { readonly choices: readonly string[] }): ReactNode =>
  choices.length < 2 ? (
    <Foreign text={choices[0] ?? ""} />
  ) : (
    <ul className="askwire-choices">
      {choices.map((choice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the choices of an answer never move
        <li key={index}>
          <Foreign text={choice} />
        </li>
      ))}
    </ul>
  );
