import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, onTestFinished, test } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("mcp-tools.mjs gives an agent the tools of an MCP server, whose form becomes a question to the agent's client", async () => {
  const server = [process.execPath, path("../../packages/relays/test/mcp/asking-server-1.mjs")];
  const asked: string[] = [];
  const session = await connectProcess(process.execPath, [path("../mcp-tools.mjs"), ...server], {
    shows: { fields: true },
    handlers: {
      approval: () => "approve",
      question({ questions }) {
        asked.push(...questions.map(({ question }) => question));
        return "declined";
      },
    },
  });
  onTestFinished(() => session.close());
  await session.prompt("go").result;
  expect(asked).toEqual(["db", "count"]);
});
