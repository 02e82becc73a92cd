// An agent for ACP 1 on the official SDK. A prompt that is a JSON list is a script: each entry names an action below.
// Any other prompt is said again. Options that `has` reads change it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import * as acp from "@agentclientprotocol/sdk";

const has = (flag) => process.argv.includes(`--${flag}`);
/** The folder in which conversations outlive this process. */
const store = process.env.STORE;
const fileOf = (id) => join(store ?? "", `${id}.json`);
const { client: methods } = acp.methods;

/** What was said, by conversation. */
const conversations = new Map();
const cancels = new Map();
let kept;
let isLoggedIn = !has("login");
let mode = "code";
let model = "small";

const modes = () => ({
  currentModeId: mode,
  availableModes: [
    { id: "code", name: "Code" },
    { id: "plan", name: "Plan", description: "Looks, and changes nothing" },
    { id: "ask", name: "Ask" },
  ],
});
const configOptions = () => [
  {
    id: "model",
    name: "Model",
    category: "model",
    type: "select",
    currentValue: model,
    options: [
      { value: "small", name: "Small" },
      { value: "large", name: "Large", description: "Slower" },
    ],
  },
];
const settings = () => (has("plain") ? {} : { modes: modes(), configOptions: configOptions() });

function keep(id, role, text) {
  const said = conversations.get(id) ?? [];
  said.push({ role, text });
  conversations.set(id, said);
  if (store !== undefined) writeFileSync(fileOf(id), JSON.stringify(said));
}

const answerOf = (promise) =>
  promise.then(
    (result) => ({ result }),
    ({ code, message, data }) => ({ error: { code, message, data } }),
  );

/** The actions of a script. What they return, if anything, is said as JSON. */
const actions = {
  say: ({ update }, text) =>
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
  update: ({ update }, value) => update(value),
  updates: async ({ update }, value, times) => {
    for (let n = 0; n < times; n += 1) await update(value);
  },
  foreign: ({ client }, value) =>
    client.notify(methods.session.update, { sessionId: "another", update: value }),
  request: ({ client, sessionId }, method, params) =>
    answerOf(client.request(method, { sessionId, ...params })),
  /** Begins a request, and takes it back once the client has it. */
  withdraw: async ({ client, sessionId }, method, params) => {
    const controller = new AbortController();
    const answer = answerOf(
      client.request(method, { sessionId, ...params }, { cancellationSignal: controller.signal }),
    );
    await untilFile("withdraw");
    controller.abort();
    return answer;
  },
  /** Shows a link, and says that the person is done there once the client has it. */
  completed: async ({ client, sessionId }, params) => {
    const answer = answerOf(client.request("elicitation/create", { sessionId, ...params }));
    // A second request is answered after the first one was put to the person.
    await answerOf(client.request("fs/read_text_file", { sessionId, path: "/" }));
    await client.notify("elicitation/complete", { elicitationId: params.elicitationId });
    return answer;
  },
  notify: ({ client }, method, params) => client.notify(method, params),
  together: ({ client, sessionId }, ...requests) =>
    Promise.all(
      requests.map(([method, params]) => answerOf(client.request(method, { sessionId, ...params }))),
    ),
  /** Keeps the answers for the next prompt. */
  kept: async (run, ...requests) => {
    kept = await actions.together(run, ...requests);
  },
  answers: () => kept,
  raw: (_, line) => new Promise((resolve) => process.stdout.write(`${line}\n`, () => resolve())),
  untilCancelled: ({ signal }) =>
    new Promise((resolve) =>
      signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve()),
    ),
  hang: () => new Promise(() => {}),
  exit: (_, code, words) => new Promise(() => process.stderr.write(`${words}\n`, () => process.exit(code))),
  after: ({ late }, value) => void late.push(value),
  stop(run, reason) {
    run.stopReason = reason;
  },
  fail: (_, code, message, data) => {
    throw new acp.RequestError(code, message, data);
  },
  environment: (_, ...names) => Object.fromEntries(names.map((name) => [name, process.env[name] ?? null])),
  prompt: (run) => run.blocks,
  mode: () => mode,
  model: () => model,
  pid: () => process.pid,
  session: ({ sessionId }) => sessionId,
};

