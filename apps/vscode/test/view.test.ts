import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import type { ToView } from "../src/view-state.js";
import { host } from "../src/webview/host.js";
import { openViews, parts, state, tell } from "./opened-view.js";

const open = openViews(testBrowser());

const question = {
  ...{ kind: "question", id: "r1", issues: [], delivery: { is: "draft" } },
  request: {
    ...{ id: "r1", tool_call_id: "t" },
    questions: [
      {
        ...{
          id: "q1",
          question: "Which database?",
          header: "DB",
          body: "",
          multi_select: false,
          own_text: true,
        },
        ...{ other_label: "", other_description: "" },
        options: [
          { id: "a", label: "SQLite", description: "" },
          { id: "b", label: "[run](command:evil) $(trash) <img src=x onerror=alert(1)>", description: "" },
        ],
      },
    ],
  },
};
const approval = {
  ...{ kind: "approval", id: "r2", issues: [], delivery: { is: "draft" }, outside: [], unsaved: [] },
  request: {
    ...{ id: "r2", tool_call_id: "t", sender: "WriteFile", action: "edit file", description: "a.ts" },
    display: [
      {
        type: "diff",
        path: "a.ts",
        old_text: "1",
        new_text: "2",
        old_start: 1,
        new_start: 1,
        is_summary: false,
      },
    ],
  },
};
const send = (page: Page) => page.locator(".dock").getByRole("button", { name: "Send answer", exact: true });

test("a call that is too large for the host fails at once, and is not sent", async () => {
  const posted: unknown[] = [];
  const api = {
    postMessage: (message: unknown) => posted.push(message),
    getState: () => null,
    setState: () => {},
  };
  const { call } = host(
    api,
    new EventTarget(),
    () => {},
    () => {},
  );
  const text = "x".repeat(4 * 1024 * 1024 + 1);
  await expect(call({ type: "prompt", chat: "c", text })).rejects.toThrow("too large");
  expect(posted).toEqual([{ type: "ready" }]);
});

