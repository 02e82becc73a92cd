import { expect, test } from "vitest";
import { approval, chinese, database, diff, features, form, open, question, themes, typed } from "./forms.js";
import { drawn, frame } from "./screen.js";

const three = [database, features, open];

test("a question shows numbered rows, with the recommended and the default one marked", () => {
  const waits = { waiting: 1, deadline: { seconds: 42, on_expiry: "cancel" } } as const;
  expect(frame(form([database]), waits)).toMatchInlineSnapshot(`
    "

    ? 1 more waiting · 42 s left, then it is given up

    Database · Which database should the service use?

      1. PostgreSQL (recommended)  Relational, strong consistency, needs a server
    ❯ 2. SQLite (default)          One file, no server, one writer at a time
      3. None yet                  Keep everything in memory until the shape is
                                   clear
      4. Other

    ↑↓ move · Enter choose · Tab own text · Esc decline · Ctrl-O next request
    "
  `);
});

test("own text is typed in its row, with the terminal's cursor at the caret", () => {
  const state = form(
    [database],
    [typed("MySQL, we run it"), { type: "edit", edit: { type: "caret", to: "word_left" } }],
  );
  expect(frame(state)).toMatchInlineSnapshot(`
    "

    Database · Which database should the service use?

      1. PostgreSQL (recommended)  Relational, strong consistency, needs a server
      2. SQLite (default)          One file, no server, one writer at a time
      3. None yet                  Keep everything in memory until the shape is
                                   clear
    ❯ 4. Other: MySQL, we run it

    ↑↓ move · Enter confirm · Esc clear · Ctrl-J new line · Ctrl-G put aside
    "
  `);
  expect(drawn(state).caret).toEqual({ row: 7, column: 26 });
});

test("a multiple choice has boxes, a box for own text that is checked, and a row that submits", () => {
  const state = form(three, [
    { type: "choose", row: 0 },
    { type: "choose", row: 1 },
    { type: "choose", row: 2 },
    typed("a dark mode\nand a light one"),
  ]);
  expect(frame(state)).toMatchInlineSnapshot(`
    "

     ✔ Database [◐ Features] ☐ Name  Submit

    Which features go into the first release? (select several)

      1. [ ] Search
      2. [✔] Export
      3. [✔] Single sign-on
      4. [ ] Audit log
    ❯ 5. [✔] Other: a dark mode
                    and a light one
      ✔ Submit

    ↑↓ move · Enter confirm · Tab next question · Esc clear · Ctrl-J new line
    "
  `);
});

test("an open question is a line to type in, which says what is expected", () => {
  const state = form(three, [{ type: "show", tab: 2 }]);
  expect(frame(state)).toMatchInlineSnapshot(`
    "

     ☐ Database  ☐ Features [☐ Name] Submit

    What should the project be called?

    ❯ Two words at most

    Enter confirm · Tab next question · Esc decline · Ctrl-J new line
    "
  `);
  expect(drawn(state).caret).toEqual({ row: 5, column: 2 });
});

test("the page to review shows what stands in each question, and what is missing", () => {
  const state = form(three, [
    { type: "choose", row: 0 },
    { type: "choose", row: 1 },
    { type: "choose", row: 2 },
    typed("dark, very dark"),
    { type: "focus", row: 5 },
    { type: "confirm" },
    { type: "show", tab: 1 },
    { type: "choose", row: 0 },
    { type: "show", tab: 3 },
  ]);
  expect(frame(state)).toMatchInlineSnapshot(`
    "

     ✔ Database  ✔ Features  ☐ Name [Submit]

    Review your answers
    ● Which database should the service use?
      → PostgreSQL
    ● Which features go into the first release?
      → Search
      → Export
      → Single sign-on
      → dark, very dark
    ○ What should the project be called? — not answered

    ! You have not answered all questions.

    ❯ 1. Submit answers
      2. Cancel

    ↑↓ move · Enter choose · ← back to the questions · Ctrl-E show all · Esc decline
    "
  `);
});

test("too few choices look different from a question never begun", () => {
  const more = three.map((question) => (question.multi_select ? { ...question, min: 3 } : question));
  const state = form(more, [
    { type: "show", tab: 1 },
    { type: "choose", row: 1 },
    { type: "choose", row: 2 },
    { type: "show", tab: 3 },
  ]);
  const lines = drawn(state).lines.map((line) => line.trimEnd());
  expect(lines).toContain(" ☐ Database  ◐ Features  ☐ Name [Submit]");
  expect(lines).toContain("○ Which database should the service use? — not answered");
  const begun = lines.indexOf("◐ Which features go into the first release? — not confirmed yet");
  expect(lines.slice(begun + 1, begun + 3)).toEqual(["  → Export", "  → Single sign-on"]);
});

