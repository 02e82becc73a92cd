import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";

const write = (path: string) =>
  `tool_call: ${JSON.stringify({ id: path, name: "WriteFile", arguments: JSON.stringify({ path, content: "a" }) })}`;

async function conversation(...args: readonly string[]) {
  const cwd = await folderWith({ "s.json": JSON.stringify([write("a.txt"), "text: Done."]) });
  const all = ["chat", "--plain", "--script", "s.json", "--prompt", "go", ...args];
  return openAskwire(all, { cwd, env: { ASKWIRE_HOME: await folderWith() } });
}

test("a conversation has a line for each call that a rule allowed, with the rule", async () => {
  const chat = await conversation("--yolo");
  expect(await chat.waitFor("Done.")).toMatch(
    /\(approved without asking, since everything is approved here: [^\n]*a\.txt[^\n]*\)/,
  );
});

test("the line about a rule is Chinese for a Chinese person", async () => {
  const chat = await conversation("--yolo", "--lang", "zh");
  expect(await chat.waitFor("Done.")).toMatch(/（未询问即批准，此处全部批准：[^\n]*a\.txt/);
});
