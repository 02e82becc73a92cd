import { expect, test } from "vitest";
import { fileLink } from "../src/markdown/file-link.js";

test.each([
  ["src/app.ts", "src/app.ts"],
  ["src/app.ts:2", "src/app.ts:2"],
  ["app.ts:2:5", "app.ts:2:5"],
  ["src/app.ts#L2", "src/app.ts:2"],
  ["src/app.ts#L2C5", "src/app.ts:2:5"],
  ["src/app.ts#L2-L9", "src/app.ts:2"],
  ["./my%20files/a.ts:7", "./my files/a.ts:7"],
  ["../outside.txt", "../outside.txt"],
  ["/etc/hosts", "/etc/hosts"],
  ["C:\\work\\a.ts:3", "C:\\work\\a.ts:3"],
  ["Makefile#L12", "Makefile:12"],
])("the link %s names a file at its place", (href, named) => {
  expect(fileLink(href)).toBe(named);
});

test.each([
  ...["command:workbench.action.quit", "command:1", "javascript:alert(1)", "javascript:1", "vscode://x/y"],
  ...[
    "file:///etc/passwd",
    "https://a.test/b.ts#L2",
    "mailto:a@b.test",
    "localhost:3000",
    "data:text/html,x",
  ],
  ...["//server/share", "\\\\server\\share", "%2F%2Fserver/share", "#top", "?query", "", "%zz", "a%00b.ts"],
  ...["com%6dand:evil", ":2", "#L2"],
])("the link %j names no file", (href) => {
  expect(fileLink(href)).toBe(undefined);
});
