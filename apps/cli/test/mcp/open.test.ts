import { expect, test } from "vitest";
import { openAskwire } from "../terminal.js";
import { colour, gatewayOf, newHome, startHost, untilThere } from "./hosts.js";

test("askwire open --terminal answers in the terminal", async () => {
  const home = await newHome();
  const env = { ASKWIRE_HOME: home };
  const terminal = openAskwire(["open", "--terminal", "--plain"], { rows: 30, env });
  await terminal.waitFor(/^>$/m);
  const host = await startHost(home);
  const called = host.call("ask_user_question", { questions: [colour] });
  await terminal.waitFor(/^1\. Question from test-host in .*: Which colour\?$/m);
  terminal.type("1\r");
  await terminal.waitFor("(/decline to decline) >");
  terminal.type("2\r");
  expect((await called).structuredContent).toMatchObject({ answers: { "Which colour?": "Blue" } });
  await untilThere(() => gatewayOf(home));
});

test("a person who declines makes no choice, and the text says that they closed the question", async () => {
  const home = await newHome();
  const terminal = openAskwire(["open", "--terminal", "--plain"], { rows: 30, env: { ASKWIRE_HOME: home } });
  await terminal.waitFor(/^>$/m);
  const host = await startHost(home);
  const called = host.call("ask_user_question", { questions: [colour] });
  await terminal.waitFor(/^1\. Question from test-host/m);
  terminal.type("1\r");
  await terminal.waitFor("(/decline to decline) >");
  terminal.type("/decline\r");
  const { structuredContent, content } = await called;
  expect(structuredContent).toMatchObject({ outcome: { status: "declined" }, answers: {}, items: [] });
  expect(content[0]?.text).toContain("The user closed the question without an answer.");
});
