import { connect } from "@askwire/client";
import { linkedPair } from "@askwire/protocol/testing";
import { createServer } from "@askwire/server";
import { describe, expect, test } from "vitest";
import { everyFault, type Fault, faultKinds, faultPlan, nameOf, oneSidedKinds } from "./fault.js";
import { memory } from "./transport.js";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const origin = { host: "Claude Code", folder: "/work", tool: "Bash", subagent: "explore" };
const colour = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };

/** A program asks over a road with faults, comes back under its key, asks what it withdraws, and asks for an approval. A person answers. */
async function askOver(faults: readonly Fault[] = []) {
  const plan = faultPlan(faults);
  const server = createServer({ log: quiet, attendance: "hold", agent: { run: async () => {} } });
  const session = server.createSession();
  const shown: string[] = [];
  let withdraw = () => {};
  const { left, right } = linkedPair();
  server.connect(left, { session });
  const person = await connect(right, {
    handlers: {
      approval({ program }) {
        shown.push(`${program?.key} of ${JSON.stringify(program?.origin)}`);
        return { response: "reject", feedback: "not today" };
      },
      question({ program }, { signal }) {
        shown.push(program?.key ?? "");
        if (program?.key === "colour") return { items: [{ question_id: "q1", selected: ["q1_o2"] }] };
        withdraw();
        return new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason)),
        );
      },
    },
  });
  const road = await memory(server, { session, plan, graceMs: 30_000 });
  async function talk() {
    const program = await road.connect({ client: { name: "painter" } });
    const first = await program.ask({ key: "colour", questions: [colour] });
    const again = await program.ask({ key: "colour" });
    const cancelled = new AbortController();
    withdraw = () => cancelled.abort();
    const { signal } = cancelled;
    const second = await program.ask({ key: "now", questions: [{ question: "Now?" }], signal });
    const approval = { action: "deploy", description: "Deploy build 42" };
    const third = await program.ask({ key: "deploy", approval, origin });
    await program.close();
    return [first, again, second, third].map(({ outcome, answers, response, feedback }) => ({
      status: outcome?.status,
      reason: outcome?.reason,
      answers: { ...answers },
      decision: [response, feedback],
    }));
  }
  const told = await road.during(talk(), AbortSignal.timeout(60_000));
  const open = session.pending.length;
  await person.close();
  await road.close();
  await server.close();
  return { told, shown, open, struck: plan.struck, counts: { ...plan.counts } };
}

const plain = await askOver();
const answered = { status: "answered", reason: undefined, answers: { "Which colour?": "Blue" } };
const rejected = { status: "answered", answers: {}, decision: ["reject", "not today"] };

test("a program asks, comes back under its key, withdraws, and asks for an approval with its origin (P-XAK-1, P-XAK-4, P-XAK-5, P-XAK-11, P-XAK-12)", () => {
  expect(plain).toMatchObject({
    told: [answered, answered, { status: "withdrawn", reason: "agent", answers: {} }, rejected],
    shown: ["colour", "now", `deploy of ${JSON.stringify(origin)}`],
    open: 0,
  });
});

describe("a single fault on the connection of a program", () => {
  // The first message to each side is the greeting: without it there is nothing to go on with.
  const faults = everyFault([...faultKinds, ...oneSidedKinds], plain.counts).filter(({ n }) => n > 1);
  test.each(faults.map((fault) => [nameOf(fault), fault] as const))(
    "a fault on the connection of a program changes nothing of what it is told, and people are asked once: %s (P-XAK-4, P-XAK-9)",
    async (_name, fault) => {
      const { told, shown, open, struck } = await askOver([fault]);
      expect(struck).toEqual([fault.kind]);
      expect({ told, shown, open }).toEqual({ told: plain.told, shown: plain.shown, open: 0 });
    },
  );
});
