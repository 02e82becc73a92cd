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

/** Many connections, nothing of our own kept per connection but one waiting promise. */
class Crowd {
  #served = 0;
  #settled = 0;
  #mixedUp = 0;
  /** @type {() => void} */
  #letAsk = () => {};
  /** @type {Promise<void>} */
  #mayAsk = new Promise((resolve) => {
    this.#letAsk = resolve;
  });
  /** @type {() => void} */
  #allSettled = () => {};

  /** @type {Shape["serve"]} */
  serve = async (asker) => {
    this.#served += 1;
    await this.#mayAsk;
    const answer = await asker.ask(heldQuestion);
    if (answer !== heldQuestion.expected) this.#mixedUp += 1;
    if (++this.#settled === this.#served) this.#allSettled();
  };

  tasks = {
    memory,
    serving: () => this.#served,
    letAsk: () => this.#letAsk(),
    settled: () => this.#end(),
  };

  /** Resolves with the time at which the last question was answered. */
  async #end() {
    if (this.#settled < this.#served) {
      await new Promise((resolve) => {
        this.#allSettled = () => resolve(undefined);
      });
    }
    const endNs = String(process.hrtime.bigint());
    if (this.#mixedUp > 0)
      throw new Error(`${this.#mixedUp} of ${this.#served} answers were not "${heldQuestion.expected}"`);
    return { endNs };
  }
}

/** @type {Shape} */
const shape = mode === "crowd" ? new Crowd() : servePair();

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
