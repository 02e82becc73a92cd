import { describe, expect, test } from "vitest";
import { key, press } from "./at-panel.js";
import { database, inTurn, port } from "./in-turn.js";

const OPEN = /Which database\?[\s\S]*Esc decline/;
const PROMPT = /^>$/m;
const CTRL_C = key.ctrl("c");

describe("Esc in a panel", () => {
  test("Esc wipes own text first, then declines, and the turn continues", async () => {
    const { terminal, asks, received, says } = await inTurn();
    asks(database);
    await terminal.waitForRows(OPEN);
    await press(terminal, [
      ["mine", /Other: mine[\s\S]*Esc clear/],
      [key.escape, /❯ 3\. (?!.*mine)[\s\S]*Esc decline/],
    ]);
    terminal.type(key.escape);
    expect(await received("r")).toMatchObject({ result: { answers: {} } });
    says("As you like.\n");
    await terminal.waitForRows(/○ Which database\?\n {2}→ declined\nAs you like\.\n»$/);
  });

  test("Esc asks before an answer is lost, and any other key continues, while a second Esc declines all", async () => {
    const { terminal, asks, received } = await inTurn();
    asks([database, port]);
    await terminal.waitForRows(OPEN);
    await press(terminal, [
      [key.enter, /Which port\?[\s\S]*Esc decline/],
      [key.escape, "Esc again"],
      [key.down, /❯ 2\. 8080/],
    ]);
    expect(terminal.rows().join("\n")).not.toContain("Esc again");
    await press(terminal, [[key.escape, "Esc again"]]);
    terminal.type(key.escape);
    expect(await received("r")).toMatchObject({ result: { answers: {} } });
    await terminal.waitForRows(/○ Which database\?\n○ Which port\?\n {2}→ declined\n»$/);
  });
});

describe("Ctrl-C in a panel", () => {
  test("Ctrl-C declines the question at once, then cancels the turn, then leaves when it is pressed twice", async () => {
    const { terminal, asks, received, confirms, ends } = await inTurn();
    asks([database, port]);
    await terminal.waitForRows(OPEN);
    await press(terminal, [[key.enter, "Which port?"], ["mine", "mine"], CTRL_C]);
    expect(await received("r")).toMatchObject({ result: { answers: {} } });
    await terminal.waitForRows(/→ declined\n»$/);
    terminal.type(CTRL_C);
    confirms(await received("cancel"));
    ends("cancelled");
    await terminal.waitForRows(/\(cancelled\)\n>$/);
    await press(terminal, [[CTRL_C, /\(Ctrl-C again leaves\)\n>$/], CTRL_C]);
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  });

  test("Ctrl-C counts even while no other key does, and declines one question of several", async () => {
    const { terminal, asks, received } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    terminal.type("go\r");
    await received("prompt");
    asks(database, "one");
    asks(port, "two");
    await terminal.waitForRows(/❯ 1\. SQLite[\s\S]*\n…$/);
    terminal.type(CTRL_C);
    expect(await received("one")).toMatchObject({ result: { answers: {} } });
    await terminal.waitForRows(/→ declined\n[\s\S]*Which port\?[\s\S]*Esc decline/);
    terminal.type(key.enter);
    expect(await received("two")).toMatchObject({ result: { answers: { "Which port?": "80" } } });
  });

  test("Ctrl-C leaves an agent that ends nothing, and the terminal is restored", async () => {
    const { terminal, asks, received } = await inTurn();
    asks(database);
    await terminal.waitForRows(OPEN);
    terminal.type(CTRL_C);
    await received("r");
    await terminal.waitForRows(/^»$/m);
    terminal.type(CTRL_C);
    await received("cancel");
    terminal.type(CTRL_C);
    expect(await terminal.ended).toMatchObject({ exitCode: 130 });
    expect(terminal.screen()).toMatch(/^○ Which database\?\n {2}→ declined/m);
    expect(terminal.cursor()).toBeDefined();
  });
});

test("Ctrl-D declines in a panel, and leaves at the prompt", async () => {
  const { terminal, asks, received, ends } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  terminal.type(key.ctrl("d"));
  expect(await received("r")).toMatchObject({ result: { answers: {} } });
  ends();
  await terminal.waitForRows(/→ declined\n>$/);
  terminal.type(key.ctrl("d"));
  expect(await terminal.ended).toMatchObject({ exitCode: 0 });
});

test("an agent that ends while a panel is open closes it, and the failure is reported", async () => {
  const { terminal, asks, dies } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  await press(terminal, [["mine", "Other: mine"]]);
  dies();
  const { exitCode } = await terminal.ended;
  expect(exitCode).toBe(1);
  expect(terminal.screen()).not.toMatch(/❯|SQLite/);
  expect(terminal.screen()).toMatch(/^askwire: /m);
  expect(terminal.cursor()).toBeDefined();
});

describe("the prompt after panels", () => {
  test("the prompt after panels has its history, line editing and /help, without what was typed in panels", async () => {
    const { terminal, asks, received, ends } = await inTurn({ prompt: null });
    await terminal.waitForRows(PROMPT);
    for (const words of ["first words", "second words"]) {
      terminal.type(`${words}\r`);
      expect((await received("prompt")).params).toEqual({ user_input: words });
      asks(database, words);
      await terminal.waitForRows(OPEN);
      await press(terminal, [["my secret", "my secret"], key.enter]);
      await received(words);
      ends();
      await terminal.waitForRows(/→ my secret\n>$/);
    }
    await press(terminal, [
      [key.up, /^> second words$/m],
      [key.up, /^> first words$/m],
      [key.down, /^> second words$/m],
      [`${key.ctrl("a") + key.delete}S`, /^> Second words$/m],
      [`${key.ctrl("e") + key.ctrl("w")}turn`, /^> Second turn$/m],
      [key.enter, /^»$/m],
    ]);
    expect((await received("prompt")).params).toEqual({ user_input: "Second turn" });
    ends();
    await terminal.waitForRows(PROMPT);
    await press(terminal, [["/help\r", /\/exit +leaves\n>$/]]);
    terminal.type("/exit\r");
    expect(await terminal.ended).toMatchObject({ exitCode: 0 });
  });

  test("the prompt reaches the working agent between one panel and the next", async () => {
    const { terminal, asks, received, confirms, event } = await inTurn();
    asks(database);
    await terminal.waitForRows(OPEN);
    terminal.type(key.enter);
    await received("r");
    await terminal.waitForRows(/^»$/m);
    terminal.type("in German\r");
    const steered = await received("steer");
    expect(steered.params).toEqual({ user_input: "in German" });
    confirms(steered, { status: "steered" });
    event("SteerInput", { user_input: "in German" });
    await terminal.waitForRows(/» in German\n↪ in German\n»$/);
    asks(port, "two");
    await terminal.waitForRows(/Which port\?[\s\S]*Esc decline/);
    terminal.type(key.enter);
    expect(await received("two")).toMatchObject({ result: { answers: { "Which port?": "80" } } });
  });
});
