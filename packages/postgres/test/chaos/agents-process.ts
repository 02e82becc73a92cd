// Programs that ask, one question after the other, each in a session of its own, until they are told to end. Arguments:
// the address of the nodes. Tests bundle it.
import process from "node:process";
import { coming } from "./coming.js";
import type { Asking, Order, Told } from "./told.js";

const [address = ""] = process.argv.slice(2);
const state = { isOver: false };
const tell = (told: Told) => void process.send?.(told);
const questions = [{ question: "Odd or even?", options: [{ label: "Odd" }, { label: "Even" }] }];

async function asks({ id, from }: Asking): Promise<void> {
  const asker = await coming(address, id, (why) => tell({ what: "failed", why }));
  let count = from;
  do {
    const { request_id: request, outcome, answers } = await asker.ask({ key: `${id}-${count}`, questions });
    const label = Object.values(answers ?? {})[0];
    tell({ what: "ended", session: id, count, request, outcome, label });
    count += 1;
    // The question of one that was killed is asked again, and its answer is there.
  } while (!state.isOver);
  await asker.close();
}

process.on("message", async (order: Order) => {
  if (order.what === "end") state.isOver = true;
  if (order.what !== "ask") return;
  try {
    await Promise.all(order.sessions.map(asks));
    tell({ what: "done" });
  } catch (error) {
    tell({ what: "failed", why: String(error) });
  }
});
process.once("disconnect", () => process.exit());
tell({ what: "there" });
