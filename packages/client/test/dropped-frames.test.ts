import type { MessageChannel } from "@askwire/protocol";
import { linkedPair } from "@askwire/protocol/testing";
import { describe, expect, test } from "vitest";
import { type DrivenClock, drivenClock } from "../../server/test/driven-clock.js";
import { connect } from "../src/index.js";
import { conversationServer, user } from "./conversation.js";

/** The conversations to try, and the seed of the first. */
const { ASKWIRE_DROPS = "60", ASKWIRE_DROP_SEED = "1" } = process.env;
/** A conversation that is not over after so many seconds of the driven clock hangs. */
const HANGS_S = 1_200;

/** Numbers from 0 to 1, the same for the same seed. */
function chances(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Way = "to the server" | "to the client";

/** A channel of a client that loses messages. */
function losing(channel: MessageChannel, isLost: (way: Way) => boolean): MessageChannel {
  return {
    ...channel,
    send: (text) => void (isLost("to the server") || channel.send(text)),
    listen: (sink) =>
      channel.listen({
        ...sink,
        message: (text) => void (isLost("to the client") || sink.message(text)),
        // A WebSocket that is closed by the server's code has a cause.
        closed: (cause) => sink.closed(cause ?? new Error("closed by the server")),
      }),
  };
}

/** A conversation over connections that lose messages; `seed` says which. */
async function converse(seed: number, clock: DrivenClock = drivenClock()) {
  const chance = chances(seed);
  const server = conversationServer(clock);
  const home = server.createSession();
  const { did, options } = user();
  const rate = 0.02 + chance() * 0.2;
  const ways: readonly (Way | "both")[] = ["to the server", "to the client", "both"];
  const where = ways[Math.floor(chance() * ways.length)];
  /** In every fourth conversation a direction of a connection is dead from a message on. */
  const dies = chance() < 0.25;
  let dials = 0;
  let lost = 0;
  const dial = () => {
    dials += 1;
    const { left, right } = linkedPair();
    server.connect(left, { session: home, graceMs: 3_600_000 });
    let count = 0;
    const dead = dies && dials < 4 ? 3 + Math.floor(chance() * 20) : Number.POSITIVE_INFINITY;
    const isFirst = dials === 1;
    return losing(right, (way) => {
      count += 1;
      // Without the first introduction there is no session.
      if ((isFirst && count < 3) || (where !== "both" && where !== way)) return false;
      const isLost = count >= dead || chance() < rate;
      if (isLost) lost += 1;
      return isLost;
    });
  };
  const session = await connect(dial, { ...options, timing: { ...clock, random: chance } });
  const turn = session.prompt("go");
  let result: unknown = "hangs";
  void turn.result.then(
    (value) => {
      result = value;
    },
    (error) => {
      result = error;
    },
  );
  let seconds = 0;
  while (result === "hangs" && seconds < HANGS_S) {
    for (let turns = 0; turns < 12; turns += 1) await new Promise(setImmediate);
    clock.advance(1_000);
    seconds += 1;
  }
  const open = home.pending.length;
  await session.close();
  return { result, did, open, lost, dials };
}

describe("lost messages (P-XAT-11, P-XAT-12, P-XCL-10)", () => {
  test(`no conversation hangs where messages are lost, and each person is asked once: ${ASKWIRE_DROPS} of them from the seed ${ASKWIRE_DROP_SEED}`, async () => {
    const first = Number(ASKWIRE_DROP_SEED);
    let losses = 0;
    for (let seed = first; seed < first + Number(ASKWIRE_DROPS); seed += 1) {
      const { result, did, open, lost, dials } = await converse(seed);
      losses += lost;
      expect([seed, dials, result, did, open]).toEqual([
        seed,
        dials,
        { status: "finished" },
        ["question", "approval", "tool"],
        0,
      ]);
    }
    expect(losses).toBeGreaterThan(Number(ASKWIRE_DROPS));
  });
});
