import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connectProcess } from "@askwire/client/stdio";
import { expect, onTestFinished, test } from "vitest";

const agent = fileURLToPath(new URL("../database-agent.mjs", import.meta.url));

/** The words of the agent, and the display of its call, in a folder with a package. */
async function said(answer: string | undefined) {
  const folder = await mkdtemp(join(tmpdir(), "askwire-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "package.json"), '{\n  "name": "shop"\n}\n');
  const session = await connectProcess(process.execPath, [agent], {
    cwd: folder,
    handlers: {
      question: ({ questions }) =>
        answer === undefined
          ? { declined: "dismissed" as const }
          : { answers: { [questions[0]?.question ?? ""]: answer } },
    },
  });
  let [text, told] = ["", ""];
  for await (const { type, payload } of session.prompt("go")) {
    if (type === "ContentPart" && payload.type === "text") text += payload.text;
    if (type === "ToolResult") told = JSON.stringify(payload.return_value.display);
  }
  await session.close();
  return { text, told };
}

test("the agent of the first picture reads the package, asks, and plans with the answer", async () => {
  const { text, told } = await said("PostgreSQL");
  expect(told).toContain("lines 1–3");
  expect(text).toContain("## PostgreSQL for shop");
});

test("the agent of the first picture plans nothing for a person who declines", async () => {
  const { text } = await said(undefined);
  expect(text).toContain("I change nothing until you have chosen.");
  expect(text).not.toContain("##");
});