test("a review with nothing missing asks whether to submit", () => {
  const state = form([database, open], [{ type: "choose", row: 1 }, typed("Askwire"), { type: "confirm" }]);
  expect(frame(state)).toMatchInlineSnapshot(`
    "

     ✔ Database  ✔ Name [Submit]

    Review your answers
    ● Which database should the service use?
      → SQLite
    ● What should the project be called?
      → Askwire

    Ready to submit your answers?

    ❯ 1. Submit answers
      2. Cancel

    ↑↓ move · Enter choose · ← back to the questions · Ctrl-E show all · Esc decline
    "
  `);
});

test("the preview of the current row stands beside the list (P-XQS-3)", () => {
  expect(frame(form([themes]))).toMatchInlineSnapshot(`
    "

    Theme · Which theme?

    ❯ 1. Day (recommended)     Bright, for offices  ╭─ Preview ────────────────────╮
      2. Night                 Dark, for cellars    │ body {                       │
      3. As the system has it                       │   background: white;         │
      4. Other                                      │   color: black;              │
                                                    │ }                            │
                                                    │                              │
                                                    │ a {                          │
                                                    │   color: rebeccapurple;      │
                                                    │ }                            │
                                                    ╰──────────────────────────────╯

    ↑↓ move · Enter choose · Tab own text · Ctrl-E show all · Esc decline
    "
  `);
});

test("an approval shows what it is about above its rows, with the letters that choose them", () => {
  expect(
    frame(approval(), { title: "The agent wants to edit a file", subject: diff }),
  ).toMatchInlineSnapshot(`
    "

    ? The agent wants to edit a file

    Approve this?

    Edit src/server/start.ts
    @@ -10,7 +10,8 @@
     export async function start(port: number) {
    -  const server = createServer(handle);
    +  const server = createServer({ keepAlive: true }, handle);
    +  server.on("clientError", refuse);
       await listen(server, port);
       return server;
     }

    ❯ 1. Approve (y)
      2. Approve for this session (a)
      3. Reject (n)
      4. Reject, and say why

    ↑↓ move · Enter choose · Tab own text · Esc decline · Ctrl-G put aside
    "
  `);
});

test("the pager has the full text, from the line one scrolled to", () => {
  const body = "# Plan\n\nFirst the schema, then\n\tthe service.";
  const state = form([{ ...themes, body }], [{ type: "read", reading: true }]);
  const size = { rows: 16 };
  expect(frame(state, { top: 4 }, size)).toMatchInlineSnapshot(`
    "
    First the schema, then
        the service.

    1. Day (recommended)
       Bright, for offices
       │ body {
       │   background: white;
       │   color: black;
       │ }
       │
       │ a {
       │   color: rebeccapurple;
       │ }
    2. Night
    5–18 of 29 · ↑↓ Space scroll · Home End · Esc back
    "
  `);
  expect(drawn(state, {}, size).lastTop).toBe(15);
  expect(frame(state, { top: 99 }, size)).toBe(frame(state, { top: 15 }, size));
});

test("Chinese is drawn in Chinese, in columns", () => {
  const more = {
    title: "Agent 有 1 个问题需要你回答",
    deadline: { seconds: 125, on_expiry: "cancel" },
  } as const;
  expect(frame(form([chinese]), more, { language: "zh" })).toMatchInlineSnapshot(`
    "

    ? Agent 有 1 个问题需要你回答 · 剩余 2 分钟，超时后自动放弃

    数据库 · 这个服务应该使用哪种数据库？

    ❯ 1. PostgreSQL（推荐）  关系型，强一致性，需要单独的服务器进程
      2. SQLite              单文件，无需服务器，同一时间只能有一个写入者
      3. 暂时不用            在数据结构确定之前，全部保存在内存里
      4. 其他

    ↑↓ 移动 · Enter 选定 · Tab 自行输入 · Esc 拒绝 · Ctrl-G 搁置
    "
  `);
});

test("no key is named while keys do not count", () => {
  const body = "More than there is room for.\n".repeat(40);
  const state = form([{ ...themes, body }, features]);
  expect(frame(state, { ready: false })).not.toMatch(/Ctrl|Enter|Esc|Tab|↑↓/);
  expect(frame(approval(), { ready: false })).not.toContain("(y)");
  expect(drawn(state, { ready: false }).lines.at(-1)).toBe("…");
});

test("foreign text cannot move the cursor or turn the text around (P-XQS-3)", () => {
  const evil = question("Sure?\u001b[2J\u202e", {
    options: [{ id: "a", label: "Yes\u0007\n\tno", description: "\u001b]0;title\u0007" }],
  });
  const text = frame(form([evil], [typed("\u001b[A")]));
  expect(text).toContain("Sure?\\u{1b}[2J\\u{202e}");
  expect(text).toContain("Yes\\u{7} no");
  expect(text).toContain("\\u{1b}[A");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});
