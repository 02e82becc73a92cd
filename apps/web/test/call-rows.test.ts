import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { calls, openPage } from "./served-page.js";

const browser = testBrowser();
const says = (text: string) => `text: ${JSON.stringify(text)}`;
const log = (page: Page) => page.getByRole("log");

/** Approves what the agent wants to do next. */
async function approve(page: Page) {
  await untilPressable(page);
  await page.locator(".dock .askwire-allow").click();
}

test("a call is a row of what was done, to what, and what came of it; a failed one opens with its last five lines", async () => {
  const command = "for n in 1 2 3 4 5 6 7 8; do echo line $n; done; exit 3";
  const { page, home, other, complaints } = await openPage(browser, [
    calls("Shell", { command }),
    calls(
      "StrReplaceFile",
      { path: "cart.ts", edit: { old: "const a = 1;", new: "const a = 2;\nconst b = 3;" } },
      "c2",
    ),
    calls("ReadFile", { path: "cart.ts" }, "c3"),
    says("Done."),
  ]);
  await writeFile(join(home, "cart.ts"), "const a = 1;\n");
  other.prompt("go").result.catch(() => {});
  await approve(page);
  await approve(page);
  await log(page).getByText("Done.").waitFor();
  // The row of the approval leaves the command to that of its call.
  await log(page).getByText("Shell: run command").waitFor();
  expect((await log(page).locator(".askwire-asked").allTextContents()).join()).not.toContain("exit 3");
  const rows = log(page).locator(".askwire-call > .askwire-fold > summary");
  const [ran = "", changed = "", read = ""] = await rows.allTextContents();
  expect(ran).toMatch(/^RunShell .*Exit code 3/);
  expect(changed).toMatch(/^Changed.*cart\.ts.*\+2 −1/);
  expect(read).toMatch(/^Read.*cart\.ts.* 2 lines/);
  await log(page).getByText("Last 5 lines of 8").waitFor();
  expect(await log(page).getByRole("group", { name: "Output" }).textContent()).toBe(
    "line 4\nline 5\nline 6\nline 7\nline 8",
  );
  await wantAccessible(page);
  await log(page).getByRole("button", { name: "Show all 8 lines" }).click();
  await log(page)
    .getByText(/^line 1\nline 2\n/)
    .waitFor();
  await rows.nth(1).click();
  await log(page).getByRole("row").first().waitFor();
  await log(page).locator("tr .askwire-syn-word").first().waitFor();
  await wantAccessible(page);
  expect(complaints).toEqual([]);
});

test("a to-do list stays in its place and is updated there; a later turn has its own, and the one before is a row", async () => {
  const todos = (...statuses: string[]) =>
    statuses.map((status, at) => ({ title: ["Look", "Write", "Test"][at] ?? "", status }));
  const { page, other, complaints } = await openPage(browser, [
    calls("SetTodoList", { todos: todos("in_progress", "pending", "pending") }),
    `${says("I look.")}\n${calls("SetTodoList", { todos: todos("done", "done", "in_progress") }, "c2")}`,
    says("Done."),
    calls("SetTodoList", { todos: todos("in_progress") }, "c3"),
    says("Again."),
  ]);
  await other.prompt("go").result;
  const list = log(page).getByRole("region", { name: "To do" });
  await list.getByText("2 of 3 done").waitFor();
  expect(await list.count()).toBe(1);
  expect(await list.getByRole("listitem").allTextContents()).toEqual([
    "Look (done)",
    "Write (done)",
    "Test (in progress)",
  ]);
  expect((await log(page).textContent())?.indexOf("To do")).toBeLessThan(
    (await log(page).textContent())?.indexOf("I look.") ?? -1,
  );
  await wantAccessible(page);
  await other.prompt("more").result;
  await list.getByText("0 of 1 done").waitFor();
  expect(await list.count()).toBe(1);
  const earlier = log(page).locator("summary", { hasText: "2 of 3 done" });
  await earlier.click();
  await log(page).getByText("Write", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
