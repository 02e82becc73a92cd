import { type Chance, chanceOf } from "./chance.js";
import type { FaultKind, Faults } from "./fault-kinds.js";

/** A piece of a message, without the end of its line. */
export interface PlayedPart {
  readonly bytes: Uint8Array;
  /** True for the last piece of a message. */
  readonly isLast: boolean;
}

/** Pieces that leave in one go, after a pause. */
export interface PlayedStep {
  readonly pauseMs: number;
  readonly parts: readonly PlayedPart[];
}

/** A message with the faults around it. */
export interface Played {
  readonly steps: readonly PlayedStep[];
  /** How many lines come before it that a server answers with `-32700` and id null (P-ENV-1). */
  readonly unreadable: number;
  /** The faults in words; empty without any. */
  readonly what: string;
}

/** A message to play faults around. */
export interface Outgoing {
  readonly bytes: Uint8Array;
  /** True where the protocol promises that the same message once more has no effect. */
  readonly mayRepeat?: boolean;
}

/** The faults of one connection, message by message. */
export interface Player {
  play(message: Outgoing): Played;
  /** Decides whether a fault of this kind happens, which the carrier plays itself. */
  happens(kind: FaultKind): boolean;
}

/** The part of the messages around which a fault of a kind is played. */
const SHARE: Readonly<Record<FaultKind, number>> = {
  split: 0.5,
  together: 0.5,
  crlf: 0.5,
  blank: 0.25,
  bom: 0.25,
  delay: 0.25,
  repeat: 0.5,
  drop: 0.5,
};
/** The messages of a connection with faults around them. All later ones go as they are, so that a flood ends. */
const MOST_MESSAGES = 60;
const LONGEST_DELAY_MS = 30;
/** The pause between two pieces, in which a reader sees the first alone. */
const PIECE_MS = 4;
const MOST_PIECES = 4;

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const CARRIAGE_RETURN = Uint8Array.of(0x0d);
/** A response to an id that nobody asked, which has no effect on either side (P-ENV-9). */
const COMPANION = Buffer.from('{"jsonrpc":"2.0","id":"conformance-nobody-asked","result":{}}');

/** Makes a player for each connection of a check, in turn. */
export function playersOf(faults: Faults, checkId: string): () => Player {
  let connections = 0;
  return () => {
    connections += 1;
    return player(faults.kinds, chanceOf(faults.seed, checkId, connections));
  };
}

function player(kinds: readonly FaultKind[], chance: Chance): Player {
  const happens = (kind: FaultKind) => kinds.includes(kind) && chance.next() < SHARE[kind];
  let messages = 0;
  return {
    happens,
    play({ bytes, mayRepeat = false }) {
      messages += 1;
      if (messages > MOST_MESSAGES)
        return { steps: [{ pauseMs: 0, parts: whole(bytes) }], unreadable: 0, what: "" };
      const blank = happens("blank");
      const bom = happens("bom");
      const together = happens("together");
      const crlf = happens("crlf");
      const pauseMs = happens("delay") ? chance.between(1, LONGEST_DELAY_MS) : 0;
      const twice = mayRepeat && happens("repeat");
      const content = crlf ? Buffer.concat([bytes, CARRIAGE_RETURN]) : bytes;
      const pieces = happens("split") ? cut(content, chance) : whole(content);
      const before = [...(blank ? [new Uint8Array()] : []), ...(bom ? [BYTE_ORDER_MARK] : [])];
      const [first, ...rest] = pieces;
      const apartMs = together ? 0 : PIECE_MS;
      const steps: PlayedStep[] = [
        ...before.map((line) => ({ pauseMs: 0, parts: whole(line) })),
        {
          pauseMs: before.length > 0 ? Math.max(pauseMs, apartMs) : pauseMs,
          parts: [...(together ? whole(COMPANION) : []), ...(first ? [first] : [])],
        },
        ...rest.map((piece) => ({ pauseMs: PIECE_MS, parts: [piece] })),
        ...(twice ? [{ pauseMs: apartMs, parts: whole(bytes) }] : []),
      ];
      const words = [
        blank && "a blank line before it",
        bom && "a byte-order mark on a line before it",
        together && "a response to nobody's request in one chunk with it",
        crlf && "CR LF after it",
        pauseMs > 0 && `${pauseMs} ms late`,
        pieces.length > 1 && `in ${pieces.length} pieces, cut after ${placesOf(pieces)} bytes`,
        twice && "twice",
      ];
      return { steps, unreadable: before.length, what: words.filter((word) => word !== false).join(", ") };
    },
  };
}

const whole = (bytes: Uint8Array): PlayedPart[] => [{ bytes, isLast: true }];

/** Cuts a message at random places, where it can in the middle of a character. */
function cut(bytes: Uint8Array, chance: Chance): PlayedPart[] {
  if (bytes.length < 2) return whole(bytes);
  const places = new Set<number>();
  const inCharacter = bytes.findIndex((byte) => (byte & 0xc0) === 0x80);
  if (inCharacter > 0) places.add(inCharacter);
  const count = chance.between(2, MOST_PIECES);
  while (places.size < Math.min(count, bytes.length) - 1) places.add(chance.between(1, bytes.length - 1));
  const edges = [0, ...[...places].sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => ({
    bytes: bytes.subarray(edges[index], end),
    isLast: end === bytes.length,
  }));
}

/** The places of the cuts, for a person. */
function placesOf(parts: readonly PlayedPart[]): string {
  let length = 0;
  return parts
    .slice(0, -1)
    .map((part) => {
      length += part.bytes.length;
      return length;
    })
    .join(", ");
}
