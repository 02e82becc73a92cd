/** @import { Measure } from "../contract.js" */
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { nodeOn } from "../system.mjs";

const path = (/** @type {string} */ name) => fileURLToPath(new URL(`../host/${name}`, import.meta.url));

/** @type {Measure} */
export const relay = {
  name: "relay",
  title: "An agent behind a relay",
  note: "The same agent of the extended profile over stdio, directly and behind a server that passes it on: the mean of a question one after another, and streamed texts of 25 characters. Agent and relay on one core, the client where the benchmark is.",
  columns: () => [
    { key: "trip", label: "a question, directly, µs" },
    { key: "relayedTrip", label: "behind the relay, µs" },
    { key: "tripRatio", label: "ratio" },
    { key: "texts", label: "texts/s, directly" },
    { key: "relayedTexts", label: "behind the relay" },
    { key: "textRatio", label: "ratio" },
  ],
  reps: ({ reps }) => reps,
  async sample(_peer, { quick, cores }) {
    const counts = quick ? { trips: 500, texts: 10_000 } : { trips: 3_000, texts: 50_000 };
    const agent = [path("relayed.mjs")];
    const core = cores.slice(0, 1);
    const direct = await measured(nodeOn(core, agent), counts);
    const [command, args] = nodeOn([], agent);
    const relayed = await measured(nodeOn(core, [path("relay.mjs"), command, ...args]), counts);
    return {
      trip: direct.trip,
      relayedTrip: relayed.trip,
      tripRatio: relayed.trip / direct.trip,
      texts: direct.texts,
      relayedTexts: relayed.texts,
      textRatio: relayed.texts / direct.texts,
    };
  },
};

/** @type {(line: [string, string[]], counts: { trips: number, texts: number }) => Promise<{ trip: number, texts: number }>} */
async function measured([command, args], { trips, texts }) {
  let heard = 0;
  const session = await connectProcess(command, args, {
    handlers: {
      question: ({ questions: [asked] }) => ({
        items: [{ question_id: asked?.id ?? "", selected: [asked?.options[0]?.id ?? ""] }],
      }),
      event({ type }) {
        if (type === "ContentPart") heard += 1;
      },
    },
  });
  /** @type {(work: { trips: number, texts: number }) => Promise<number>} */
  const seconds = async (work) => {
    const begun = process.hrtime.bigint();
    await session.prompt(JSON.stringify(work)).result;
    return Number(process.hrtime.bigint() - begun) / 1e9;
  };
  try {
    await seconds({ trips: 1_000, texts: 10_000 });
    heard = 0;
    const trip = ((await seconds({ trips, texts: 0 })) / trips) * 1e6;
    const rate = texts / (await seconds({ trips: 0, texts }));
    if (heard !== texts) throw new Error(`${heard} of ${texts} texts came`);
    return { trip, texts: rate };
  } finally {
    await session.close();
  }
}
