import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: object };

/**
 * A provider of Claude on loopback, until the test has finished: each turn asks a question, then writes a file, then says
 * that all is done. Resolves with its address.
 */
export async function claudeProvider(file: string): Promise<string> {
  const options = [
    { label: "SQLite", description: "One file" },
    { label: "PostgreSQL", description: "A server" },
  ];
  const questions = [{ question: "Which database?", header: "DB", multiSelect: false, options }];
  const steps: Content[] = [
    { type: "tool_use", id: "ask", name: "AskUserQuestion", input: { questions } },
    { type: "tool_use", id: "write", name: "Write", input: { file_path: file, content: "hello\n" } },
    { type: "text", text: "All done." },
  ];
  return await scriptedClaude(steps);
}

/**
 * A provider of Claude on loopback, until the test has finished, whose turns make these steps. Resolves with its address.
 *
 * @param heard is called with the texts of the messages of each turn, which goes on once it has resolved.
 */
export async function scriptedClaude(
  steps: readonly Content[],
  heard: (text: string) => void | Promise<void> = () => {},
): Promise<string> {
  const asked = steps.find((step) => step.type === "tool_use")?.name;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const { messages = [], tools = [], model, stream } = JSON.parse(body || "{}");
    const results = JSON.stringify(messages).split('"type":"tool_result"').length - 1;
    const isTurn = tools.some((tool: { name: string }) => tool.name === asked);
    if (isTurn) await heard(JSON.stringify(messages));
    const content = (isTurn ? steps[results] : undefined) ?? (steps.at(-1) as Content);
    const stop_reason = content.type === "text" ? "end_turn" : "tool_use";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: "m", type: "message", role: "assistant", model, content: [], usage };
    if (stream !== true)
      return void response.end(JSON.stringify({ ...message, content: [content], stop_reason }));
    response.setHeader("content-type", "text/event-stream");
    const tell = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    tell("message_start", { message });
    const { begun, delta } = pieces(content);
    tell("content_block_start", { index: 0, content_block: begun });
    tell("content_block_delta", { index: 0, delta });
    tell("content_block_stop", { index: 0 });
    tell("message_delta", { delta: { stop_reason }, usage });
    tell("message_stop", {});
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The beginning of a streamed block, and all that follows. */
function pieces(content: Content): { begun: object; delta: object } {
  if (content.type === "text")
    return { begun: { type: "text", text: "" }, delta: { type: "text_delta", text: content.text } };
  const partial_json = JSON.stringify(content.input);
  return { begun: { ...content, input: {} }, delta: { type: "input_json_delta", partial_json } };
}
