import type { OpenCard } from "../cards/cards.js";
import type { SurfaceShown } from "./surface.js";

/** A signal that is aborted once a card is no longer open. */
export function whileOpen(
  { chats, cards }: Pick<SurfaceShown, "chats" | "cards">,
  { chat, request }: OpenCard,
): { signal: AbortSignal; end(): void } {
  const gone = new AbortController();
  const end = chats.onChange(() => cards.of(chat, request.id) ?? gone.abort());
  return { signal: gone.signal, end };
}
