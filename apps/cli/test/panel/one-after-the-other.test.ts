import { expect, test } from "vitest";
import { key, lookAndEnter, press, reject } from "./at-panel.js";
import { database, inTurn, port } from "./in-turn.js";

const OPEN = /Esc decline/;
const BEL = "\u0007";
/** Sequences that push and pop the title of the window. */
const [PUSH, POP] = ["\u001b[22;0t", "\u001b[23;0t"];

/** The bells in the output, and the sequences that end like them: "bell", or the kind and text of a sequence. */
const sequences = (sent: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they begin and end with them.
  [...sent.matchAll(/\u001b\](\d+);([^\u0007]*)\u0007|\u0007/g)].map(([, kind, text]) =>
    kind === undefined ? "bell" : `${kind} ${text}`,
  );

const sizes = {
  question: "Which sizes?",
  options: [{ label: "S" }, { label: "M" }, { label: "L" }],
  multi_select: true,
};

test("the first of two simultaneous questions is shown and says that another waits, then the second is shown", async () => {
  const { terminal, asks, received } = await inTurn();
  asks(database, "one");
  asks(port, "two");
  await terminal.waitForRows(/1 more waiting[\s\S]*Which database\?[\s\S]*Esc decline/);
  expect(terminal.screen()).not.toContain("Which port?");
  await press(terminal, [[key.enter, /Which port\?[\s\S]*Esc decline/]]);
  expect(terminal.screen()).not.toContain("waiting");
  terminal.type(key.down + key.enter);
  expect(await received("one")).toMatchObject({ result: { answers: { "Which database?": "SQLite" } } });
  expect(await received("two")).toMatchObject({ result: { answers: { "Which port?": "8080" } } });
  await terminal.waitFor("● Which database?\n  → SQLite\n● Which port?\n  → 8080\n");
});

test("an approval replaces a question, which comes back as it was, with its text and checks", async () => {
  const { terminal, asks, approves, received } = await inTurn();
  asks([sizes, port], "q");
  await terminal.waitForRows(OPEN);
  const left = /Which sizes\?[\s\S]*\[ \] S\n.*\[✔\] M\n.*\[ \] L\n❯ .*own size/;
  await press(terminal, [key.down + key.space + key.up, ["own size", left]]);
  asks({ ...database }, "later");
  await terminal.waitForRows("1 more waiting");
  approves("rm -r build");
  await terminal.waitForRows(/2 more waiting[\s\S]*rm -r build[\s\S]*Esc decline/);
  expect(terminal.screen()).not.toContain("Which sizes?");
  terminal.type(key.enter);
  expect(await received("a")).toMatchObject({ result: { response: "approve" } });
  await terminal.waitForRows(/1 more waiting/);
  await terminal.waitForRows(left);
  await terminal.waitForRows(/Esc clear/);
  await press(terminal, [
    [" too", /own size too/],
    [key.enter, /❯ ✔/],
    [key.enter, /Which port\?/],
    [key.down, /❯ 2\./],
    [key.up + key.enter, "Submit answers"],
    [lookAndEnter, /Which database\?[\s\S]*Esc decline/],
  ]);
  expect(await received("q")).toMatchObject({
    result: { answers: { "Which sizes?": "M, own size too", "Which port?": "80" } },
  });
  terminal.type(key.enter);
  await received("later");
});

