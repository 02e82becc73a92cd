/** The place of a crash: right before an act of that number, from 1, right after it, or within a write. */
export interface Crash {
  readonly n: number;
  readonly when: "before" | "after" | "within";
  /** The bytes of the write that are written, of so many. */
  readonly part?: (bytes: number) => number;
}

/** A process that may end at any of its acts on the world: a call of the disk, a message, the effect of a tool. */
export interface Process {
  readonly isAlive: boolean;
  /** The names of its acts so far, in order. */
  readonly acts: readonly string[];
  /** Numbers an act and does it. Once the process has ended, returns `instead` and does nothing. */
  act<T>(name: string, act: () => T, instead: T): T;
  /** Does an act of so many bytes, which a crash may cut short. */
  write(name: string, bytes: Uint8Array, write: (bytes: Uint8Array) => number): number;
  /** Calls the listener when the process ends. */
  onEnd(listener: () => void): void;
  /** Ends it now, as `kill -9` does. */
  kill(): void;
}

/**
 * Code of an ended process still runs here, and changes nothing: its acts are not done.
 *
 * @param crash the act at which it ends. Default: it goes on.
 */
export function startProcess(crash?: Crash): Process {
  const acts: string[] = [];
  const listeners: (() => void)[] = [];
  let isAlive = true;

  function act<T>(name: string, done: () => T, instead: T): T {
    if (!isAlive) return instead;
    acts.push(name);
    const isHere = acts.length === crash?.n;
    if (isHere && crash?.when === "before") {
      kill();
      return instead;
    }
    try {
      return done();
    } finally {
      if (isHere) kill();
    }
  }

  function kill(): void {
    if (!isAlive) return;
    isAlive = false;
    for (const listener of listeners) listener();
  }

  return {
    get isAlive() {
      return isAlive;
    },
    acts,
    act,
    write(name, bytes, write) {
      const isCut = acts.length + 1 === crash?.n && crash.when === "within";
      const part = isCut ? bytes.subarray(0, crash.part?.(bytes.length) ?? 0) : bytes;
      return act(name, () => write(part), bytes.length);
    },
    onEnd(listener) {
      if (isAlive) listeners.push(listener);
      else listener();
    },
    kill,
  };
}

/** Every crash of a process that did so many acts. */
export function everyCrash(acts: number): Crash[] {
  const numbers = Array.from({ length: acts }, (_, index) => index + 1);
  return numbers.flatMap((n) => [
    { n, when: "before" as const },
    { n, when: "after" as const },
  ]);
}

/** With `ASKWIRE_CRASHES=all` each crash is tried; else a fifth of those of the first script, and some of the rest. */
export const all = process.env.ASKWIRE_CRASHES === "all";

/** Every how manieth is many: odd, since crashes come in pairs, before an act and after it. */
export const MANY = all ? 1 : 5;

/** Every how manieth is some. */
export const SOME = all ? 1 : 15;

export const every = <T>(stride: number, values: readonly T[]): readonly T[] =>
  values.filter((_, index) => index % stride === 0);
