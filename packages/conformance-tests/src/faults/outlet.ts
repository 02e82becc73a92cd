import type { Outgoing, PlayedPart, PlayedStep, Player } from "./player.js";

/** The way out of the suite on one connection: messages leave in order, with the ordered faults around them. */
export interface Outlet {
  /**
   * Sends messages, in one go where no fault parts them.
   *
   * @returns how many lines came with them that a server answers with `-32700` and id null.
   */
  send(messages: readonly Outgoing[]): number;
  /** Does something else once all that was sent has left. */
  after(act: () => void): void;
}

interface OutletOptions {
  /** Absent where no faults are ordered. */
  readonly player: Player | undefined;
  /** Writes pieces in one go. */
  write(parts: readonly PlayedPart[]): void;
  /** Hears of the faults around the next message. */
  note(what: string): void;
}

export function outlet({ player, write, note }: OutletOptions): Outlet {
  const queue: { readonly pauseMs: number; act(): void }[] = [];
  let isWaiting = false;

  function go(): void {
    while (!isWaiting && queue.length > 0) {
      const [{ pauseMs, act }] = queue as [{ pauseMs: number; act(): void }];
      if (pauseMs > 0) {
        isWaiting = true;
        setTimeout(() => {
          isWaiting = false;
          queue.shift();
          act();
          go();
        }, pauseMs);
        return;
      }
      queue.shift();
      act();
    }
  }

  return {
    send(messages) {
      const steps: PlayedStep[] = [];
      let unreadable = 0;
      for (const message of messages) {
        const played = player?.play(message);
        if (played !== undefined && played.what !== "") note(`a fault: the next message ${played.what}`);
        unreadable += played?.unreadable ?? 0;
        steps.push(...(played?.steps ?? [{ pauseMs: 0, parts: [{ bytes: message.bytes, isLast: true }] }]));
      }
      for (const { pauseMs, parts } of inOneGo(steps)) queue.push({ pauseMs, act: () => write(parts) });
      go();
      return unreadable;
    },
    after(act) {
      queue.push({ pauseMs: 0, act });
      go();
    },
  };
}

/** Joins steps without a pause between them. */
function inOneGo(steps: readonly PlayedStep[]): PlayedStep[] {
  const joined: { readonly pauseMs: number; readonly parts: PlayedPart[] }[] = [];
  for (const { pauseMs, parts } of steps) {
    const last = joined.at(-1);
    if (last === undefined || pauseMs > 0) joined.push({ pauseMs, parts: [...parts] });
    else last.parts.push(...parts);
  }
  return joined;
}
