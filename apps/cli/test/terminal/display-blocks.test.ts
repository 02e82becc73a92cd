import { expect, test } from "vitest";
import { inTurn } from "./agent-turn.js";

const long = "把所有用户的数据从旧的数据库搬到新的数据库，然后再检查一遍";
const command = `cp -r ./数据库/旧的 ./数据库/新的 && ls -la ./数据库/新的/${"x".repeat(40)}`;

/** Without blanks: a wide character that has no room at the end of a row leaves one there. */
const unbroken = (text: string) => text.replaceAll(" ", "");

const blocks = [
  { type: "brief", text: long },
  {
    type: "todo",
    items: [
      { title: long, status: "done" },
      { title: "écrire 👩‍💻", status: "in_progress" },
      { title: "检查", status: "pending" },
    ],
  },
  { type: "shell", language: "bash", command: `${command}\nmake` },
  { type: "background_task", task_id: "b", kind: "shell", status: "running", description: "开发服务器" },
  { type: "diff", path: "数据/模型.ts", old_text: "旧\n", new_text: "新\n又\n", is_summary: false },
];

test.each([80, 40])(
  "the result of a call is complete and in order on %i columns, in wide characters too",
  async (columns) => {
    const { terminal, event, says } = await inTurn(columns);
    const value = { is_error: false, output: "", message: "", display: blocks };
    event("ToolResult", { tool_call_id: "tc", return_value: value });
    says("Done.");
    const screen = await terminal.waitFor("Done.");
    expect(unbroken(screen)).toBe(
      [
        `  ↳ ${long}`,
        `  [x] ${long}`,
        "  [>] écrire 👩‍💻",
        "  [ ] 检查",
        `  $ ${command}`,
        "  make",
        "  开发服务器: running",
        "  ↳ 数据/模型.ts +2 -1",
        "Done.",
      ]
        .map(unbroken)
        .join("\n"),
    );
  },
);

test.each([80, 40])(
  "the subject of an approval is complete on %i columns, in wide characters too",
  async (columns) => {
    const { terminal, approves } = await inTurn(columns);
    const shell = { type: "shell", language: "bash", command: `${command}\nmake` };
    const diff = { type: "diff", path: "a.ts", old_text: `${long}\n`, new_text: `${long}${long}\n` };
    approves("搬数据", { action: "run command", display: [shell, diff] });
    const screen = await terminal.waitFor(/n \[why\]: no >$/);
    expect(unbroken(screen)).toBe(
      [
        `  $ ${command}`,
        "  make",
        "  a.ts",
        "  @@ -1,1 +1,1 @@",
        `  -${long}`,
        `  +${long}${long}`,
        "! Shell asks to run command: 搬数据",
        "y: yes, a: always in this session, n [why]: no >",
      ]
        .map(unbroken)
        .join("\n"),
    );
  },
);
