/** Syncs of a file, one at a time, each for all who asked while the one before it was under way. */
export interface GroupCommit {
  /** Has all that was written up to now synced. */
  demand(): void;
  /** Settles as the sync that covers all demands; undefined where nothing is left to sync. */
  pending(): Promise<void> | undefined;
}

interface Round {
  readonly done: Promise<void>;
  readonly begin: () => void;
}

/** @param sync makes safe what is written when it is called; each of its rejections goes to who waits for it. */
export function groupCommit(sync: () => Promise<void>): GroupCommit {
  let running: Round | undefined;
  let next: Round | undefined;

  function start(): void {
    if (running !== undefined || next === undefined) return;
    running = next;
    next = undefined;
    running.begin();
    const over = () => {
      running = undefined;
      // Those who continue now may demand the next sync, and share it.
      if (next !== undefined) setImmediate(start);
    };
    running.done.then(over, over);
  }

  function round(): Round {
    let begin = () => {};
    const done = new Promise<void>((resolve) => {
      begin = () => resolve(sync());
    });
    return { done, begin };
  }

  return {
    demand() {
      if (next !== undefined) return;
      next = round();
      if (running === undefined) setImmediate(start);
    },
    pending: () => (next ?? running)?.done,
  };
}
