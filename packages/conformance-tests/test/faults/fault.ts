import { all } from "../durable/process.js";

/** The side that a message goes to. */
export type Side = "server" | "client";

/** Faults of a message that every transport can make. */
export const faultKinds = [
  "cut before",
  "cut within",
  "cut after",
  "twice",
  "again later",
  "delayed",
] as const;
/** Faults that only a channel in memory can make. A message is lost, and one side alone hears of the end. */
export const oneSidedKinds = ["lost, unseen by the server", "lost, unseen by the client"] as const;
export type FaultKind = (typeof faultKinds)[number] | (typeof oneSidedKinds)[number];

/** A fault at the message of that number, from 1, of all messages to a side. */
export interface Fault {
  readonly kind: FaultKind;
  readonly to: Side;
  readonly n: number;
}

export type Counts = Readonly<Record<Side, number>>;

/** The faults of one conversation, and how many messages it has had so far. */
export interface FaultPlan {
  /** Counts a message that is about to be sent, and tells what happens to it. */
  next(to: Side): FaultKind | undefined;
  readonly counts: Counts;
  /** Of each fault that has happened: its kind. */
  readonly struck: readonly FaultKind[];
}

/** @param faults with as many of one side as are wanted; each happens once. */
export function faultPlan(faults: readonly Fault[] = []): FaultPlan {
  const counts = { server: 0, client: 0 };
  const struck: FaultKind[] = [];
  return {
    counts,
    struck,
    next(to) {
      counts[to] += 1;
      const fault = faults.find((fault) => fault.to === to && fault.n === counts[to]);
      if (fault !== undefined) struck.push(fault.kind);
      return fault?.kind;
    },
  };
}

/** Every fault of these kinds at every message. */
export function everyFault(kinds: readonly FaultKind[], counts: Counts): Fault[] {
  const sides = ["server", "client"] as const;
  return kinds.flatMap((kind) =>
    sides.flatMap((to) => Array.from({ length: counts[to] }, (_, index) => ({ kind, to, n: index + 1 }))),
  );
}

/** A third of the faults, with `ASKWIRE_CRASHES=all` each. A connection in memory has each of them in its own tests. */
export const someFaults = (kinds: readonly FaultKind[], counts: Counts): Fault[] =>
  everyFault(kinds, counts).filter((_, n) => all || n % 3 === 0);

export const nameOf = ({ kind, to, n }: Fault) => `${kind}: message ${n} to the ${to}`;

/** The connections that a client may need under a fault. Repeated and late messages cost none. */
export const connectsAtMost = ({ kind }: Fault) =>
  ["twice", "again later", "delayed"].includes(kind) ? 1 : 2;
