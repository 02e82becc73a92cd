// Tools that ask and misbehave, on the official SDK 2.x.
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const everyField = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2, maxLength: 9 },
    mail: { type: "string", format: "email" },
    page: { type: "string", format: "uri" },
    day: { type: "string", format: "date" },
    at: { type: "string", format: "date-time" },
    count: { type: "integer", minimum: 1, maximum: 9 },
    share: { type: "number" },
    sure: { type: "boolean" },
    db: { type: "string", enum: ["sqlite", "postgres"] },
    size: {
      type: "string",
      oneOf: [
        { const: "s", title: "Small" },
        { const: "l", title: "Large" },
      ],
    },
    targets: { type: "array", items: { type: "string", enum: ["linux", "mac"] }, minItems: 1 },
  },
  required: ["name", "mail", "count", "sure", "db", "targets"],
};

const said = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

/** Makes the server with all the tools. */
export function askingServer() {
  const server = new McpServer(
    { name: "asking", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true } } },
  );
  const ask = (name, params) =>
    server.registerTool(
      name,
      { description: `Asks: ${name}`, inputSchema: z.object({}) },
      async (_, { mcpReq }) => {
        const answer = mcpReq.inputResponses?.q;
        if (answer !== undefined) return said(answer);
        return inputRequired({ inputRequests: { q: params }, requestState: "asked" });
      },
    );
  ask("every_field", inputRequired.elicit({ message: "Fill this in", requestedSchema: everyField }));
  ask(
    "secret",
    inputRequired.elicit({
      message: "Key?",
      requestedSchema: { type: "object", properties: { k: { type: "string" } }, required: ["gone"] },
    }),
  );
  ask(
    "link",
    inputRequired.elicitUrl({
      message: "Log in",
      url: "https://example.org/login?state=1",
      elicitationId: "e1",
    }),
  );
  server.registerTool(
    "echo",
    {
      description: "Says it again",
      inputSchema: z.object({ text: z.string() }),
      annotations: { readOnlyHint: true },
    },
    async ({ text }) => said({ text }),
  );
  server.registerTool("contents", { description: "Every type", inputSchema: z.object({}) }, async () => ({
    content: [
      { type: "text", text: "words" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "inside", mimeType: "text/plain" } },
      { type: "resource", resource: { uri: "file:///b.bin", blob: "aGk=", mimeType: "application/zip" } },
      { type: "resource_link", uri: "https://example.org/c", name: "c" },
    ],
    structuredContent: { n: 1 },
  }));
  server.registerTool("huge", { description: "Much", inputSchema: z.object({}) }, async () => ({
    content: [{ type: "text", text: "x".repeat(200_000) }],
  }));
  server.registerTool(
    "slow",
    { description: "Waits", inputSchema: z.object({}) },
    (_, { mcpReq: { signal, notify, _meta } }) =>
      new Promise((resolve) => {
        notify({
          method: "notifications/progress",
          params: { progressToken: _meta?.progressToken ?? 0, progress: 1 },
        });
        const cancelled = () => {
          process.stderr.write("cancelled here\n");
          resolve(said("cancelled"));
        };
        // The call and its cancellation may come together.
        if (signal.aborted) cancelled();
        else signal.addEventListener("abort", cancelled);
      }),
  );
  server.registerTool(
    "flood",
    { description: "Says too much", inputSchema: z.object({}) },
    async (_, { mcpReq: { notify, _meta } }) => {
      const progressToken = _meta?.progressToken ?? 0;
      for (let progress = 1; progress <= 1_500; progress += 1) {
        await notify({ method: "notifications/progress", params: { progressToken, progress } });
        server.sendToolListChanged();
        // The SDK takes changes that come close together for one.
        if (progress % 500 === 0) await new Promise((resolve) => setTimeout(resolve, 500));
      }
      return said("flooded");
    },
  );
  server.registerTool("die", { description: "Ends the server", inputSchema: z.object({}) }, () => {
    process.stderr.write("out of luck\n", () => process.exit(3));
    return new Promise(() => {});
  });
  server.registerTool("line", { description: "Writes a long line", inputSchema: z.object({}) }, () => {
    process.stdout.write(`"${"x".repeat(11 * 1024 * 1024)}"\n`);
    return new Promise(() => {});
  });
  server.registerTool("grow", { description: "Adds a tool", inputSchema: z.object({}) }, async () => {
    server.registerTool("grown", { description: "New", inputSchema: z.object({}) }, async () =>
      said("grown"),
    );
    return said("done");
  });
  return server;
}
