// A client of ACP in a terminal, on acpx as a library: it shows forms, which the acpx of the command line does not.
// Usage: node acpx-forms.mjs '["agent", "its argument"]', in the agent's folder.
import { createAcpRuntime, createFileSessionStore } from "acpx/runtime";

const [command = "[]"] = process.argv.slice(2);
/** Takes the next line. A terminal hands over one at a time. */
let take = (/** @type {string} */ _line) => {};
process.stdin.setEncoding("utf8").on("data", (line) => take(String(line).trim()));

/** Asks for a line. Resolves without one once the signal takes the question back, which is told. */
const ask = (/** @type {string} */ prompt, /** @type {AbortSignal} */ signal) =>
  new Promise((/** @type {(line?: string) => void} */ resolve) => {
    process.stdout.write(`${prompt} `);
    take = resolve;
    signal.addEventListener("abort", () => {
      process.stdout.write("\n(taken away)\n");
      resolve();
    });
  });

const runtime = createAcpRuntime({
  cwd: process.cwd(),
  sessionStore: createFileSessionStore({ stateDir: ".acpx" }),
  agentRegistry: { resolve: () => JSON.parse(command), list: () => ["agent"] },
  permissionMode: "deny-all",
  elicitationModes: ["form"],
  async onPermissionRequest({ raw }, { signal }) {
    const answer = await ask(`Allow ${raw.toolCall.title}? (y/N)`, signal);
    return { outcome: answer === "y" ? "allow_once" : "reject_once" };
  },
});
const handle = await runtime.ensureSession({ sessionKey: "one", agent: "agent", mode: "oneshot" });
const turn = runtime.startTurn({
  ...{ handle, text: "Set up a database", mode: "prompt", requestId: "first" },
  async onElicitation({ message, requestedSchema }, { signal }) {
    const [[key, { oneOf = [] }] = ["", {}]] = Object.entries(requestedSchema?.properties ?? {});
    const labels = oneOf.map((/** @type {{ const: string }} */ option) => option.const);
    const answer = await ask(`${message} (${labels.join(", ")})`, signal);
    return answer === undefined ? { action: "cancel" } : { action: "accept", content: { [key]: answer } };
  },
});
for await (const event of turn.events) if (event.type === "text_delta") process.stdout.write(event.text);
const { status } = await turn.result;
await runtime.shutdown();
process.exit(status === "completed" ? 0 : 1);