test("an approval replaces the full text, which comes back at the same place", async () => {
  const { terminal, asks, approves, received } = await inTurn();
  const body = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of it.`).join("\n");
  asks({ ...database, body });
  await terminal.waitForRows(OPEN);
  const reading = /^Line 21 of it\.[\s\S]*Esc back/m;
  await press(terminal, [
    [key.ctrl("e"), /Line 2 of it\.[\s\S]*Esc back/],
    [key.pageDown, reading],
  ]);
  const before = terminal.rows().at(1);
  approves("rm -r build");
  await terminal.waitForRows(/rm -r build[\s\S]*Esc decline/);
  await press(terminal, [[key.enter, reading]]);
  await received("a");
  expect(terminal.rows()).toContain(before);
  expect(terminal.rows().join("\n")).not.toContain("Which database?");
  await press(terminal, [[key.escape, OPEN], key.down + key.enter]);
  expect(await received("r")).toMatchObject({ result: { answers: { "Which database?": "PostgreSQL" } } });
});

test("an approval waits until no key was pressed for a second, and keys that do not count for a moment answer nothing", async () => {
  const { terminal, asks, approves, received, says } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  await press(terminal, [["Post", /Other: Post$/m]]);
  terminal.type("gr");
  approves("rm -r build");
  // Text typed at once goes on to the question.
  terminal.type("es");
  await terminal.waitForRows(/Other: Postgres$/m);
  await terminal.waitForRows(/rm -r build[\s\S]*…$/);
  expect(terminal.sent.indexOf("1 more waiting")).toBeLessThan(terminal.sent.indexOf("rm -r build"));
  terminal.type("yay\r");
  says("Waiting.\n");
  await terminal.waitForRows(/Waiting\.[\s\S]*rm -r build[\s\S]*Esc decline/);
  await press(terminal, reject);
  expect(await received("a")).toMatchObject({ result: { response: "reject" } });
  await terminal.waitForRows(/Other: Postgres\n[\s\S]*Esc clear/);
});

test("the bell and the notification come once for panels that follow each other, and again after a pause", async () => {
  const { terminal, asks, says, received } = await inTurn();
  asks({ ...database, question: "Which \u001b]0;owned\u0007\n\u202edatabase?" }, "one");
  asks(port, "two");
  await terminal.waitForRows(OPEN);
  await press(terminal, [[key.enter, /Which port\?[\s\S]*Esc decline/], key.enter]);
  await received("two");
  await terminal.waitForRows(/^»/m);
  const calls = () => sequences(terminal.sent).filter((each) => !each.startsWith("0 "));
  expect(calls()).toEqual(["bell", "9 askwire: Which \\u{1b}]0;owned\\u{7} \\u{202e}database?"]);
  says("On.\n");
  asks(port, "three");
  await terminal.waitForRows(/On\.[\s\S]*Esc decline/);
  expect(calls().slice(2)).toEqual(["bell", "9 askwire: Which port?"]);
});

test("the title of the window is marked while something is asked, and restored after the last panel", async () => {
  const { terminal, asks, approves, received } = await inTurn();
  asks(database);
  await terminal.waitForRows(OPEN);
  expect(terminal.sent.split(PUSH)).toHaveLength(2);
  expect(sequences(terminal.sent).at(-1)).toMatch(/^0 ❓ ./);
  approves("rm -r build", { sender: "Sh\u001b[2Jell" });
  await terminal.waitForRows(/rm -r build[\s\S]*Esc decline/);
  expect(terminal.sent).not.toContain("\u001b[2J");
  expect(sequences(terminal.sent).at(-1)).toMatch(/^0 ❓ .*run a command/);
  await press(terminal, [
    ["n", /❯ \d\. Reject/],
    [key.enter, /Which database\?[\s\S]*Esc decline/],
  ]);
  expect(terminal.sent).not.toContain(POP);
  terminal.type(key.enter);
  await received("r");
  await terminal.waitForRows(/^»/m);
  expect(terminal.sent.split(PUSH)).toHaveLength(2);
  expect(terminal.sent.split(POP)).toHaveLength(2);
});

test("--no-bell switches off bell, notification and title", async () => {
  const { terminal, asks, received } = await inTurn({ args: ["--no-bell"] });
  asks(database);
  await terminal.waitForRows(OPEN);
  terminal.type(key.enter);
  await received("r");
  await terminal.waitForRows(/^»/m);
  for (const sequence of [BEL, "\u001b]", PUSH, POP]) expect(terminal.sent).not.toContain(sequence);
});
