/** @import { Measure } from "../contract.js" */
import { startPair } from "../pair.mjs";

const inFlight = 16;
/** The part of the questions before the first reading, in which the code gets compiled. */
const warm = 0.2;

/** @type {Measure} */
export const retained = {
  name: "retained",
  title: "Memory kept per settled question",
  note: "Heap of the asking process (stdio) after the last question less that after the first fifth, both after a full collection.",
  columns: () => [
    { key: "bytes", label: "bytes/question" },
    { key: "questions", label: "questions" },
    { key: "heapMb", label: "heap at the end, MB" },
  ],
  reps: ({ quick, reps }) => (quick ? 1 : Math.min(reps, 2)),
  async sample(peer, { quick, cores }) {
    const questions = Math.min(peer.retainedQuestions ?? 300_000, quick ? 10_000 : 300_000);
    const first = Math.round(questions * warm);
    const pair = await startPair({ peer: peer.name, transport: "stdio", clientCores: cores });
    try {
      await pair.call("agent", "ask", { count: first, inFlight });
      const before = await pair.call("agent", "memory");
      await pair.call("agent", "ask", { count: questions - first, inFlight });
      const after = await pair.call("agent", "memory");
      const bytes = (after.heap - before.heap) / (questions - first);
      return { bytes, questions, heapMb: after.heap / 2 ** 20 };
    } finally {
      pair.end();
    }
  },
};
