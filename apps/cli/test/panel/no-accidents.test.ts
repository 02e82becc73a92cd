import { describe, expect, test } from "vitest";
import { asksLine, colour } from "../askwire.js";
import { key, press } from "./at-panel.js";
import { database, inTurn, port } from "./in-turn.js";
import { chatAt, serve } from "./served.js";

const OPEN = /Which database\?[\s\S]*Esc decline/;
/** The prompt of a conversation, with nothing typed. */
const PROMPT = /^>$/m;
const WAITS = "once the prompt is empty: Enter sends what stands there, Ctrl-C wipes it)";

/** Text that a terminal has wrapped, as one line. */
const unwrapped = (screen: string) => screen.replaceAll(/\s+/g, " ");

describe("a panel that opens right after a key", () => {
  test("a panel that opens right after a key takes none for half a second, and shows what keys do once they count", async () => {
    const { terminal, asks, received } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    terminal.type("go\r");
    await received("prompt");
    asks(database);
    await terminal.waitForRows(/❯ 1\. SQLite[\s\S]*\n…$/);
    terminal.type(`${key.enter}words${key.down}${key.space}${key.escape}${key.ctrl("d")}`);
    await terminal.waitForRows(OPEN);
    expect(terminal.rows().join("\n")).toMatch(/❯ 1\. SQLite\n.*PostgreSQL.*\n {2}3\. Other\n/);
    terminal.type(key.down + key.enter);
    expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "PostgreSQL" } } });
    await terminal.waitForRows(/^»$/m);
    expect(terminal.screen()).not.toContain("words");
  });

  test("a panel that follows another does not take a key too many for an answer", async () => {
    const { terminal, asks, received } = await inTurn();
    asks(database, "one");
    asks(port, "two");
    await terminal.waitForRows(OPEN);
    await press(terminal, [
      [key.down + key.enter, /❯ 1\. 80\n[\s\S]*\n…$/],
      [key.down + key.enter, /❯ 1\. 80\n[\s\S]*Esc decline/],
    ]);
    expect(await received("one")).toMatchObject({ result: { answers: { "Which database?": "PostgreSQL" } } });
    terminal.type(key.enter);
    expect(await received("two")).toMatchObject({ result: { answers: { "Which port?": "80" } } });
  });
});

