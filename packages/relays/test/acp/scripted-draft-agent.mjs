// An agent of the draft of ACP 2 on the official SDK, which runs scripts as scripted-agent.mjs does, with fewer actions.
import { Readable, Writable } from "node:stream";
import * as v1 from "@agentclientprotocol/sdk";
import * as acp from "@agentclientprotocol/sdk/experimental/v2";

const { client: methods } = acp.methods;
let mode = "code";
/** What was said, and the running prompt. */
const history = [];
let running;

const configOptions = () => [
  {
    configId: "mode",
    name: "Mode",
    category: "mode",
    type: "select",
    currentValue: mode,
    options: [
      { value: "code", name: "Code" },
      { value: "plan", name: "Plan" },
    ],
  },
];
const settings = () => ({
  configOptions: configOptions(),
  availableCommands: [{ type: "command", name: "review", description: "Review the changes" }],
});

const actions = {
  update: ({ update }, value) => update(value),
  request: ({ client, sessionId }, method, params) =>
    client.request(method, { sessionId, ...params }).then(
      (result) => ({ result }),
      ({ code, message }) => ({ error: { code, message } }),
    ),
  untilCancelled: ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  mode: () => mode,
  fail: () => {
    throw new acp.RequestError(-32603, "no model");
  },
};

async function run(sessionId, blocks, client) {
  const controller = new AbortController();
  running = controller;
  const update = async (value) => {
    if (value.sessionUpdate === "agent_message") history.push(value);
    await client.notify(methods.session.update, { sessionId, update: value });
  };
  const say = (text) =>
    update({
      sessionUpdate: "agent_message",
      messageId: crypto.randomUUID(),
      content: [{ type: "text", text }],
    });
  await update({ sessionUpdate: "state_update", state: "running" });
  let end = { stopReason: "end_turn" };
  try {
    for (const [name, ...args] of JSON.parse(blocks[0].text)) {
      const said = await actions[name]({ client, sessionId, update, signal: controller.signal }, ...args);
      if (said !== undefined) await say(JSON.stringify(said));
    }
    if (controller.signal.aborted) end = { stopReason: "cancelled" };
  } catch (error) {
    end = { stopReason: "error", error: error.toErrorResponse() };
  }
  await update({ sessionUpdate: "state_update", state: "idle", ...end });
}

const app = acp
  .agent({ name: "draft-agent" })
  .onRequest("initialize", () => ({
    protocolVersion: 2,
    info: { name: "draft", version: "1.0.0" },
    capabilities: { session: { prompt: { image: {} } } },
  }))
  .onRequest("session/new", () => ({ sessionId: "conversation", ...settings() }))
  .onRequest("session/resume", async ({ params, client }) => {
    const said = [
      { sessionUpdate: "user_message", messageId: "u", content: [{ type: "text", text: "before" }] },
      { sessionUpdate: "agent_message", messageId: "a", content: [{ type: "text", text: "and after" }] },
    ];
    for (const update of params.replayFrom === undefined ? [] : said) {
      await client.notify(methods.session.update, { sessionId: params.sessionId, update });
    }
    return settings();
  })
  .onRequest("session/set_config_option", ({ params }) => {
    mode = params.value;
    return { configOptions: configOptions() };
  })
  .onRequest("session/prompt", ({ params: { sessionId, prompt }, client }) => {
    const messageId = crypto.randomUUID();
    setTimeout(() => void run(sessionId, prompt, client));
    return { messageId };
  })
  .onNotification("session/cancel", () => running?.abort());
app.connect(v1.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
