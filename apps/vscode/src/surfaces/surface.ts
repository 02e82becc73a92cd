// The parts that every surface of the editor gets.
import type { LogOutputChannel } from "vscode";
import type { Cards } from "../cards/cards.js";
import type { Chats } from "../chats/chats.js";

/** Surfaces show the cards and give answers; none of them keeps a state that counts. */
export interface SurfaceShown {
  readonly chats: Chats;
  readonly cards: Cards;
  readonly log: LogOutputChannel;
}
