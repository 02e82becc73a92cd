import type { ClientSession } from "@askwire/client";
import { visibleLine } from "@askwire/client/text";
import type { ChatWords } from "@askwire/client/words";

export type SwitchableSession = Pick<ClientSession, "server" | "may" | "doNotAsk" | "setDoNotAsk">;

/** The state that `/noask` switches over; undefined for a server without it. */
export const switchableAsking = ({ server, may, doNotAsk }: SwitchableSession): boolean | undefined =>
  may("prompt") && server?.capabilities?.askwire?.do_not_ask === true ? doNotAsk : undefined;

/** Says for the session that nobody is to be asked, or takes that back. A refusal becomes a line. */
export async function setDoNotAsk(
  session: SwitchableSession,
  enabled: boolean,
  tell: (line: string) => void,
  words: ChatWords,
): Promise<void> {
  try {
    // A change is told by its event, to this terminal too.
    if (session.doNotAsk === enabled) tell(words.doNotAsk(enabled, ""));
    else await session.setDoNotAsk(enabled);
  } catch (error) {
    tell(words.notSwitched(visibleLine(error instanceof Error ? error.message : String(error))));
  }
}
