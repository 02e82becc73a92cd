import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { folderWith, startServe } from "../../cli/test/askwire.js";
import { opened } from "../../cli/test/reach/remote.js";
import { ask, backOnline, calls, openPage } from "./served-page.js";
import { add, openBoth } from "./two-servers.js";

const browser = testBrowser();
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const list = (page: Page) => page.getByRole("dialog", { name: "Sessions" });
const server = (page: Page, host: string) => list(page).getByRole("region", { name: host });
const subject = (page: Page) => page.locator("header > .subject").allTextContents();
const colour = {
  question: "Which colour?",
  header: "Colour",
  options: [{ label: "Red" }, { label: "Blue" }],
};
const shape = {
  question: "Which shape?",
  header: "Shape",
  options: [{ label: "Round" }, { label: "Square" }],
};
const texts = (page: Page) =>
  page.evaluate(() => [...Object.entries(sessionStorage), ...Object.entries(localStorage)].flat().join("\n"));

describe("the sessions of several servers in one page", () => {
  test("sessions of several servers are listed by server, answered, made and closed there, and everything waiting is counted", async () => {
    const otherScript = [calls("AskUserQuestion", { questions: [shape] }), "text: Round it is."];
    const { page, other, origin, there, complaints } = await openBoth(browser, { otherScript });
    await add(page, there.address);
    expect(await subject(page)).toEqual([there.host]);
    await message(page).fill("Draw it");
    await message(page).press("Enter");
    await page.getByLabel("Round").check();
    void ask(other, [colour]);
    await expect.poll(() => page.title()).toMatch(/^\(2\) Draw it · /);
    expect(await page.getByLabel("Red").count()).toBe(0);
    await button(page.locator(".dock"), "Send answer").click();
    await page.getByRole("log").getByText("Round it is.").waitFor();

    await button(page, "Sessions (1 waiting)").click();
    await server(page, there.host).getByText("open here").waitFor();
    await wantAccessible(page);
    await server(page, new URL(origin).host).getByText("Which colour?").click();
    await page.getByLabel("Red").check();
    expect(await subject(page)).toEqual([]);
    await button(page.locator(".dock"), "Send answer").click();
    await expect.poll(() => page.title()).toBe("Askwire");

    await button(page, "Sessions").click();
    await button(server(page, there.host), "New session").click();
    await page.locator("header > .line").getByText("Connected", { exact: true }).waitFor();
    // The line says so of the session before, too.
    await expect.poll(async () => (await there.client.listSessions()).length).toBe(2);
    void ask(there.client, [shape]);
    await expect.poll(() => page.title()).toBe("(1) Askwire");
    await button(page, "Sessions (1 waiting)").click();
    await button(server(page, there.host), "More on Draw it").click();
    await button(server(page, there.host), "Close Draw it").click();
    await button(server(page, there.host), "Close").click();
    await expect.poll(() => server(page, there.host).getByText("Draw it").count()).toBe(0);
    await expect.poll(() => page.title()).toBe("Askwire");
    expect(complaints).toEqual([]);
  });

  test("sessions of several servers come back with the tab, and a forgotten server leaves nothing behind", async () => {
    const { page, origin, there } = await openBoth(browser);
    await message(page).fill("for here");
    await add(page, there.address);
    await message(page).fill("for there");
    await button(page, "Settings").click();
    await page.getByLabel(`Remember this device at ${there.host}`).check();
    await button(page, "Close").click();
    await page.reload();
    await expect.poll(() => message(page).inputValue()).toBe("for there");
    expect(await subject(page)).toEqual([there.host]);
    const next = await page.context().newPage();
    await next.goto(origin);
    await next.getByRole("heading", { name: "Connect this page to an agent" }).waitFor();
    await button(next, `Back to ${there.host}`).click();
    await next.getByText("Connected", { exact: true }).first().waitFor();

    await button(page, "Sessions").click();
    await button(list(page), "Forget this server").click();
    await button(page, `Back to ${new URL(origin).host}`).click();
    await expect.poll(() => message(page).inputValue()).toBe("for here");
    expect(await texts(page)).not.toContain(there.origin);
    expect(await texts(page)).not.toContain(there.token);
  });

  test("sessions of several servers with the same ids are kept apart, with all unsent work", async () => {
    const { page, other, origin, there } = await openBoth(browser, { session: "the-same" });
    await message(page).fill("for here");
    await add(page, there.address);
    expect(await message(page).inputValue()).toBe("");
    await message(page).fill("for there");
    void ask(other, [colour]);
    const asked = ask(there.client, [shape]);
    await page.getByLabel("Square").check();
    await expect.poll(() => texts(page)).toContain(`askwire.at ${there.origin} draft.`);
    await button(page, "Sessions (1 waiting)").click();
    await server(page, new URL(origin).host).getByText("Which colour?").click();
    await page.getByLabel("Red").waitFor();
    expect(await page.getByLabel("Square").count()).toBe(0);
    await page.reload();
    await button(page, "Sessions (1 waiting)").click();
    await server(page, there.host).getByText("Which shape?").click();
    expect(await page.getByLabel("Square").isChecked()).toBe(true);
    await button(page.locator(".dock"), "Send answer").click();
    expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o2"] }]);
    await expect.poll(() => texts(page)).not.toContain("draft.");
    expect(await message(page).inputValue()).toBe("for there");
  });
});

