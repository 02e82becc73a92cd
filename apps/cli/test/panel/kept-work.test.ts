import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import type { Terminal } from "../terminal.js";
import { key, lookAndEnter, press, start } from "./at-panel.js";
import { chatAt, serve, wayTo } from "./served.js";

const shape = {
  question: "Which shape?",
  header: "Shape",
  options: [{ label: "Round" }, { label: "Square" }],
};
const thanks = "text: Thanks.";
/** The model of the first process asks, that of the next one goes on. */
const scripts = {
  first: JSON.stringify([asksLine([colour, shape]), thanks]),
  next: JSON.stringify([thanks]),
};

async function place() {
  const cwd = await folderWith(scripts);
  const home = await folderWith();
  const chat = (script: keyof typeof scripts, ...args: string[]) =>
    start(["chat", "--script", script, ...args], { cwd, env: { ASKWIRE_HOME: home }, rows: 30 });
  const drafts = async () =>
    (await readdir(home, { recursive: true })).filter((name) => /drafts\/[0-9a-f]+\.json$/.test(name));
  return { home, chat, drafts };
}

async function killed(terminal: Terminal): Promise<void> {
  terminal.send("SIGKILL");
  await terminal.ended;
}

describe("answers to some of several questions", () => {
  test("partial answers are back in the panel of the next process, and gone once the request is settled", async () => {
    const { home, chat, drafts } = await place();
    const first = chat("first", "--prompt", "go");
    await first.waitForRows(/Which colour\?[\s\S]*Esc decline/);
    await press(first, [
      [key.down, /❯ 2\./],
      [key.enter, "Which shape?"],
    ]);
    await expect.poll(drafts).toHaveLength(1);
    const [file = ""] = await drafts();
    expect((await stat(join(home, file))).mode & 0o777).toBe(0o600);
    await press(first, [[key.down, /❯ 2\./]]);
    // The cursor of each question is at its second row.
    await expect.poll(() => readFile(join(home, file), "utf8")).toMatch(/"row":1\b.*"row":1\b/);
    await killed(first);

    const again = chat("next", "--continue");
    await again.waitForRows(/Which shape\?[\s\S]*❯ 2\.[\s\S]*Esc decline/);
    await press(again, [
      [key.enter, "Submit answers"],
      [lookAndEnter, "Thanks."],
    ]);
    expect(again.screen()).toMatch(/Which colour\?\n {2}→ Blue/);
    expect(await drafts()).toEqual([]);
  });

  test("partial answers in line mode are not asked for again, and said to be answered", async () => {
    const { chat, drafts } = await place();
    const first = chat("first", "--plain", "--prompt", "go");
    await first.waitFor("/decline to decline) >");
    first.type("2\r");
    await first.waitFor("Which shape?");
    await expect.poll(drafts).toHaveLength(1);
    await killed(first);

    const again = chat("next", "--plain", "--continue");
    await again.waitFor("(answered before: Which colour?)\n  → Blue\n");
    await again.waitFor("/decline to decline) >");
    again.type("1\r");
    await again.waitFor("Thanks.");
    expect(await drafts()).toEqual([]);
  });
});

test("an answer that the server does not confirm is reported as not delivered yet, and later as delivered", async () => {
  const { address } = await serve([asksLine([colour]), "text: Thanks."]);
  const way = await wayTo(address);
  const one = await chatAt(way.address);
  one.type("hello\r");
  await one.waitForRows(/Which colour\?[\s\S]*Esc decline/);
  way.hold("server");
  one.type(key.enter);
  await one.waitFor("(your answer is not delivered yet: it is kept, and sent again by itself)");
  way.mend();
  await one.waitFor("(your answer is delivered)");
  await one.waitFor("Thanks.");
});
