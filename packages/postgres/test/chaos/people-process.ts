// People who answer, each after some thought, until the process ends. Arguments: the address of the nodes. Tests bundle it.
import { setMaxListeners } from "node:events";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { labelFor } from "../label-for.js";
import { coming } from "./coming.js";
import type { Order, Told } from "./told.js";

const [address = ""] = process.argv.slice(2);
const ending = new AbortController();
setMaxListeners(0, ending.signal);
const tell = (told: Told) => void process.send?.(told);

const comes = (id: string, thinkMs: number) =>
  coming(address, id, (why) => tell({ what: "failed", why }), {
    handlers: {
      async question({ id: request, questions, program }) {
        tell({ what: "shown", key: program?.key ?? "", request });
        const thought = { signal: ending.signal };
        if (thinkMs > 0) await setTimeout(thinkMs * Math.random(), undefined, thought).catch(() => {});
        return { answers: { [questions[0]?.question ?? ""]: labelFor(request) } };
      },
    },
  });

process.on("message", async (order: Order) => {
  if (order.what === "end") ending.abort();
  if (order.what !== "answer") return;
  try {
    await Promise.all(order.sessions.map((id) => comes(id, order.thinkMs)));
  } catch (error) {
    tell({ what: "failed", why: String(error) });
  }
});
process.once("disconnect", () => process.exit());
tell({ what: "there" });
