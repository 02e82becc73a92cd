import type { QuestionView } from "@askwire/client";
import type { AnswerItem } from "@askwire/protocol";
import { inputRequired, McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import * as z from "zod";
import { vectors } from "../../../../scripts/vectors.js";
import { type ServerFormRow, serverFormRows } from "./form-rows.js";
import { wantTable } from "./mapping-table.js";
import { calls, conversation } from "./mcp-conversation.js";
import { servedTools } from "./served-tools.js";

interface LeftOut {
  readonly said: Partial<AnswerItem>;
  readonly then: "answered" | "left_out" | "refused";
  readonly property?: object;
  readonly required?: boolean;
  readonly content?: unknown;
}

/** A server whose tool asks for the property of a row, and for one that is always answered. */
const serverOf = ({ property, required = false }: ServerFormRow) =>
  formServer({
    type: "object",
    properties: { it: property, rest: { type: "string" } },
    required: required ? ["it", "rest"] : ["rest"],
  });

/** A server whose tool asks by a form. */
const formServer = (requestedSchema: object) =>
  servedTools(() => {
    const made = new McpServer({ name: "rows", version: "1" });
    made.registerTool("ask", { description: "Asks", inputSchema: z.object({}) }, async (_, { mcpReq }) => {
      const reply = mcpReq.inputResponses?.q;
      if (reply !== undefined) return { content: [{ type: "text", text: JSON.stringify(reply) }] };
      const q = inputRequired.elicit({ message: "Fill this in", requestedSchema } as never);
      return inputRequired({ inputRequests: { q } });
    });
    return made;
  });

test.each(serverFormRows)("$mcp becomes $askwire, and the server gets the value back", async (row) => {
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

test("a field that is left out of a form is not in its content, and an answered one is (P-XFL-5)", async () => {
  const cases = vectors<LeftOut>("askwire-draft/left-out.json").filter(
    ({ property, then }) => property !== undefined && then !== "refused",
  );
  const properties = Object.fromEntries(cases.map(({ property, name }) => [name, property]));
  const required = cases.flatMap(({ name, required }) => (required ? [name] : []));
  const server = formServer({ type: "object", properties, required });
  const { prompt, person } = await conversation({ s: await server }, [calls("mcp__s__ask")]);
  person.question = () => ({
    items: cases.map(({ said }, index) => ({ question_id: `q${index + 1}`, ...renumbered(said, index) })),
  });
  const { action, content } = JSON.parse((await prompt()).output as string);
  expect(action).toBe("accept");
  const answered = cases.filter(({ then }) => then === "answered");
  expect(answered.length).toBeLessThan(cases.length);
  expect(content).toEqual(Object.fromEntries(answered.map(({ name, content }) => [name, content])));
});

/** The answer to the only question of a vector, under its number in the form. */
const renumbered = ({ selected = [], ...said }: LeftOut["said"], index: number) => ({
  ...said,
  selected: selected.map((id) => id.replace("q1_", `q${index + 1}_`)),
});

test("docs/mcp-mapping.md has every row of servers' forms; vitest -u writes them", async () => {
  const rows = serverFormRows.map(({ mcp, askwire, lost }) => [mcp, askwire, lost]);
  await wantTable(["MCP", "Askwire", "lost"], rows);
});
