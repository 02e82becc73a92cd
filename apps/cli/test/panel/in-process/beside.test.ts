import { expect, test } from "vitest";
import { approvalView, colourView, down, enter, esc, panelRoom } from "./room.js";

const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64);
const up = "\u001b[A";

test("a note is typed beside a choice, goes with it, and stays in the lines", async () => {
  const room = await panelRoom({ takesNotes: () => true });
  const { reply } = await room.asks();
  await room.type(down, ctrl("T"));
  expect(room.frame()).toContain("Note: goes with your answer");
  await room.type("only", " for", " now", enter);
  expect(room.frame()).toContain("Note: only for now");
  await room.pass(300);
  await room.type(enter);
  expect(await reply).toMatchObject({ items: [{ selected: ["q1_o2"], note: "only for now" }] });
  expect(room.written()).toContain("only for now");
});

test("a note goes with an approval, and with a rejection", async () => {
  const room = await panelRoom();
  const one = await room.asksApproval();
  await room.type(ctrl("T"), "without the cache", enter);
  await room.pass(300);
  await room.type(enter);
  expect(await one.reply).toEqual({ response: "approve", feedback: "without the cache" });
  expect(room.written()).toContain("without the cache");
  const other = await room.asksApproval();
  await room.type(ctrl("T"), "too slow", enter);
  await room.pass(300);
  await room.type("n");
  await room.pass(300);
  await room.type(enter);
  expect(await other.reply).toEqual({ response: "reject", feedback: "too slow" });
});

test("the last row asks to talk first, with what was typed", async () => {
  const room = await panelRoom({ discusses: () => true });
  const { reply } = await room.asks();
  expect(room.frame()).toContain("Let's discuss this first");
  await room.type("why", " either?", down);
  await room.pass(300);
  await room.type(enter);
  expect(await reply).toEqual({ declined: "discuss", note: "why either?" });
  expect(room.written()).toContain("to be discussed first");
});

test("a search finds an option, its line says how many there are, and Escape goes back", async () => {
  const room = await panelRoom();
  const options = Array.from({ length: 60 }, (_, index) => (index === 44 ? "Zürich" : `Town ${index}`));
  const { reply } = await room.asks(colourView({ options }));
  await room.type(ctrl("F"), "zür");
  expect(room.frame()).toMatch(/❯ 45\. Zürich/);
  expect(room.frame()).toMatch(/Search: zür\s+1 of 1/);
  await room.type(esc);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await room.type(ctrl("F"), "nowhere");
  expect(room.frame()).toContain("not found");
  await room.type(ctrl("U"), "Zür", enter);
  await room.pass(300);
  await room.type(enter);
  expect(await reply).toMatchObject({ items: [{ selected: ["q1_o45"] }] });
});

test("own text wraps and grows, takes line ends, and the arrows move in its rows", async () => {
  const room = await panelRoom();
  room.terminal.columns = 40;
  const { reply } = await room.asks();
  const words = "the quick brown fox jumps over the lazy dog and runs away";
  await room.type(words);
  const flat = (frame: string) => frame.replaceAll(/\s+/g, "");
  expect(flat(room.frame())).toContain(flat(words));
  await room.type("\n", "second line");
  expect(room.frame()).toContain("second line");
  await room.type(up, "\u001b[H", "A ");
  expect(flat(room.frame())).toContain(flat(`A ${words}`));
  await room.type(down, down, down, down);
  expect(room.frame()).toMatch(/❯ 1\. Red/);
  await room.type(up, enter);
  expect(await reply).toMatchObject({ items: [{ own_text: `A ${words}\nsecond line` }] });
});

test.each([
  ["漢字かな".repeat(40), 20],
  ["👩‍👩‍👧‍👦🇩🇪e\u0301".repeat(30), 20],
  [Array.from({ length: 10_000 }, (_, line) => `l${line}`).join("\n"), 40],
])("text of any kind and length stays inside %#", async (text, columns) => {
  const room = await panelRoom();
  room.terminal.columns = columns;
  const { reply } = await room.asks();
  await room.type(`\u001b[200~${text}\u001b[201~`);
  expect(room.frame().split("\n").length).toBeLessThan(24);
  expect(room.frame().replaceAll(/\s+/g, " ")).toContain("Which colour?");
  for (let moves = 0; moves < 30; moves += 1) await room.type(up);
  await room.type("\u001b[H", "\u001b[F");
  await room.type(enter);
  const { items } = (await reply) as unknown as { items: { own_text: string }[] };
  expect(text.startsWith(items[0]?.own_text as string)).toBe(true);
});

test("Ctrl-J on an approval's rows decides nothing", async () => {
  const room = await panelRoom();
  let isAnswered = false;
  void (await room.asksApproval(approvalView())).reply.then(() => {
    isAnswered = true;
  });
  await room.type("\n", "\n", ctrl("F"), "\n", "\u001b[6~", "\u001b[F", "\u001b[H");
  await room.pass(3_000);
  expect(isAnswered).toBe(false);
});
