import { describe, expect, test } from "vitest";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { questionsOf } from "./asked-cards.js";
import { openViews, parts, tell } from "./opened-view.js";

const open = openViews(testBrowser());
const sizes = [
  { width: 250, height: 600 },
  { width: 400, height: 900 },
];
const quiet = { isRunning: false, isComing: false, isCut: false, planMode: false };
const model = { is: "model", name: "kimi-k2-of-a-name-that-is-too-long-for-any-side-bar" };

/** The state of a session with an agent, and more. */
const stateWith = (agent: object, more: object = {}, cards: readonly unknown[] = []) =>
  ({ type: "state", seq: 0, parts: { ...parts(cards), talk: quiet, agent, ...more } }) as never;

describe("the line of the agent", () => {
  test.each(sizes)(
    "the line names the agent and the modes that are on, within a view of %j",
    async (size) => {
      const { page, messages } = await open(null, { size });
      const talk = { ...quiet, planMode: true, approvesAll: true, doNotAsk: true };
      await tell(page, stateWith(model, { talk }, [questionsOf(4)]));
      const line = page.locator(".agent");
      for (const mode of ["plan mode", "approves all", "asks nothing"]) {
        const box = await line.getByText(mode, { exact: true }).boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(size.width);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(size.height);
      }
      const name = line.getByRole("button", { name: /^kimi-k2.*: choose another agent$/ });
      expect((await name.boundingBox())?.width).toBeGreaterThan(30);
      expect((await line.boundingBox())?.height).toBeLessThan(30);
      await name.click();
      await expect.poll(() => messages).toContainEqual({ type: "command", name: "chooseAgent" });
    },
  );

  test.each([
    [{ is: "interview", name: "" }, "en", "Interview"],
    [{ is: "interview", name: "" }, "zh", "问卷"],
    [{ is: "gateway", name: "127.0.0.1:8080" }, "en", "Gateway 127.0.0.1:8080"],
    [{ is: "watched", name: "" }, "en", "The other window's agent"],
    [{ is: "named", name: "a\u202eb" }, "en", "a\\u{202e}b"],
  ])("the line calls the agent %j in %s by its name: %s", async (agent, language, name) => {
    const { page } = await open();
    await tell(page, stateWith(agent, { language }));
    await page.locator(".agent button").getByText(name, { exact: true }).waitFor();
    expect(await page.locator(".agent small").count()).toBe(0);
  });

  test("an empty view leads to the choice of an agent, and names the one that would be started", async () => {
    const { page, messages } = await open();
    await tell(page, stateWith({ is: "interview", name: "" }, { chat: "", line: { is: "none" } }));
    await page.locator(".agent").getByText("Interview").waitFor();
    await page.getByRole("button", { name: "Choose the Agent", exact: true }).click();
    await expect.poll(() => messages).toContainEqual({ type: "command", name: "chooseAgent" });
  });

  test("the first word of the interview is a button until something was said", async () => {
    const { page, messages } = await open();
    await tell(page, stateWith({ is: "interview", name: "" }));
    const begin = page.getByRole("button", { name: "Begin the interview" });
    await begin.click();
    await expect
      .poll(() => messages)
      .toContainEqual({ type: "prompt", call: expect.any(Number), chat: "c", text: "go" });
    const said = { from: 1, to: 1, changed: [{ kind: "prompt", key: 1, said: ["go"], isOwn: true }] };
    await tell(page, { type: "state", seq: 1, parts: {}, entries: said } as never);
    await page.getByRole("log").getByText("go").waitFor();
    expect(await begin.count()).toBe(0);
    await tell(page, stateWith({ is: "named", name: "claude" }, { chat: "d" }));
    await page.locator(".agent").getByText("claude").waitFor();
    expect(await begin.count()).toBe(0);
  });
});
