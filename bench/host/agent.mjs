/** @import { AgentModule, Asker } from "../contract.js" */
import { AsyncResource } from "node:async_hooks";
import { heldQuestion } from "../payload.mjs";
import { answerControl } from "./control.mjs";
import { agentTasks, memory } from "./tasks.mjs";

const [peer, transport, mode] = process.argv.slice(2);
/** @type {AgentModule} */
const agent = await import(`../peers/${peer}/agent.mjs`);

/** @type {{ [Mode in "pair" | "crowd"]: () => { serve(asker: Asker): Promise<void>, tasks: Record<string, (args: any) => unknown> } }} */
const modes = { pair: servePair, crowd: serveCrowd };

/** One connection. Tasks run inside the call to `serve`, where the peer's library may keep its current turn. */
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
function serveCrowd() {
  /** @type {() => void} */
  let letAsk;
  const mayAsk = new Promise((resolve) => {
    letAsk = () => resolve(undefined);
  });
  let served = 0;
  return {
    /** @type {(asker: Asker) => Promise<void>} */
    async serve(asker) {
      served += 1;
      await mayAsk;
      await asker.ask(heldQuestion);
    },
    tasks: { memory, serving: () => served, letAsk: () => letAsk() },
  };
}

const { serve, tasks } = modes[/** @type {"pair" | "crowd"} */ (mode)]();
answerControl(tasks);
if (transport === "stdio") {
  agent.overStdio(serve);
  process.send?.({ ready: true });
} else {
  if (agent.overWebSocket === undefined) throw new Error(`${peer} has no overWebSocket`);
  process.send?.({ ready: true, url: await agent.overWebSocket(serve) });
}
