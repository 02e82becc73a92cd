import { LocalError, type UserInput, WireError } from "@askwire/protocol";
import { commandOf } from "../contract/command-of.js";
import type { ClientSession } from "../contract/session.js";
import type { ClientTurn } from "../contract/turn.js";

/** The most times that words go back and forth between other clients' turns that begin and end. */
const MOST_TRIES = 8;

/**
 * Says something to the agent: as a prompt, or into the turn that runs, whoever began it. Resolves once the turn has
 * begun or has taken the words; with the turn, if the words began one. Its events have a reader then: hear them by the
 * handler `event`. Rejects as `prompt` and `steer` do; a slash command cannot be said into a turn.
 *
 * @param onTurn called with each turn that is asked for, before it begins. Default: nothing.
 */
export async function say(
  session: Pick<ClientSession, "prompt" | "steer" | "slashCommands">,
  input: UserInput,
  onTurn: (turn: ClientTurn) => void = () => {},
): Promise<ClientTurn | undefined> {
  const maySteer = typeof input !== "string" || !commandOf(input, session.slashCommands);
  for (let tries = 1; ; tries += 1) {
    try {
      const turn = session.prompt(input);
      onTurn(turn);
      await turn[Symbol.asyncIterator]().next();
      return turn;
    } catch (error) {
      if (!maySteer || tries === MOST_TRIES || !isBusy(error)) throw error;
    }
    try {
      await session.steer(input);
      return undefined;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }
}

/** True for a refusal that is only because of the state of the turn. */
const isBusy = (error: unknown) =>
  error instanceof WireError
    ? error.is("InvalidState")
    : error instanceof LocalError && error.code === "INVALID_STATE";
