import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, test } from "vitest";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("acp-agent.mjs puts an ACP agent before a client of the wire", async () => {
  const agent = [process.execPath, path("../../packages/relays/test/acp/scripted-agent.mjs")];
  const asked: string[] = [];
  const session = await connectProcess(process.execPath, [path("../acp-agent.mjs"), ...agent], {
    handlers: {
      question({ questions: [question] }) {
        asked.push(question?.question ?? "");
        return { items: [{ question_id: "q1", selected: [], own_text: "blue" }] };
      },
    },
  });
  try {
    const requestedSchema = { type: "object", properties: { k: { type: "string" } } };
    const form = { mode: "form", message: "Which colour?", requestedSchema };
    const turn = session.prompt(JSON.stringify([["request", "elicitation/create", form]]));
    const told: unknown[] = [];
    for await (const { type, payload } of turn) if (type === "ContentPart") told.push(payload);
    expect(asked).toEqual(["Which colour?"]);
    expect(told).toMatchObject([{ text: '{"result":{"action":"accept","content":{"k":"blue"}}}' }]);
  } finally {
    await session.close();
  }
});