describe("the view", () => {
  test("the view answers a question with the chosen option", async () => {
    const { page, messages, complaints } = await open();
    await tell(page, state([question]));
    await page.getByRole("radio", { name: "SQLite" }).check();
    await send(page).click();
    const answer = { type: "answerQuestion", call: expect.any(Number), chat: "c", card: "r1" };
    await expect
      .poll(() => messages)
      .toContainEqual({ ...answer, reply: { items: [{ question_id: "q1", selected: ["a"] }] } });
    expect(messages).toContainEqual({ type: "begin", chat: "c", card: "r1" });
    expect(complaints).toEqual([]);
  });

  test("the view leaves a card open, with the reason and the words, where the host refuses the answer", async () => {
    const { page, told } = await open();
    await tell(page, state([question]));
    const words = page.locator(".dock textarea").first();
    await words.fill("MariaDB");
    await send(page).click();
    const { call = 0 } = (await told()).findLast(({ type }) => type === "answerQuestion") ?? {};
    await tell(page, { type: "done", call, problem: "no such question" });
    await page.getByText("Not accepted: no such question").waitFor();
    expect(await words.inputValue()).toBe("MariaDB");
    await untilPressable(page);
    await send(page).click();
    await expect
      .poll(async () => (await told()).filter(({ type }) => type === "answerQuestion").length)
      .toBe(2);
  });

  test("the view takes one answer after the host's refusal, and the card does not open again while that is on its way", async () => {
    const { page, told } = await open();
    await tell(page, state([approval]));
    const answers = async () => (await told()).filter(({ type }) => type === "answerApproval");
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    await expect.poll(async () => (await answers()).length).toBe(1);
    await tell(page, { type: "done", call: (await answers())[0]?.call ?? 0, problem: "not like this" });
    await page.getByText("Not accepted: not like this").waitFor();
    await page.getByRole("button", { name: "Reject…", exact: true }).click();
    await untilPressable(page);
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await expect.poll(async () => (await answers()).length).toBe(2);
    expect(await page.getByRole("button", { name: "Reject", exact: true }).isDisabled()).toBe(true);
  });

  test("the view shows a refusal once, and another message of the host leaves the corrections alone", async () => {
    const { page } = await open();
    const issues = [{ question_id: "q1", code: "pattern", message: "expected a shorter name" }];
    const two = [
      question.request.questions[0],
      { ...question.request.questions[0], id: "q2", question: "And then?" },
    ];
    const refused = {
      ...question,
      ...{ issues, delivery: { is: "refused", issues } },
      request: { ...question.request, questions: two },
    };
    await tell(page, state([refused]));
    await page.getByText("expected a shorter name").waitFor();
    await page.locator(".dock textarea").first().fill("short");
    await untilPressable(page);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("group", { name: "And then?" }).waitFor();
    await tell(page, state([refused, approval], 1));
    await expect.poll(() => page.locator(".dock > .askwire").count()).toBe(2);
    expect(await page.getByRole("group", { name: "And then?" }).count()).toBe(1);
  });

  test("the view gives a picture that is pasted into a card to the card alone", async () => {
    const { page, told } = await open();
    const { parts: shown, ...message } = state([question]) as ToView & { parts: object };
    await tell(page, { ...message, parts: { ...shown, abilities: { attachments: true } } } as never);
    await page.locator(".dock textarea").first().focus();
    await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([blob as Blob], "a.png", { type: "image/png" }));
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    });
    await page.getByRole("button", { name: "Remove picture 1" }).waitFor();
    expect((await told()).map(({ type }) => type)).not.toContain("paste");
  });

  test("the view never shows the work of one session in a card with the same id in another session", async () => {
    const { page } = await open();
    await tell(page, state([question]));
    await page.locator(".dock textarea").first().fill("MariaDB");
    const other = { ...question, request: { ...question.request, tool_call_id: "other" } };
    const { parts: shown, ...message } = state([other], 1) as ToView & { parts: object };
    await tell(page, { ...message, parts: { ...shown, chat: "d" } } as never);
    await expect.poll(() => page.locator(".dock textarea").first().inputValue()).toBe("");
  });

  test("the view shows a card whose kept work has another shape, without that work", async () => {
    const { page, complaints } = await open({
      c: { at: 1, prompt: "", cards: { r1: { text: "of an older version" }, r2: null } },
    });
    await tell(page, state([question, approval]));
    await expect.poll(() => page.locator(".dock > .askwire").count()).toBe(2);
    expect(complaints).toEqual([]);
  });

  test("the view restores the work on a card after it was hidden", async () => {
    const { page, kept } = await open();
    await tell(page, state([question]));
    await page.locator(".dock textarea").first().fill("MariaDB");
    await expect.poll(() => JSON.stringify(kept())).toContain("MariaDB");
    const again = await open(kept());
    await tell(again.page, state([question]));
    expect(await again.page.locator(".dock textarea").first().inputValue()).toBe("MariaDB");
  });

  test("the view sends the host each typed letter at once, so that an immediate reload restores all of them", async () => {
    const { page, told } = await open();
    await tell(page, state([question]));
    await page.locator(".dock textarea").first().pressSequentially("MariaDB");
    const { chat, drafts } = (await told()).findLast(({ type }) => type === "keepDrafts") ?? {};
    expect(chat).toBe("c");
    const reloaded = await open();
    await tell(reloaded.page, state([question], 0, drafts));
    expect(await reloaded.page.locator(".dock textarea").first().inputValue()).toBe("MariaDB");
  });

  test("the view keeps sent words until they have arrived, and shows them above the box where that failed", async () => {
    const { page, told } = await open();
    await tell(page, state([]));
    const box = page.getByRole("textbox", { name: "Message" });
    await box.fill("go");
    await box.press("Enter");
    const sent = await told();
    const at = sent.findIndex(({ type }) => type === "prompt");
    expect(await box.inputValue()).toBe("");
    const kept = sent.findLast(({ drafts }) => drafts !== undefined)?.drafts ?? "{}";
    expect(JSON.parse(kept)).toMatchObject({ prompt: "go" });
    await tell(page, { type: "done", call: sent[at]?.call ?? 0, problem: "no agent" });
    await page.getByText("Not sent: no agent").waitFor();
    expect(JSON.parse((await told()).at(-1)?.drafts ?? "{}")).toMatchObject({ prompt: "go" });
    await page.getByRole("button", { name: "Put back" }).click();
    await box.press("Enter");
    const again = (await told()).findLast(({ type }) => type === "prompt");
    await tell(page, { type: "done", call: again?.call ?? 0 });
    await expect
      .poll(async () => JSON.parse((await told()).at(-1)?.drafts ?? "{}"))
      .toMatchObject({ prompt: "" });
  });

  test("the view says that a pasted picture is too large", async () => {
    const { page, told } = await open();
    await tell(page, state([]));
    const box = page.getByRole("textbox", { name: "Message" });
    await box.waitFor();
    const paste = () =>
      page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(6 * 1024 * 1024)], "a.png", { type: "image/png" }));
        const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true });
        document.querySelector("main")?.dispatchEvent(paste);
      });
    await paste();
    await page.getByText("too large").waitFor();
    await page.getByRole("button", { name: "Put this notice away" }).click();
    await page.getByText("too large").waitFor({ state: "detached" });
    await paste();
    await page.getByText("too large").waitFor();
    expect((await told()).map(({ type }) => type)).not.toContain("paste");
    await box.fill("then without it");
    await box.press("Enter");
    await page.getByText("too large").waitFor({ state: "detached" });
  });

  test("the view keeps the words of each session apart", async () => {
    const { page } = await open();
    const box = page.getByRole("textbox", { name: "Message" });
    const other = { ...parts([]), chat: "d", drafts: JSON.stringify({ at: 1, prompt: "other", cards: {} }) };
    await tell(page, state([]));
    await box.fill("mine");
    await tell(page, { type: "state", seq: 1, parts: other } as never);
    await expect.poll(() => box.inputValue()).toBe("other");
    await tell(page, state([]));
    await expect.poll(() => box.inputValue()).toBe("mine");
  });

  test("the view keeps the focus and the words when the host sends another state", async () => {
    const { page } = await open();
    await tell(page, state([question]));
    await page.locator(".dock textarea").first().pressSequentially("Maria");
    await tell(page, state([question, approval], 1));
    await page.getByRole("button", { name: "Approve once", exact: true }).waitFor();
    await page.keyboard.type("DB");
    expect(await page.locator(".dock textarea").first().inputValue()).toBe("MariaDB");
  });

  test("the view answers an approval, and shows its difference in the editor", async () => {
    const { page, messages } = await open();
    await tell(page, state([approval]));
    await page.getByRole("button", { name: "Show the difference in the editor" }).click();
    await page.getByRole("button", { name: "Approve once", exact: true }).click();
    await expect
      .poll(() => messages)
      .toContainEqual({
        ...{ type: "answerApproval", call: expect.any(Number), chat: "c", card: "r2" },
        reply: { response: "approve" },
      });
    expect(messages).toContainEqual({ type: "difference", chat: "c", card: "r2" });
  });

  test("the view marks an approval of a file outside the workspace, in both languages", async () => {
    const { page } = await open();
    const far = { ...approval, outside: ["/etc/hosts"] };
    await tell(page, state([far]));
    await page.locator(".dock").getByText("Outside of the workspace: /etc/hosts").waitFor();
    await tell(page, { type: "state", seq: 0, parts: { ...parts([far]), language: "zh" } } as never);
    await page.locator(".dock").getByText("不在工作区内：/etc/hosts").waitFor();
  });

  test("the view names a file with unsaved edits beside its approval, and Save First asks the host to save it", async () => {
    const { page, messages } = await open();
    await tell(page, state([approval]));
    await page.getByRole("button", { name: "Approve once", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Save First" }).count()).toBe(0);
    await tell(page, {
      type: "state",
      seq: 1,
      parts: { cards: [{ ...approval, unsaved: ["a.ts"] }] },
    } as never);
    await page.locator(".dock").getByText("Unsaved edits: a.ts").waitFor();
    await page.getByRole("button", { name: "Save First" }).click();
    await expect.poll(() => messages).toContainEqual({ type: "saveFirst", chat: "c", card: "r2" });
  });

  test("the view asks for the whole state when it missed a part, and changes nothing", async () => {
    const { page, messages } = await open();
    await tell(page, state([question]));
    await page.getByRole("radio", { name: "SQLite" }).waitFor();
    await tell(page, state([], 7));
    await expect.poll(() => messages.filter(({ type }) => type === "ready").length).toBe(2);
    expect(await page.getByRole("radio", { name: "SQLite" }).count()).toBe(1);
  });

  test("the view shows foreign words as they are written, and no message of another shape", async () => {
    const { page, complaints } = await open();
    await tell(page, state([question]));
    await page.getByText("<img src=x onerror=alert(1)>").waitFor();
    await tell(page, { type: "state", seq: "1", parts: { cards: "none" } } as never);
    await tell(page, { type: "lead", card: 7 } as never);
    expect(await page.locator("img, a").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("a link to a file in the agent's words opens it at its line, and a link to a command is text", async () => {
    const { page, messages } = await open();
    const written =
      "See [the app](src/app.ts#L2), [run](command:evil), [up](../../etc/hosts:3:5) and [web](https://a.test/).";
    const said = { kind: "text", key: 1, text: written, isOpen: false };
    await tell(page, {
      type: "state",
      seq: 0,
      parts: parts([]),
      entries: { from: 1, to: 1, changed: [said] },
    } as never);
    await page.getByRole("button", { name: "the app" }).click();
    await page.getByRole("button", { name: "up" }).click();
    await expect
      .poll(() => messages.filter(({ type }) => type === "openFile"))
      .toEqual([
        { type: "openFile", chat: "c", path: "src/app.ts:2" },
        { type: "openFile", chat: "c", path: "../../etc/hosts:3:5" },
      ]);
    await page.getByText("run (command:evil)").waitFor();
    expect(await page.getByRole("link").count()).toBe(1);
  });

  test("the view opens the file that a tool call names", async () => {
    const { page, messages } = await open();
    const call = { kind: "call", key: 1, id: "t", name: "ReadFile", args: '{"path":"src/a.ts"}', inner: [] };
    const entries = { from: 1, to: 1, changed: [call] };
    await tell(page, { type: "state", seq: 0, parts: parts([]), entries } as unknown as ToView);
    await page.getByRole("button", { name: "Open src/a.ts" }).click();
    await expect.poll(() => messages).toContainEqual({ type: "openFile", chat: "c", path: "src/a.ts" });
  });

  test("the view says why the agent has ended, with the next step", async () => {
    const { page, messages } = await open();
    const ended = { ...parts([]), line: { is: "ended", why: "no such program" } };
    await tell(page, { type: "state", seq: 0, parts: ended } as never);
    await page.getByText("The agent has ended. no such program").waitFor();
    await page.getByRole("button", { name: "Restart" }).click();
    await expect.poll(() => messages).toContainEqual({ type: "command", name: "restart" });
  });

  test.each([
    [{ is: "noFolder" }, "Open a folder first: the agent works in it."],
    [
      { is: "noFolder", missing: "/old\u202e" },
      "The folder /old\\u{202e} is no longer there. Open it by its new name.",
    ],
  ])("the view leads from %j to the editor's dialog for folders", async (line, words) => {
    const { page, messages } = await open();
    await tell(page, { type: "state", seq: 0, parts: { ...parts([]), line } } as never);
    await page.getByText(words, { exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "Restart" }).count()).toBe(0);
    await page.getByRole("button", { name: "Open Folder" }).click();
    await expect.poll(() => messages).toContainEqual({ type: "command", name: "openFolder" });
  });

  test("the view leads from a turn that failed, with its reason, to the log", async () => {
    const { page, messages } = await open();
    const payload = { status: "failed", error: { code: -32603, message: "no space left on the disk" } };
    const failed = { kind: "note", key: 1, event: { type: "TurnEnd", payload } };
    const entries = { from: 1, to: 1, changed: [failed] };
    await tell(page, { type: "state", seq: 0, parts: parts([]), entries } as unknown as ToView);
    await page.getByText("no space left on the disk").waitFor();
    await page.getByRole("button", { name: "Show log" }).click();
    await expect.poll(() => messages).toContainEqual({ type: "command", name: "showLog" });
    const later = { from: 1, to: 2, changed: [{ kind: "text", key: 2, text: "works again" }] };
    await tell(page, { type: "state", seq: 1, parts: {}, entries: later } as unknown as ToView);
    await page.getByText("works again").waitFor();
    expect(await page.getByRole("button", { name: "Show log" }).count()).toBe(0);
  });

  test.each([
    ["alone", "turn on askwire.inbox in that window", ["newSession", "watch"]],
    ["shared", "Another window has the session of this folder.", ["watch", "newSession"]],
  ])("the view offers the ways on where another window has the session (%s)", async (held, words, names) => {
    const { page, messages } = await open();
    const offered = { ...parts([]), chat: "", line: { is: "none" }, held };
    await tell(page, { type: "state", seq: 0, parts: offered } as never);
    await page.getByText(words).waitFor();
    const buttons = page.locator(".askwire-buttons").getByRole("button");
    for (let at = 0; at < (await buttons.count()); at += 1) await buttons.nth(at).click();
    await page.getByRole("button", { name: "Put this notice away" }).click();
    const commands = names.map((name) => ({ type: "command", name }));
    await expect.poll(() => messages.slice(1)).toEqual([...commands, { type: "putAway" }]);
  });
});
