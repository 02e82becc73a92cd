import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, test } from "vitest";

const agent = fileURLToPath(new URL("../typed-fields.mjs", import.meta.url));

async function said(options: Parameters<typeof connectProcess>[2]): Promise<string> {
  const session = await connectProcess(process.execPath, [agent], options);
  let text = "";
  for await (const { type, payload } of session.prompt("go")) {
    if (type === "ContentPart" && payload.type === "text") text += payload.text;
  }
  await session.close();
  return text;
}

test("values are checked, and reach the agent in canonical form (P-XFL-3, P-XFL-5)", async () => {
  const asked: string[] = [];
  const text = await said({
    shows: { fields: true },
    handlers: {
      question(_view, { issues }) {
        asked.push(issues.map(({ message }) => message).join());
        const port = issues.length === 0 ? "80" : "+9090";
        return {
          items: [
            { question_id: "port", selected: [], own_text: port },
            { question_id: "open", selected: ["true"] },
            { question_id: "end", selected: [], skipped: true },
          ],
        };
      },
    },
  });
  expect(asked).toEqual(["", 'expected a whole number from 1024 to 65535, found "80"']);
  expect(text).toBe("I listen on 0.0.0.0:9090.");
});
