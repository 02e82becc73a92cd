// @ts-check
// A client that `askwire conformance client` can check: it launches the agent that it is told to, or connects to the
// address that it is given, sends one prompt, answers as it is told to, and ends.
// #region conformance-client
import { setTimeout as delay } from "node:timers/promises";
import { connectProcess } from "@askwire/client/stdio";
import { connectWebSocket } from "@askwire/client/websocket";

const {
  ASKWIRE_CONFORMANCE_AGENT: agent = "",
  ASKWIRE_CONFORMANCE_PROMPT: prompt = "",
  ASKWIRE_CONFORMANCE_ANSWER: answer = "{}",
  ASKWIRE_CONFORMANCE_TOOL: tool,
} = process.env;
const [address = ""] = process.argv.slice(2);
const { choose = [], own_text, dismiss = false, approve = "reject", after_ms = 0 } = JSON.parse(answer);

/** @type {import("@askwire/client").ClientHandlers} */
const handlers = {
  async question({ questions }, { signal }) {
    await delay(after_ms, undefined, { signal });
    if (dismiss) return "declined";
    const items = questions.map(({ id, options }, index) => {
      const selected = options
        .filter(({ label }) => choose[index]?.includes(label))
        .map((option) => option.id);
      const own = index === 0 && own_text !== undefined ? { own_text } : {};
      const skipped = selected.length === 0 && !("own_text" in own) ? { skipped: true } : {};
      return { question_id: id, selected, ...own, ...skipped };
    });
    return { items };
  },
  async approval(_request, { signal }) {
    await delay(after_ms, undefined, { signal });
    return { response: approve, ...(approve === "reject" && own_text ? { feedback: own_text } : {}) };
  },
};

let runs = 0;
const counter = {
  name: tool ?? "",
  description: "Says how often it was run, and a word.",
  parameters: { type: "object", properties: { word: { type: "string" } } },
  /** @param {Record<string, unknown>} input */
  async run({ word }) {
    await delay(after_ms);
    runs += 1;
    if (word === "fail") throw new Error("it was told to fail");
    return `${runs} ${word}`;
  },
};

const options = {
  handlers,
  shows: { skip: true },
  tools: tool === undefined ? [] : [counter],
  initializeTimeoutMs: 8_000,
};
const session =
  address === ""
    ? await connectProcess(agent, ["--wire", "--work-dir", process.cwd()], {
        ...options,
        closeTimeoutMs: 1_000,
      })
    : await connectWebSocket(address, options);
await session.prompt(prompt).result.finally(() => session.close());
// #endregion conformance-client
