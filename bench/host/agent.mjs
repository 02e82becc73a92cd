/** @import { AgentModule, Asker } from "../contract.js" */
import { AsyncResource } from "node:async_hooks";
import { heldQuestion } from "../payload.mjs";
import { answerControl } from "./control.mjs";
import { agentTasks, memory } from "./tasks.mjs";

const [peer, transport, mode] = process.argv.slice(2);
/** @type {AgentModule} */
const agent = await import(`../peers/${peer}/agent.mjs`);

/** @typedef {{ serve(asker: Asker): Promise<void>, tasks: Record<string, (args: any) => unknown> }} Shape */

/**
 * A connection, or a session of several clients. Tasks run inside the call to `serve`, where the peer's library may
 * keep its current turn.
 * @returns {Shape}
 */
function servePair() {
  /** @type {(run: (task: (asker: Asker, args: any) => unknown, args: unknown) => unknown) => void} */
  let seat;
  /** @type {Promise<(task: (asker: Asker, args: any) => unknown, args: unknown) => unknown>} */
  const seated = new Promise((resolve) => {
    seat = resolve;
  });
  return {
    /** @type {(asker: Asker) => Promise<void>} */
    serve(asker) {
      seat(AsyncResource.bind((task, args) => task(asker, args)));
      return new Promise(() => {});
    },
    tasks: Object.fromEntries(
      Object.entries(agentTasks).map(([name, task]) => [
        name,
        async (/** @type {any} */ args) => (await seated)(task, args),
      ]),
    ),
  };
}

/** Many connections, nothing of our own kept per connection but one waiting promise. @returns {Shape} */
function serveCrowd() {
  /** @type {() => void} */
  let letAsk;
  const mayAsk = new Promise((resolve) => {
    letAsk = () => resolve(undefined);
  });
  let served = 0;
  let settled = 0;
  let mixedUp = 0;
  /** @type {() => void} */
  let allSettled = () => {};
  return {
    /** @type {(asker: Asker) => Promise<void>} */
    async serve(asker) {
      served += 1;
      await mayAsk;
      const answer = await asker.ask(heldQuestion);
      if (answer !== heldQuestion.expected) mixedUp += 1;
      if (++settled === served) allSettled();
    },
    tasks: {
      memory,
      serving: () => served,
      letAsk: () => letAsk(),
      /** Resolves with the time at which the last question was answered. */
      async settled() {
        if (settled < served) {
          await new Promise((resolve) => {
            allSettled = () => resolve(undefined);
          });
        }
        const endNs = String(process.hrtime.bigint());
        if (mixedUp > 0)
          throw new Error(`${mixedUp} of ${served} answers were not "${heldQuestion.expected}"`);
        return { endNs };
      },
    },
  };
}

const shape = mode === "crowd" ? serveCrowd() : servePair();

/** @returns {Promise<{ url?: string, cut?(): void }>} */
async function open() {
  if (transport === "stdio") {
    agent.overStdio(shape.serve);
    return {};
  }
  if (mode === "shared") {
    if (agent.overShared === undefined) throw new Error(`${peer} has no overShared`);
    return agent.overShared(shape.serve);
  }
  if (agent.overWebSocket === undefined) throw new Error(`${peer} has no overWebSocket`);
  return { url: await agent.overWebSocket(shape.serve) };
}

const { url, cut } = await open();
answerControl({ ...shape.tasks, ...(cut && { cut }) });
process.send?.({ ready: true, url });
