import type { QuestionView } from "@askwire/client";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import * as z from "zod";
import { type ServerFormRow, serverFormRows } from "./form-rows.js";
import { wantTable } from "./mapping-table.js";
import { calls, conversation } from "./mcp-conversation.js";
import { servedTools } from "./served-tools.js";

/** A server whose tool asks for the property of a row, and for one that is always answered. */
const serverOf = ({ property, required = false }: ServerFormRow) =>
  servedTools(() => {
    const made = new McpServer({ name: "rows", version: "1" });
    const requestedSchema = {
      type: "object",
      properties: { it: property, rest: { type: "string" } },
      required: required ? ["it", "rest"] : ["rest"],
    };
    made.registerTool("ask", { description: "Asks", inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      const reply = mcpReq.inputResponses?.q;
      if (reply !== undefined) return { content: [{ type: "text", text: JSON.stringify(reply) }] };
      const q = inputRequired.elicit({ message: "Fill this in", requestedSchema } as never);
      return inputRequired({ inputRequests: { q } });
    });
    return made;
  });

test.each(serverFormRows)("$mcp is $askwire, and the server gets the value back", async (row) => {
  const { prompt, person } = await conversation({ s: await serverOf(row) }, [calls("mcp__s__ask")]);
  let asked: QuestionView["questions"][number] | undefined;
  person.question = ({ questions }) => {
    [asked] = questions;
    const rest = { question_id: "q2", selected: [], own_text: "x" };
    return { items: [{ question_id: "q1", ...row.item }, rest] };
  };
  const { action, content } = JSON.parse((await prompt()).output as string);
  expect(asked).toMatchObject(row.question);
  expect(action).toBe("accept");
  expect(content.it).toEqual(row.value);
});

test("docs/mcp-mapping.md has every row of servers' forms; vitest -u writes them", async () => {
  const rows = serverFormRows.map(({ mcp, askwire, lost }) => [mcp, askwire, lost]);
  await wantTable(["MCP", "Askwire", "lost"], rows);
});