describe("another server", () => {
  test("another server that is down holds nothing up here, is found again, and says so once it refuses the token", async () => {
    const { page, other, origin, there } = await openBoth(browser);
    await add(page, there.address);
    await button(page, "Sessions").click();
    await server(page, new URL(origin).host).locator(".askwire-session").first().click();
    there.cut();
    const asked = ask(other, [colour]);
    await page.getByLabel("Red").check();
    await button(page.locator(".dock"), "Send answer").click();
    await asked;
    await button(page, "Sessions").click();
    await server(page, there.host).getByText("The connection is lost.").waitFor();
    await wantAccessible(page);
    there.mend();
    await backOnline(page);
    await server(page, there.host).getByText("Connected", { exact: true }).waitFor();

    await there.replace();
    await backOnline(page);
    await server(page, there.host).getByText("The server refused the token").waitFor();
    await server(page, new URL(origin).host).getByText("Connected", { exact: true }).waitFor();
    await button(server(page, there.host), "Enter another address or code").click();
    await page.getByRole("heading", { name: "Add a server" }).waitFor();
    await wantAccessible(page);
    await page.getByLabel("Address or pairing code").fill("the-token-of-its-successor");
    await page.keyboard.press("Enter");
    await page.locator("header > .line").getByText("Connected", { exact: true }).waitFor();
    expect(await subject(page)).toEqual([there.host]);
  });

  test("another server without its session is still listed, and left alone once the page may not reach it", async () => {
    const { page, origin, there } = await openBoth(browser);
    await add(page, there.address);
    await button(page, "Sessions").click();
    await server(page, new URL(origin).host).locator(".askwire-session").click();
    const left = there.client.id ?? "";
    await there.client.closeSession(left);
    await expect.poll(() => texts(page)).not.toContain(left);
    await button(page, "Sessions").click();
    expect(await server(page, there.host).locator(".askwire-session").count()).toBe(0);
    await button(server(page, there.host), "New session").click();
    await page.locator("header > .subject").getByText(there.host).waitFor();
    await page.locator("header > .line").getByText("Connected", { exact: true }).waitFor();

    const dialled: string[] = [];
    page.on("websocket", (socket) => dialled.push(new URL(socket.url()).host));
    await page.route("**/servers.json", (route) => route.fulfill({ json: [] }));
    await page.reload();
    await page.getByText("Connected", { exact: true }).waitFor();
    expect([await subject(page), dialled]).toEqual([[], [new URL(origin).host]]);
  });

  test("another server that does not let the page in is shown with the option that does", async () => {
    const { address, child } = await startServe(["--script", "s.json"], {
      cwd: await folderWith({ "s.json": "[]" }),
    });
    const { page, origin } = await openPage(browser, [], undefined, async () => [
      "--page-server",
      new URL(address.replace("ws", "http")).origin,
    ]);
    await button(page, "Sessions").click();
    await button(page, "Add a server").click();
    await page.getByLabel("Address or pairing code").fill(address);
    await page.keyboard.press("Enter");
    await page.locator("header").getByRole("code").getByText(`--allow-origin ${origin}`).waitFor();
    await wantAccessible(page);
    child.kill();
  });

  test("another server is paired by the link with its code, once", async () => {
    let link = "";
    const { page, complaints } = await openPage(browser, [], undefined, async (origin) => {
      const paired = await opened(["--allow-origin", origin]);
      link = paired.page;
      return ["--page-server", new URL(link).origin];
    });
    await add(page, link);
    await button(page, "Remember this device").click();
    await page.getByText("This device is paired and remembered.").waitFor();
    await button(page, "Sessions").click();
    await button(list(page), "Forget this server").click();
    await button(page, `Back to ${new URL(page.url()).host}`).click();
    await button(page, "Sessions").click();
    await button(page, "Add a server").click();
    await page.getByLabel("Address or pairing code").fill(link);
    await page.keyboard.press("Enter");
    await page.getByText("The pairing code is wrong, was used before, or is too old.").waitFor();
    expect(complaints.filter((line) => !line.includes("403"))).toEqual([]);
  });
});
