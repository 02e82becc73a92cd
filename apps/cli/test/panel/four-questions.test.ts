import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { key, lookAndEnter, press, start } from "./at-panel.js";

const script = fileURLToPath(new URL("../../../../examples/panel/release.json", import.meta.url));

/** The payload of the first message of a type in the journal of the one session of this home. */
async function journaled(home: string, type: string): Promise<unknown> {
  const file = (await readdir(home, { recursive: true })).find((name) => name.endsWith("wire.jsonl"));
  const lines = (await readFile(join(home, file as string), "utf8")).trim().split("\n").slice(1);
  return lines.map((line) => JSON.parse(line).message).find((message) => message.type === type)?.payload;
}

test("four questions, with own text beside choices and one changed before the submit, give the items and the native result", async () => {
  const home = await folderWith();
  const cwd = await folderWith();
  const terminal = start(["chat", "--script", script, "--prompt", "go"], {
    cwd,
    env: { ASKWIRE_HOME: home },
  });
  await terminal.waitForRows(/Where should[\s\S]*Enter/);
  await press(terminal, [
    [key.enter, "Which checks must pass first?"],
    key.space + key.down + key.down + key.space + key.up,
    ["own words", "own words"],
    [key.enter, /❯ ✔/],
    [key.enter, "Who is told about it?"],
    [key.down, /❯ 2\./],
    [key.up + key.enter, "What is the version?"],
    // Back to the first: another target.
    [key.tab + key.tab, "Where should the release go?"],
    [key.down + key.enter, "What is the version?"],
    [key.down + key.enter, "Submit answers"],
    [lookAndEnter, "I set up the release with that."],
  ]);
  terminal.type("/exit\r");
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  expect(await journaled(home, "InteractionSettled")).toMatchObject({
    outcome: { status: "answered", by: "human" },
    response: {
      items: [
        { question_id: "q1", selected: ["q1_o2"] },
        { question_id: "q2", selected: ["q2_o1", "q2_o3"], own_text: "own words" },
        { question_id: "q3", selected: ["q3_o1"] },
        { question_id: "q4", selected: ["q4_o2"] },
      ],
    },
  });
  expect(await journaled(home, "ToolResult")).toMatchObject({
    return_value: {
      is_error: false,
      output: JSON.stringify({
        answers: {
          "Where should the release go?": "GitHub packages",
          "Which checks must pass first?": "Lint, Licences, and notices, own words",
          "Who is told about it?": "Nobody",
          "What is the version?": "1.3.1",
        },
      })
        .replaceAll('":', '": ')
        .replaceAll('","', '", "'),
    },
  });
});
