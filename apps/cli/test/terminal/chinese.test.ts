import { expect, test } from "vitest";
import { asksLine, askwire, colour, folderWith } from "../askwire.js";
import { openAskwire } from "../terminal.js";
import { inTurn } from "./agent-turn.js";

const notice = {
  ...{ id: "n", category: "c", type: "t", source_kind: "s", source_id: "s" },
  ...{ created_at: 1, payload: {} },
};
const ZH = { LC_ALL: "", LC_MESSAGES: "", LANG: "zh_CN.UTF-8" };

test("a conversation through a pipe is Chinese where the locale is, with its questions unchanged", async () => {
  const cwd = await folderWith({ "s.json": JSON.stringify([asksLine([colour]), "text: Thanks."]) });
  const args = ["chat", "--prompt", "go", "--script", "s.json"];
  const env = { ...ZH, ASKWIRE_HOME: await folderWith() };
  const { stdout, stderr } = await askwire(args, { cwd, env, input: "\n２\n" });
  expect(stderr).toBe("");
  expect(stdout).toContain(
    [
      "• 智能体有问题想问你：Colour",
      "? Colour · Which colour?",
      "  1. Red",
      "  2. Blue  like the sea",
      "输入序号，或直接写出回答（/decline 拒绝回答） > ",
      "不能提交空行。",
    ].join("\n"),
  );
  expect(stdout).toContain("Thanks.");
});

test("an approval at a terminal is Chinese, and 否 with a reason rejects it", async () => {
  const { terminal, approves, event } = await inTurn(80, ZH);
  approves("make", { action: "run command", display: [] });
  await terminal.waitFor("! Shell 请求批准 运行命令：make\ny：批准，a：本会话内一律批准，n [原因]：拒绝 >");
  terminal.type("也许\r");
  await terminal.waitFor("请输入 y、a 或 n。");
  terminal.type("否 先备份\r");
  event("Notification", { ...notice, severity: "info", title: "构建", body: "完成" });
  await terminal.waitFor("（提示）构建：完成");
});

test("a question that is settled elsewhere says so in Chinese", async () => {
  const { terminal, asks, event } = await inTurn(80, ZH);
  asks({ question: "Which?", options: [] });
  await terminal.waitFor("请回答（/decline 拒绝回答） >");
  event("ToolResult", {
    tool_call_id: "tc-r",
    return_value: { is_error: false, output: "", message: "", display: [] },
  });
  await terminal.waitFor("（请求已失效：已在别处处理）");
});

test("a person who discards an answer is asked about it in Chinese, and 否 asks the question again", async () => {
  const scripts = [
    asksLine([colour, { question: "Which size?", options: [{ label: "S" }, { label: "L" }] }]),
    "text: Thanks.",
  ];
  const cwd = await folderWith({ "s.json": JSON.stringify(scripts) });
  const args = ["chat", "--plain", "--lang", "zh", "--script", "s.json"];
  const chat = openAskwire(args, { cwd, env: { ASKWIRE_HOME: await folderWith() } });
  await chat.waitFor("（/help 查看可用命令，/exit 退出）\n>");
  chat.type("go\r");
  await chat.waitFor(/Which colour\?[\s\S]*回答） >$/);
  chat.type("1\r");
  await chat.waitFor(/Which size\?[\s\S]*回答） >$/);
  chat.type("/decline\r");
  await chat.waitFor("放弃已给出的 1 个回答？y：是，n：继续作答 >");
  chat.type("否\r");
  await chat.waitFor("Which size?", { times: 2 });
  chat.type("/decline\r");
  await chat.waitFor("放弃已给出的 1 个回答？", { times: 2 });
  chat.type("是\r");
  expect(await chat.waitFor("Thanks.")).toContain("用户关闭了问题");
});
