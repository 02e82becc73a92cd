import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cardWords, terminalWords } from "@askwire/client/words";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const folders = [
  "packages/dialects/src",
  "packages/server/src/dialects",
  "packages/server/src/agent",
  "packages/agent/src/tools",
  "packages/client/src/brought",
  "packages/relays/src/mcp",
  "apps/cli/src/tools",
];
const sources = [
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(root, folder, name)),
  ),
  join(root, "packages/protocol/src/outcome-words.ts"),
];

/** The lines that our tools write where a call ended, as the sources have them. */
const lines = new Set(
  sources.flatMap((file) =>
    [
      ...readFileSync(file, "utf8").matchAll(
        /(?:brief(?:\(|: ?)|cancelled\(|(?:failed|failure|told|success|missing)\((?:[^()]|\([^()]*\))*?, ?)"([A-Z][a-z][^"$]*)"/g,
      ),
    ].map(([, line]) => line as string),
  ),
);

test("every line that our own tools write is Chinese where the interface is", () => {
  expect(lines.size).toBeGreaterThan(35);
  for (const words of [cardWords.zh, terminalWords.zh.chat])
    for (const line of lines) expect(words.told(line), line).toMatch(/^[^A-Za-z]*(?:MCP[^A-Za-z]*)?$/);
  for (const line of lines) expect(cardWords.en.told(line)).toBe(line);
});

test.each([
  ["Or type your thoughts...", "或输入你的想法..."],
  ["User answered (1 suggestion, where 2 to 4 are advised)", "用户已回答（1 个建议，一般为 2 到 4 个）"],
  [
    "Askwire tried to use ask_followup_question without value for required parameter 'question'. Retrying...",
    "缺少必需的参数 'question'，正在重试",
  ],
  [
    "Failed to parse operations: Failed to parse XML: found no <suggest> element",
    "无法解析操作：found no <suggest> element",
  ],
  [
    "Failed to read the arguments of ask_followup_question: expected an object",
    "无法读取 ask_followup_question 的参数：expected an object",
  ],
  ["Wrote a.txt", "已写入 a.txt"],
  ["↩ Wrote by hand", "↩ Wrote by hand"],
  ["Failed to parse my mail", "Failed to parse my mail"],
  ["constructor", "constructor"],
])("a tool's line is shown in Chinese where it is known, and as it is elsewhere: %s", (line, shown) => {
  expect(cardWords.zh.told(line)).toBe(shown);
});
