// A custom transport: the wire over a MessagePort, to an agent in another thread.
//   node port-channel.mjs
import { fileURLToPath } from "node:url";
import { isMainThread, MessageChannel, parentPort, Worker } from "node:worker_threads";
import { modelAgent, scriptedModel } from "@askwire/agent";
import { connect } from "@askwire/client";
import { askUserQuestion } from "@askwire/dialects";
import { createServer } from "@askwire/server";

// #region port-channel
/**
 * Makes a channel over a port, one message of the wire in each message of the port, and null for the end.
 *
 * @param {import("node:worker_threads").MessagePort} port
 * @returns {import("@askwire/protocol").MessageChannel}
 */
export function portChannel(port) {
  /** @type {import("@askwire/protocol").ChannelSink | undefined} */
  let sink;
  let isOpen = true;

  function end() {
    if (!isOpen) return;
    isOpen = false;
    port.close();
    sink?.closed();
  }

  return {
    send(text) {
      if (isOpen) port.postMessage(text);
    },
    listen(listener) {
      sink = listener;
      port.on("close", end);
      // A port delivers nothing before it has a listener, and never within the call that sends.
      port.on("message", (text) => (text === null ? end() : isOpen && listener.message(text)));
    },
    close() {
      if (!isOpen) return;
      port.postMessage(null);
      // The sink hears of the end in a turn of its own, as it does of the other side's.
      queueMicrotask(end);
    },
    // A port takes everything at once.
    drained: () => Promise.resolve(),
  };
}
// #endregion port-channel

/** The agent's thread: a model that asks one question. */
function serveAgent() {
  const question = { question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] };
  const call = { id: "tc-1", name: "AskUserQuestion", arguments: JSON.stringify({ questions: [question] }) };
  const model = scriptedModel([`tool_call: ${JSON.stringify(call)}`, "text: Thank you."]);
  const server = createServer({ agent: () => modelAgent({ model, tools: [askUserQuestion] }) });
  parentPort?.on("message", ({ port }) => server.connect(portChannel(port)));
}

/** The UI's thread: a client that takes the first option of each question. */
async function connectAgent() {
  const worker = new Worker(new URL(import.meta.url));
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ port: port2 }, [port2]);
  const session = await connect(portChannel(port1), {
    handlers: {
      question: ({ questions }) => ({
        items: questions.map(({ id, options: [first] }) => ({
          question_id: id,
          selected: first ? [first.id] : [],
        })),
      }),
    },
  });
  for await (const event of session.prompt("go")) {
    if (event.type === "ToolResult") process.stdout.write(`${event.payload.return_value.output}\n`);
  }
  await session.close();
  await worker.terminate();
}

if (!isMainThread) serveAgent();
else if (process.argv[1] === fileURLToPath(import.meta.url)) await connectAgent();
