// A provider of chat completions on loopback, whose model says what a test has it say, and keeps what it was sent.
import { createServer } from "node:http";

/** @typedef {string | { id: string, name: string, input: object }[]} Step what the model says, or the tools that it calls */

/**
 * Listens until the test ends.
 * @param {import("node:test").TestContext} t
 * @param {Step[]} steps
 */
export async function provider(t, ...steps) {
  /** @type {any[]} */
  const sent = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    const step = steps[sent.push(body) - 1] ?? "Done.";
    const calls = typeof step === "string" ? undefined : step.map(toolCall);
    const message = { role: "assistant", content: calls ? null : step, ...(calls && { tool_calls: calls }) };
    const finish_reason = calls ? "tool_calls" : "stop";
    const head = { id: `c${sent.length}`, created: 1, model: "scripted" };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    if (body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason }];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ ...head, object: "chat.completion", choices, usage }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    for (const choice of [{ delta: message }, { delta: {}, finish_reason }]) {
      const choices = [{ index: 0, ...choice }];
      response.write(
        `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, usage })}\n\n`,
      );
    }
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/v1`,
    sent,
    /** The results of tools that the model read in its n-th call, from 0. */
    read: (/** @type {number} */ n) =>
      sent[n]?.messages
        .filter((/** @type {any} */ { role }) => role === "tool")
        .map((/** @type {any} */ { content }) =>
          typeof content === "string" ? content : JSON.stringify(content),
        ),
  };
}

/** A call as a provider writes it. @param {{ id: string, name: string, input: object }} call @param {number} index */
function toolCall({ id, name, input }, index) {
  return { index, id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}
