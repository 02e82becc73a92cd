import { describe, expect, test } from "vitest";
import { key } from "../panel/at-panel.js";
import { inTurn } from "../panel/in-turn.js";

const words = Array.from({ length: 60 }, (_, at) => `word${at}`);
const wordsOf = (text: string) => text.match(/\bword\d+\b/g);

/** Sequences that ask a terminal something: attributes, the cursor's place, a mode, colours, the size, a capability. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: each begins with one.
const QUERY = /\u001b(?:\[[>=?]?\d*c|\[\??[56]n|\[\?\d+\$p|\](?:4;\d+|1[0-9]);\?|\[1[4-9]t|P\+q|\[\?u)/;

describe("a terminal that knows or answers little", () => {
  test("a terminal is asked nothing, so that one that answers late or never holds nothing up, and late answers are no text", async () => {
    const { terminal, says, ends, received } = await inTurn();
    says(`${words.join(" ")}\n`);
    ends();
    await terminal.waitFor(/^>$/m);
    terminal.type(
      "say \u001b[?62;22c\u001b[12;40R\u001b]11;rgb:0000/0000/0000\u001b\\\u001bP1+r524742\u001b\\hi\r",
    );
    expect((await received("prompt")).params.user_input).toBe("say hi");
    expect(terminal.sent).not.toMatch(QUERY);
  });

  test("TERM=dumb gets each word once, asks line by line, and its cursor is never moved", async () => {
    const { terminal, says, asks, ends, received } = await inTurn({ env: { TERM: "dumb" } });
    says(`${words.slice(0, 30).join(" ")}\n`);
    asks({ question: "Where to?", options: [{ label: "Here" }, { label: "There" }] });
    await terminal.waitFor(/2[.)] There[\s\S]*> ?$/);
    terminal.type("2\r");
    expect(await received("r")).toMatchObject({ result: { answers: { "Where to?": "There" } } });
    says(`${words.slice(30).join(" ")}\n`);
    ends();
    await terminal.waitFor(/word59[\s\S]*^>/m);
    terminal.type("/he\t\r");
    await terminal.waitFor("/he");
    expect(wordsOf(terminal.sent)).toEqual(words);
    expect(terminal.sent).not.toContain("\u001b");
  });

  test("NO_COLOR gets each word once and no colour, also in a panel and below it", async () => {
    const { terminal, says, asks, ends, received } = await inTurn({ env: { NO_COLOR: "1" } });
    says(`# Title\n\n**${words.slice(0, 30).join(" ")}**\n\n`);
    asks({ question: "Where to?", options: [{ label: "Here" }, { label: "There" }] });
    await terminal.waitFor(/Esc decline/);
    terminal.type(key.enter);
    expect(await received("r")).toMatchObject({ result: { answers: { "Where to?": "Here" } } });
    says(`${words.slice(30).join(" ")}\n`);
    ends();
    await terminal.waitFor(/^>$/m);
    expect(wordsOf(terminal.screen())).toEqual(words);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one.
    expect(terminal.sent).not.toMatch(/\u001b\[(?:[1-9]|[34]\d|9\d)[\d;]*m/);
  });
});