describe("words at the prompt when a question comes", () => {
  test("words at the prompt hold a question back, which a line says once, and sending them shows it", async () => {
    const { terminal, asks, received, confirms, says } = await inTurn();
    terminal.type("take the sm");
    await terminal.waitForRows(/^» take the sm$/m);
    asks(database, "one");
    asks(port, "two");
    await terminal.waitForRows(/Ctrl-C wipes it\)\n» take the sm$/);
    says("Asked.\n");
    await terminal.waitForRows(/Asked\.\n» take the sm$/);
    expect(unwrapped(terminal.screen()).split(WAITS)).toHaveLength(2);
    expect(terminal.screen()).not.toMatch(/SQLite|8080/);
    expect(terminal.sent.split("\u001b]9;")).toHaveLength(2);
    terminal.type("all one\r");
    const steered = await received("steer");
    expect(steered.params).toEqual({ user_input: "take the small one" });
    confirms(steered, { status: "steered" });
    await terminal.waitForRows(/1 more waiting[\s\S]*Which database\?[\s\S]*Esc decline/);
    // The request was told before: nobody is called again.
    expect(terminal.sent.split("\u001b]9;")).toHaveLength(2);
    terminal.type(key.enter);
    expect(await received("one")).toMatchObject({ result: { answers: { "Which database?": "SQLite" } } });
  });

  test.each([
    ["Ctrl-C", key.ctrl("c")],
    ["Ctrl-U", key.ctrl("u")],
    ["Backspace", key.backspace.repeat(5)],
  ])(
    "words at the prompt are wiped with %s, which shows the question, and nothing is sent",
    async (_what, keys) => {
      const { terminal, asks, received } = await inTurn();
      terminal.type("wrong");
      await terminal.waitForRows(/^» wrong$/m);
      asks(database);
      await terminal.waitForRows(/Ctrl-C wipes it\)\n» wrong$/);
      terminal.type(keys);
      await terminal.waitForRows(OPEN);
      terminal.type(key.enter);
      await received("r");
      await terminal.waitForRows(/→ SQLite\n»$/);
      expect(terminal.screen()).not.toContain("» wrong\n»");
    },
  );

  test("words at the prompt stay when the question disappears, and are there at the next prompt", async () => {
    const { terminal, asks, ends } = await inTurn();
    terminal.type("and then");
    await terminal.waitForRows(/^» and then$/m);
    asks(database);
    await terminal.waitForRows(/Ctrl-C wipes it\)\n» and then$/);
    ends();
    await terminal.waitForRows(/\(no longer open: the turn ended\)[^\n]*\n> and then$/);
    terminal.type(" what");
    await terminal.waitForRows(/^> and then what$/m);
  });

  test("words at the prompt stay in sight and can be wiped, even below half a line of the agent's", async () => {
    const { terminal, asks, says } = await inTurn();
    terminal.type("wrong");
    await terminal.waitForRows(/^» wrong$/m);
    asks(database);
    await terminal.waitForRows(/Ctrl-C wipes it\)\n» wrong$/);
    says("Half a line");
    says(" more");
    await terminal.waitForRows(/\nHalf a line more\n» wrong$/);
    await press(terminal, [[key.ctrl("u"), OPEN]]);
    expect(terminal.rows().join("\n")).toContain("Half a line more\n");
  });

  test("words at the prompt stay in sight where the agent hears nothing while it works, and sent words are the next prompt", async () => {
    const { terminal, asks, says, received, refuses, ends } = await inTurn();
    terminal.type("in German\r");
    refuses(await received("steer"), -32601);
    await terminal.waitForRows(/this agent hears nothing/);
    await press(terminal, [["later wo", /\n> later wo$/]]);
    asks(database);
    await terminal.waitForRows(/Ctrl-C wipes it\)\n> later wo$/);
    says("On.\n");
    await terminal.waitForRows(/On\.\n> later wo$/);
    await press(terminal, [["rds\r", OPEN], key.enter]);
    await received("r");
    ends();
    expect((await received("prompt")).params).toEqual({ user_input: "later words" });
  });

  test("/decline at the prompt is for the waiting question, and the turn continues", async () => {
    const { terminal, asks, received, says } = await inTurn();
    terminal.type("/dec");
    await terminal.waitForRows(/^» \/dec$/m);
    asks(database);
    await terminal.waitForRows(/Ctrl-C wipes it\)\n» \/dec$/m);
    terminal.type("line\r");
    expect(await received("r")).toMatchObject({ result: { answers: {} } });
    says("On.\n");
    await terminal.waitForRows(/» \/decline\n○ Which database\?\n {2}→ declined\nOn\.\n»$/);
    await press(terminal, [["/decline\r", /Nothing is asked\.\n»$/]]);
  });

  test("words typed ahead count too: whole lines reach the agent, and half a line holds the question back", async () => {
    const { terminal, asks, received, confirms } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    // The second line and half of a third are there before the turn begins.
    terminal.type("go\r2\rY");
    expect((await received("prompt")).params).toEqual({ user_input: "go" });
    asks(database);
    const steered = await received("steer");
    expect(steered.params).toEqual({ user_input: "2" });
    confirms(steered, { status: "steered" });
    await terminal.waitForRows(/» 2\n[\s\S]*Ctrl-C wipes it\)\n» Y$/);
    expect(terminal.screen()).not.toContain("SQLite");
    await press(terminal, [[key.ctrl("u"), OPEN], key.enter]);
    expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "SQLite" } } });
  });

  test("Ctrl-C wipes the words at the prompt, a second one declines the question shown then, and a third cancels the turn", async () => {
    const { terminal, asks, received, confirms, ends } = await inTurn();
    terminal.type("wrong");
    await terminal.waitForRows(/^» wrong$/m);
    asks(database);
    await terminal.waitForRows(/Ctrl-C wipes it\)\n» wrong$/);
    await press(terminal, [[key.ctrl("c"), OPEN], key.ctrl("c")]);
    expect(await received("r")).toMatchObject({ result: { answers: {} } });
    await terminal.waitForRows(/○ Which database\?\n {2}→ declined\n»$/);
    terminal.type(key.ctrl("c"));
    confirms(await received("cancel"));
    ends("cancelled");
    await terminal.waitForRows(/\(cancelled\)\n>$/);
    // The wiped words are the last of the history.
    await press(terminal, [[key.up, /^> wrong$/m]]);
  });

  test("words typed between turns hold back the question of somebody else's turn, and are sent to that turn", async () => {
    const { address } = await serve([asksLine([colour]), "text: Thanks."]);
    const two = await chatAt(address);
    two.type("in Ger");
    await two.waitForRows(/^> in Ger$/m);
    const one = await chatAt(address);
    one.type("hello\r");
    await two.waitForRows(
      /\(prompted by somebody in [\w-]+\) hello\n[\s\S]*Ctrl-C wipes it\)\n• Agent has a question for you: Colour · \d+ s\n> in Ger$/,
    );
    expect(two.screen()).not.toContain("1. Red");
    two.type("man\r");
    await two.waitForRows(/Which colour\?[\s\S]*Esc decline/);
    await two.waitForRows(/> in German\n/);
    await press(two, [[key.down + key.enter, /→ Blue/]]);
    await one.waitForRows(/answered it\)[\s\S]*↪ in German[\s\S]*Thanks\.\n>$/);
    await two.waitForRows(/Thanks\.\n>$/);
  });
});
