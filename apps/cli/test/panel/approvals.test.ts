import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderWith } from "../askwire.js";
import { key, press, reject, start } from "./at-panel.js";
import { APPROVAL, approvalShown, inTurn } from "./in-turn.js";

const PROMPT = /^>$/m;

const call = (name: string, args: object, id: string) =>
  `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
const writes = (path: string, content: string, id = path) => call("WriteFile", { path, content }, id);

/** `askwire chat` with a scripted model that was prompted, in a folder with these files. */
async function prompted(steps: readonly string[], files: Record<string, string> = {}, rows = 30) {
  const cwd = await folderWith({ ...files, "s.json": JSON.stringify(steps) });
  const terminal = start(["chat", "--script", "s.json", "--prompt", "go"], { cwd, rows });
  const written = (name: string) => readFile(join(cwd, name), "utf8").catch(() => undefined);
  return { terminal, written };
}

describe("an approval", () => {
  test("an approval shows the change above its rows, y carries it out, and one line stays", async () => {
    const edit = { path: "a.txt", edit: [{ old: "two", new: "2" }] };
    const { terminal, written } = await prompted([call("StrReplaceFile", edit, "1"), "text: Done."], {
      "a.txt": "one\ntwo\nthree\n",
    });
    await terminal.waitForRows(APPROVAL);
    expect(terminal.rows().join("\n")).toMatch(/1 {2}one\n2 -two\n2 \+2\n3 {2}three\n[\s\S]*❯ 1\. Approve/);
    expect(await written("a.txt")).toBe("one\ntwo\nthree\n");
    await press(terminal, [
      [key.down, /❯ 2\. Approve this/],
      ["y", /❯ 1\. Approve/],
    ]);
    terminal.type(key.enter);
    await terminal.waitForRows(/Done\.\n>$/);
    expect(await written("a.txt")).toBe("one\n2\nthree\n");
    expect(terminal.screen()).toMatch(/● [^\n]*a\.txt[^\n]* → approved\n/);
    expect(terminal.screen()).not.toMatch(/Approve \(y\)/);
  });

  test("an approval given with a is not asked for again in this session, others are, and n leaves all as it was", async () => {
    const shell = (id: string) => call("Shell", { command: "echo xyz" }, id);
    const steps = [shell("1"), shell("2"), writes("b.txt", "b"), "text: Done."];
    const { terminal, written } = await prompted(steps);
    await terminal.waitForRows(APPROVAL);
    await press(terminal, [
      ["a", /❯ 2\. Approve echo/],
      [key.enter, /echo xyz[\s\S]*b\.txt[\s\S]*Approve \(y\)[\s\S]*Esc decline/],
    ]);
    await press(terminal, reject);
    await terminal.waitForRows(/→ rejected\n[\s\S]*>$/);
    expect(await written("b.txt")).toBeUndefined();
    expect(terminal.screen()).toMatch(
      /→ approved for this session \(further plain “echo”\s+commands too\)\n/,
    );
    expect(terminal.screen().split("→ approved")).toHaveLength(2);
    expect(terminal.screen()).toMatch(/○ [^\n]*b\.txt[^\n]* → rejected\n/);
  });

  test("a rejection with a reason tells it to the agent, and to the person in the line that stays", async () => {
    const { terminal, received } = await approvalShown();
    await press(terminal, [
      [key.tab, /❯ 4\. Reject, and say why/],
      ["yes, but not yet", /say why: yes, but not yet/],
      key.enter,
    ]);
    expect(await received("a")).toMatchObject({
      result: { response: "reject", feedback: "yes, but not yet" },
    });
    await terminal.waitForRows(/○ rm -r build → rejected: yes, but not yet\n»$/);
  });

  test("blank words, or own words that were wiped, do not answer an approval", async () => {
    const { terminal, received } = await approvalShown();
    await press(terminal, [
      ["xq", /❯ 4\. .*xq/],
      [key.escape, /why(?!.*xq)/],
      [`  ${key.enter}`, /Type an answer first/],
      ["never", /why: {3}never/],
      [key.escape, /why(?!.*never)/],
      [key.up, /❯ \d\. Reject/],
      [key.up, /❯ 2\. /],
      [key.up, /❯ 1\. /],
      key.enter,
    ]);
    expect(await received("a")).toMatchObject({ result: { response: "approve" } });
    await terminal.waitForRows(/● rm -r build → approved\n»$/);
  });

  test.each([
    ["Esc", key.escape],
    ["Ctrl-C", key.ctrl("c")],
    ["Ctrl-D", key.ctrl("d")],
  ])("%s rejects an approval (P-APR-5)", async (_what, keys) => {
    const { terminal, received } = await approvalShown();
    terminal.type(keys);
    expect(await received("a")).toMatchObject({ result: { response: "reject" } });
    await terminal.waitForRows(/○ rm -r build → rejected\n»$/);
  });
});

test.each([
  ["300 wide blanks", `ls${"\u3000".repeat(300)}; rm -rf ~`, /ls␣×300; rm -rf ~/],
  ["80 line ends", `ls${"\n".repeat(80)}rm -rf ~`, /ls\n⏎×80\nrm -rf ~/],
  ["a long argument", `ls ${"a/".repeat(2_000)} && rm -rf ~`, /ls\na\/a[\s\S]*…[\s\S]*a\/\n&& rm -rf ~/],
  ["many lines", `${"ls\n".repeat(100)}rm -rf ~`, /ls\n[\s\S]*…[\s\S]*ls\nrm -rf ~/],
])("a command hidden behind %s is shown with its end", async (_, hidden, shown) => {
  const { terminal, approves } = await inTurn();
  approves(hidden);
  expect(await terminal.waitForRows(APPROVAL)).toMatch(shown);
});

test("a change that does not fit is cut above the rows, and Ctrl-E shows it in full and scrolls", async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of it.`);
  const steps = [writes("long.txt", `${lines.join("\n")}\n`), "text: Done."];
  const { terminal, written } = await prompted(steps, {}, 24);
  // The last lines count as much as the first ones.
  await terminal.waitForRows(
    /\+Line 1 of it\.[\s\S]*Ctrl-E shows all\n59 \+Line 59 of it\.\n60 \+Line 60 of it\.[\s\S]*Approve \(y\)[\s\S]*Esc decline/,
  );
  expect(terminal.rows().join("\n")).not.toContain("Line 30");
  const [top, end] = [/\+Line 1 of it\./, /\+Line 60 of it\./];
  await press(terminal, [
    [key.ctrl("e"), /\+Line 10 of it\.[\s\S]*Esc back/],
    [key.pageDown, /\+Line 25 of it\./],
    [key.end, end],
    // Nothing answers here.
    "yan1",
    [key.home, top],
    [key.down, /^15 \+Line 15 of it\./m],
    [key.space, /\+Line 25 of it\./],
    ["q", APPROVAL],
  ]);
  expect(await written("long.txt")).toBeUndefined();
  await press(terminal, [[key.ctrl("e"), "Esc back"], [key.escape, APPROVAL], key.enter]);
  await terminal.waitForRows(/Done\.\n>$/);
  expect(await written("long.txt")).toContain("Line 60 of it.\n");
  // The screen has no second of it.
  expect(terminal.screen().split("Approve")).toHaveLength(1);
});

