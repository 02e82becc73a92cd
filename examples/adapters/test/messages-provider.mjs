// A provider of Claude's messages on loopback, whose model says what a test has it say, and keeps what it was sent.
import { createServer } from "node:http";

/** @typedef {string | { id: string, name: string, input: object }[]} Step what the model says, or the tools that it calls */

/**
 * Listens until the test ends. Requests without tools, such as those for a title, are answered with "ok".
 * @param {import("node:test").TestContext} t
 * @param {Step[]} steps
 */
export async function messagesProvider(t, ...steps) {
  /** @type {any[]} */
  const sent = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (!request.url?.startsWith("/v1/messages") || request.method !== "POST") {
      response.end("{}");
      return;
    }
    if (request.url.includes("count_tokens")) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ input_tokens: 1 }));
      return;
    }
    const body = JSON.parse(text);
    const isAgent = body.tools?.some((/** @type {any} */ { name }) => name === "Write");
    const step = isAgent ? (steps[sent.push(body) - 1] ?? "Done.") : "ok";
    const content = typeof step === "string" ? [{ type: "text", text: step }] : step.map(toolUse);
    const stop_reason = typeof step === "string" ? "end_turn" : "tool_use";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `m${sent.length}`, type: "message", role: "assistant", model: body.model };
    if (body.stream !== true) {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...message, content, stop_reason, stop_sequence: null, usage }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    const send = (/** @type {any} */ event) =>
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
    send({ type: "message_start", message: start });
    content.forEach((block, index) => {
      const { content_block, delta } = parts(block);
      send({ type: "content_block_start", index, content_block });
      send({ type: "content_block_delta", index, delta });
      send({ type: "content_block_stop", index });
    });
    send({ type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
    send({ type: "message_stop" });
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    /** The results of tools that the model read in its n-th call, from 0. */
    read: (/** @type {number} */ n) =>
      sent[n]?.messages
        .flatMap((/** @type {any} */ { content }) => (Array.isArray(content) ? content : []))
        .filter((/** @type {any} */ { type }) => type === "tool_result")
        .map((/** @type {any} */ { content }) =>
          typeof content === "string" ? content : JSON.stringify(content),
        ),
  };
}

const toolUse = (/** @type {object} */ call) => ({ type: "tool_use", ...call });

/** A block as it is streamed: its beginning, and all the rest at once. @param {any} block */
function parts(block) {
  if (block.type === "text")
    return { content_block: { type: "text", text: "" }, delta: { type: "text_delta", text: block.text } };
  const delta = { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  return { content_block: { ...block, input: {} }, delta };
}

/** The environment of an agent that knows this provider alone, and no settings of this machine. */
export const apart = (/** @type {string} */ url, /** @type {string} */ home) => ({
  ...{ ...process.env, HOME: home, CLAUDE_CONFIG_DIR: home },
  ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none", ANTHROPIC_MODEL: "claude-sonnet-4-5" },
  ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1" },
});
