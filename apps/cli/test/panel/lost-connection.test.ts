import { describe, expect, test } from "vitest";
import { asksLine, colour, folderWith } from "../askwire.js";
import { key, press } from "./at-panel.js";
import { chatAt, serve, wayTo } from "./served.js";

const OPEN = /Which colour\?[\s\S]*Esc decline/;
const LOST = "(the connection is lost, trying again: ";
const asksForColour = [asksLine([colour]), "text: Thanks."];

const count = (screen: string, text: string) => screen.split(text).length - 1;

/** Two terminals with the same open panel, the first on a way to its server that can be cut. */
async function twoAsked() {
  const { address } = await serve(asksForColour);
  const way = await wayTo(address);
  const [one, two] = await Promise.all([chatAt(way.address), chatAt(address)]);
  one.type("hello\r");
  await Promise.all([one.waitForRows(OPEN), two.waitForRows(OPEN)]);
  return { one, two, way };
}

/** A terminal with an open panel, on a way to its server that can be cut. */
async function asked() {
  const { address } = await serve(asksForColour);
  const way = await wayTo(address);
  const one = await chatAt(way.address);
  one.type("hello\r");
  await one.waitForRows(OPEN);
  return { one, way };
}

describe("a connection that is lost while a panel is open", () => {
  test("a lost connection is one line, and its return another, while the panel keeps what is typed and its answer counts", async () => {
    const { one, way } = await asked();
    await press(one, [["mau", "Other: mau"]]);
    way.cut();
    await one.waitForRows(/the connection is lost[\s\S]*Which colour\?[\s\S]*Other: mau/);
    await press(one, [["ve", "Other: mauve"]]);
    way.mend();
    await one.waitForRows(/\(connected again\)[\s\S]*Which colour\?[\s\S]*Other: mauve\n/);
    one.type("\r");
    await one.waitForRows(/● Which colour\?\n {2}→ mauve\n[\s\S]*Thanks\.\n>$/);
    for (const text of [LOST, "(connected again)", "● Which colour?"])
      expect(count(one.screen(), text)).toBe(1);
  });

  test("an answer given while the connection is lost arrives once it is back", async () => {
    const { one, way } = await asked();
    way.cut();
    await one.waitForRows(/the connection is lost[\s\S]*Which colour\?[\s\S]*Esc decline/);
    await press(one, [[key.down + key.enter, /● Which colour\?\n {2}→ Blue · like the sea\n/]]);
    way.mend();
    await one.waitForRows(/\(connected again\)\n[\s\S]*\(your answer is delivered\)\nThanks\.\n>$/);
    expect(one.screen()).not.toMatch(/no longer open|did not count/);
  });

  test("an answer given while the connection is lost that came second is reported as not counted (P-XCL-6)", async () => {
    const { one, two, way } = await twoAsked();
    way.cut();
    await one.waitForRows(/the connection is lost[\s\S]*Which colour\?[\s\S]*Esc decline/);
    await press(one, [[key.enter, /→ Red\n/]]);
    await press(two, [[key.down + key.enter, /→ Blue · like the sea\n[\s\S]*Thanks\.\n>$/]]);
    way.mend();
    await one.waitForRows(/\(your answer did not count: somebody in askwire-chat answered it\)\n/);
    await one.waitForRows(/Thanks\.\n[\s\S]*>$/);
    expect(count(one.screen(), "did not count")).toBe(1);
    expect(two.screen()).not.toContain("did not count");
  });

  test("a question that somebody answered while the connection was lost closes when it is back", async () => {
    const { one, two, way } = await twoAsked();
    way.cut();
    await press(one, [["mau", "Other: mau"]]);
    await press(two, [[key.down + key.enter, /Thanks\.\n>$/]]);
    way.mend();
    await one.waitForRows(
      /\(no longer open: somebody in askwire-chat answered it\)[^\n]*\n[\s\S]*Thanks\.\n>$/,
    );
    expect(one.rows().join("\n")).not.toContain("❯");
  });

  test("a question is gone from a server that was killed and started without it, and a line says so", async () => {
    const home = await folderWith();
    const args = ["--session", "mine"];
    const first = await serve(asksForColour, { home, args });
    const one = await chatAt(first.address);
    one.type("hello\r");
    await one.waitForRows(OPEN);
    await first.kill();
    await one.waitForRows(/the connection is lost[\s\S]*Which colour\?[\s\S]*Esc decline/);
    const { port } = new URL(first.address);
    await serve(["text: Here again."], { home, args, port });
    await one.waitForRows(/\(connected again; the server was restarted[\s\S]*\n>$/);
    expect(one.screen()).toContain("(no longer open: the server was restarted)");
    expect(one.rows().join("\n")).not.toContain("❯");
    await press(one, [["again\r", /Here again\.\n>$/]]);
  });

  test("Ctrl-C declines the question while the connection is lost, and a turn that cannot be cancelled can be left", async () => {
    const { address, kill } = await serve(asksForColour);
    const one = await chatAt(address);
    one.type("hello\r");
    await one.waitForRows(OPEN);
    await kill();
    await one.waitForRows(/the connection is lost[\s\S]*Which colour\?[\s\S]*Esc decline/);
    await press(one, [
      // The line that the answer is not delivered may come at any moment from here on.
      [key.ctrl("c"), /→ declined\n[^»]*»$/],
      [key.ctrl("c"), /\(not cancelled, since the connection is lost: Ctrl-C again leaves\)\n[^»]*»$/],
    ]);
    one.type(key.ctrl("c"));
    expect(await one.ended).toMatchObject({ exitCode: 130 });
  });
});