test("a file to read is shown with its full path, before the change", async () => {
  const { terminal, approves } = await inTurn();
  const path = "/srv/app/settings/a.txt";
  const display = [{ type: "diff", path, old_text: "one\n", new_text: "two\n", old_start: 1, new_start: 1 }];
  approves("Change a.txt", { sender: "WriteFile", action: "edit file", display });
  await terminal.waitForRows(APPROVAL);
  expect(terminal.rows().join("\n")).not.toContain(path);
  terminal.type(key.ctrl("e"));
  await terminal.waitForRows(
    /Change a\.txt\n\n\/srv\/app\/settings\/a\.txt\n1 -one\n1 \+two\n[\s\S]*Esc back/,
  );
});

test("todos, and commands of calls, stay in the transcript", async () => {
  const todos = [
    { title: "Look", status: "done" },
    { title: "Act", status: "in_progress" },
  ];
  const steps = [
    `${call("SetTodoList", { todos }, "1")}\n${call("Shell", { command: "echo hi" }, "2")}`,
    "text: Done.",
  ];
  const { terminal } = await prompted(steps);
  await terminal.waitForRows(/echo hi[\s\S]*Approve \(y\)[\s\S]*Esc decline/);
  terminal.type(key.enter);
  await terminal.waitFor(/→ approved\n[\s\S]*Done\.\n +\[x\] Look\n +\[>\] Act\n>$/);
  expect(terminal.screen()).toMatch(/^● Run the command `echo hi` → approved\n {2}hi\n/m);
  await terminal.waitForRows(PROMPT);
});