/** Waits for a file that a test makes. */
async function untilFile(name) {
  while (!existsSync(join(store, name))) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function prompt({ params: { sessionId, prompt: blocks }, client }) {
  const controller = new AbortController();
  cancels.set(sessionId, controller);
  const text = blocks.map((block) => block.text ?? "").join("");
  keep(sessionId, "user", text);
  const update = (value) => client.notify(methods.session.update, { sessionId, update: value });
  const run = {
    client,
    sessionId,
    blocks,
    update,
    signal: controller.signal,
    late: [],
    stopReason: undefined,
  };
  for (const [name, ...args] of scriptIn(text) ?? [["say", `You said: ${text}`]]) {
    const said = await actions[name](run, ...args);
    const words = name === "say" ? args[0] : said === undefined ? undefined : JSON.stringify(said);
    if (words !== undefined) keep(sessionId, "agent", words);
    if (words !== undefined && name !== "say") await actions.say(run, words);
  }
  // After the reply, as some agents do.
  for (const value of run.late) setTimeout(() => void update(value), 20);
  return { stopReason: run.stopReason ?? (controller.signal.aborted ? "cancelled" : "end_turn") };
}

function scriptIn(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function begin() {
  if (!isLoggedIn) throw acp.RequestError.authRequired();
  const sessionId = `conversation-${crypto.randomUUID()}`;
  conversations.set(sessionId, []);
  return { sessionId, ...settings() };
}

async function goOn({ params: { sessionId }, client }, isLoad) {
  if (!existsSync(fileOf(sessionId))) throw acp.RequestError.resourceNotFound(sessionId);
  const said = JSON.parse(readFileSync(fileOf(sessionId), "utf8"));
  conversations.set(sessionId, said);
  for (const { role, text } of isLoad ? said : []) {
    const sessionUpdate = `${role}_message_chunk`;
    await client.notify(methods.session.update, {
      sessionId,
      update: { sessionUpdate, content: { type: "text", text } },
    });
  }
  return settings();
}

if (has("noise")) process.stdout.write("Welcome to the agent!\n[1, 2]\n\n");
const input = Readable.toWeb(process.stdin);
const stream = acp.ndJsonStream(Writable.toWeb(process.stdout), input);

const app = acp
  .agent({ name: "scripted-agent" })
  .onRequest("initialize", async () => {
    if (has("silent")) return new Promise(() => {});
    while (store !== undefined && existsSync(join(store, "slow"))) await sleep(20);
    return {
      protocolVersion: has("future") ? 7 : 1,
      agentInfo: { name: "scripted", title: "Scripted agent", version: "1.0.0" },
      authMethods: has("login") ? [{ id: "key", name: "By key" }] : [],
      agentCapabilities: {
        loadSession: !has("no-load") && !has("resume"),
        promptCapabilities: has("plain") ? {} : { image: true, audio: true, embeddedContext: true },
        sessionCapabilities: has("resume") ? { resume: {} } : {},
      },
    };
  })
  .onRequest("authenticate", () => {
    isLoggedIn = true;
    return {};
  })
  .onRequest("session/new", async ({ client }) => {
    if (has("deaf")) await new Promise(() => {});
    const made = begin();
    const availableCommands = [
      { name: "review", description: "Review the changes", input: { hint: "path" } },
    ];
    const update = { sessionUpdate: "available_commands_update", availableCommands };
    const tell = () => client.notify(methods.session.update, { sessionId: made.sessionId, update });
    if (has("early")) await tell();
    else setTimeout(() => void tell());
    return made;
  })
  .onRequest("session/load", (call) => goOn(call, true))
  .onRequest("session/resume", (call) => goOn(call, false))
  .onRequest("session/set_mode", ({ params }) => {
    mode = params.modeId;
    return {};
  })
  .onRequest("session/set_config_option", ({ params }) => {
    model = params.value;
    return { configOptions: configOptions() };
  })
  .onRequest("session/prompt", prompt)
  .onNotification("session/cancel", ({ params }) => cancels.get(params.sessionId)?.abort());
app.connect(stream);
