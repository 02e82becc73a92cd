import type { CardWords } from "@askwire/client/words";
import type { ReactNode } from "react";
import type { OpenRequest } from "../hooks/open-requests.js";
import { Foreign } from "./foreign-text.js";

/**
 * The connected program that asks, the origin of its ask, and where several of its calls wait for the answer, their
 * number.
 */
export const WhoAsks = ({
  request: { program },
  settled,
  calls = 1,
  words,
}: {
  readonly request: Pick<OpenRequest["request"], "program">;
  readonly settled?: OpenRequest["settled"];
  readonly calls?: number;
  readonly words: CardWords;
}): ReactNode => (
  <>
    {program !== undefined && (
      <p className="askwire-asker">
        <Foreign text={words.programAsks(program.name)} />
        {words.origin(program.origin) !== "" && (
          <small>
            {" "}
            <Foreign text={words.origin(program.origin)} />
          </small>
        )}
      </p>
    )}
    {calls > 1 && settled === undefined && (
      <p className="askwire-others" role="status">
        {words.callsWait(calls)}
      </p>
    )}
  </>
);
