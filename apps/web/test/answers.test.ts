import { connectWebSocket } from "@askwire/client/websocket";
import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { wantAccessible } from "../../../examples/test/accessible.js";
import { untilPressable } from "../../../examples/test/pressable.js";
import { testBrowser } from "../../../examples/test/test-browser.js";
import { deferred } from "../../../scripts/deferred.js";
import { ask, calls, database, openPage, results } from "./served-page.js";

const browser = testBrowser();
const open = (script?: readonly string[]) => openPage(browser, script);
const button = (page: Page, name: string) => page.locator(".dock").getByRole("button", { name, exact: true });

const checks = {
  question: "Which checks?",
  header: "Checks",
  multi_select: true,
  options: [
    { label: "Lint", description: "" },
    { label: "Types", description: "" },
  ],
};
const words = "In your own words";

/** An answer to questions of the agent's tool, and what the tool tells the model. */
interface Answer {
  readonly to: readonly object[];
  give(page: Page): Promise<void>;
  readonly told: string;
}

const answers: Readonly<Record<string, Answer>> = {
  "a choice": {
    to: [database],
    async give(page) {
      await page.getByLabel("PostgreSQL").check();
      await button(page, "Send answer").click();
    },
    told: '{"answers": {"Which database?": "PostgreSQL"}}',
  },
  "several choices and own words": {
    to: [checks],
    async give(page) {
      await page.getByLabel("Types").check();
      await page.getByLabel("Lint").check();
      await page.getByRole("textbox", { name: words }).fill("spelling");
      await button(page, "Send answer").click();
    },
    told: '{"answers": {"Which checks?": "Lint, Types, spelling"}}',
  },
  "own words in place of a choice": {
    to: [database],
    async give(page) {
      await page.getByLabel("SQLite").check();
      await page.getByRole("textbox", { name: words }).fill("MariaDB");
      await button(page, "Send answer").click();
    },
    told: '{"answers": {"Which database?": "MariaDB"}}',
  },
  "answers to two questions, reviewed": {
    to: [database, checks],
    async give(page) {
      await page.getByLabel("SQLite").check();
      await button(page, "Next").click();
      await page.getByLabel("Types").check();
      await button(page, "Next").click();
      await page.getByRole("heading", { name: "Your answers" }).waitFor();
      await button(page, "Send 2 answers").click();
    },
    told: '{"answers": {"Which database?": "SQLite", "Which checks?": "Types"}}',
  },
  "one answer of two, the other left out": {
    to: [database, checks],
    async give(page) {
      await button(page, "Leave out").click();
      await page.getByLabel("Lint").check();
      await button(page, "Next").click();
      await button(page, "Send answer").click();
    },
    told: '{"answers": {"Which checks?": "Lint"}}',
  },
  "that the person declined": {
    to: [database],
    give: (page) => button(page, "Decline").click(),
    told: '{"answers": {}, "note": "User dismissed the question without answering."}',
  },
  "that the person wants to talk first": {
    to: [database],
    async give(page) {
      await button(page, "Discuss first").click();
      await page.getByLabel("What to talk about first").fill("why a database?");
      await button(page, "Discuss first").click();
    },
    told: '{"answers": {}, "note": "User wants to talk about the question before answering it. They said: why a database?"}',
  },
};

describe("the result of the agent's question tool", () => {
  test.each(Object.entries(answers))(
    "the agent's question tool reports %s",
    async (_what, { to, give, told }) => {
      const { page, other, complaints } = await open([
        calls("AskUserQuestion", { questions: to }),
        "text: Thanks.",
      ]);
      const result = results(other);
      await page.getByRole("region", { name: to.length > 1 ? "Question" : /DB|Checks/ }).waitFor();
      await wantAccessible(page);
      await give(page);
      expect(await result).toEqual([told]);
      await page.getByText("Nothing waits for you.").waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

describe("the answer that an asking program gets", () => {
  const answered = async (question: object, give: (page: Page) => Promise<void>) => {
    const { page, other, complaints } = await open();
    const asked = ask(other, [{ question: "What?", options: [], ...question }]);
    await page.getByRole("region", { name: "Question" }).waitFor();
    await wantAccessible(page);
    await give(page);
    const { items } = await asked;
    expect(complaints).toEqual([]);
    return items;
  };

  test("a program gets the value of a field, after a wrong one was refused in place", async () => {
    const items = await answered({ field: { type: "integer", bounds: { min: 1024 } } }, async (page) => {
      const input = page.getByRole("textbox", { name: "Your answer" });
      await input.fill("80");
      await button(page, "Send answer").click();
      await page.getByText("Expected:").first().waitFor();
      await input.fill("8080");
      await button(page, "Send answer").click();
    });
    expect(items).toEqual([{ question_id: "q1", selected: [], own_text: "8080" }]);
  });

  test("a required field is marked beside another question, and one that may be left empty says so", async () => {
    const { page, other } = await open();
    const field = { type: "integer" } as const;
    const asked = ask(other, [
      { question: "How many?", field },
      { question: "How old?", field: { ...field, required: false } },
    ]);
    const input = page.getByRole("textbox", { name: "Your answer" });
    await page.getByText("How many? (required)").waitFor();
    expect(await input.getAttribute("aria-required")).toBe("true");
    await wantAccessible(page);
    await input.fill("3");
    await button(page, "Next").click();
    await page.getByText("a whole number (may stay empty)").waitFor();
    expect(await input.getAttribute("aria-required")).toBeNull();
    await button(page, "Next").click();
    await button(page, "Send answer").click();
    expect((await asked).answers).toEqual({ "How many?": "3" });
  });

  test("a question and an approval of a program say where they come from, escaped (P-XAK-12)", async () => {
    const { page, other, complaints } = await open();
    const origin = { host: "Claude Code", folder: "/work/\u202eapp", tool: "Bash", subagent: "explore" };
    const shown = "Claude Code · /work/\\u{202e}app · tool Bash · sub-agent explore";
    void other.ask({ questions: [database], origin }).catch(() => {});
    const from = page.locator(".askwire-card").getByText(shown, { exact: true });
    await from.waitFor();
    await wantAccessible(page);
    void other.ask({ approval: { action: "deploy", description: "Deploy it" }, origin }).catch(() => {});
    await page
      .getByRole("region", { name: "askwire-client asks to deploy" })
      .getByText(shown, { exact: true })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test("a program gets the note beside a choice", async () => {
    const items = await answered({ options: [{ label: "Now" }, { label: "Later" }] }, async (page) => {
      await page.getByLabel("Later").check();
      await page.getByText("Add a note").click();
      await page.getByRole("textbox", { name: "Note" }).fill("after lunch");
      await button(page, "Send answer").click();
    });
    expect(items).toEqual([{ question_id: "q1", selected: ["q1_o2"], note: "after lunch" }]);
  });
});

describe("an approval of a command", () => {
  const echo = (text: string, id: string) => calls("Shell", { command: `echo ${text}` }, id);
  const once = [echo("one", "c1"), "text: Done."];

  test("an approved command runs as the person changed it", async () => {
    const { page, other, complaints } = await open(once);
    const told = results(other);
    await button(page, "Edit first").click();
    await page.getByLabel("The text that is approved").fill("echo two");
    await wantAccessible(page);
    await button(page, "Approve my version").click();
    expect((await told).join()).toContain("two\n");
    expect(complaints).toEqual([]);
  });

  test("the time left is right on a device whose clock is five hours ahead or behind, and the answer counts", async () => {
    for (const hours of [5, -5]) {
      const { page, other } = await open();
      await page.addInitScript((ms) => {
        const { now } = Date;
        Date.now = () => now() + ms;
      }, hours * 3_600_000);
      await page.reload();
      await page.getByText("Connected", { exact: true }).waitFor();
      const deadline = { ms: 3_600_000, on_expiry: "cancel" as const };
      const asked = other.ask({ questions: [database], deadline });
      await page
        .getByRole("timer")
        .getByText(/^(60|59|58|57) min left/)
        .waitFor();
      await page.getByLabel("SQLite").check();
      await untilPressable(page);
      await button(page, "Send answer").click();
      expect((await asked).outcome.status).toBe("answered");
    }
  });

  test("a note goes with an approval to whoever asks, and survives a reload before", async () => {
    const { page, other, complaints } = await open();
    const asked = other.ask({ approval: { action: "deploy", description: "Deploy it" } });
    asked.catch(() => {});
    const note = page.locator(".dock").getByRole("textbox", { name: "Note" });
    await page.locator(".dock .askwire-allow").waitFor();
    await untilPressable(page);
    await page.locator(".dock").getByText("Add a note").click();
    await note.fill("only today");
    await page.reload();
    await expect.poll(() => note.inputValue()).toBe("only today");
    await wantAccessible(page);
    await untilPressable(page);
    await page.locator(".dock .askwire-allow").click();
    expect(await asked).toMatchObject({ response: "approve", feedback: "only today" });
    expect(complaints).toEqual([]);
  });

  test("an approval shows all ways to answer, and the command above them on a small phone", async () => {
    const { page, other } = await open(once);
    results(other).catch(() => {});
    await button(page, "Reject…").waitFor();
    const buttons = page.locator(".dock .askwire-buttons");
    const isWhole = () => buttons.evaluate((box) => box.scrollHeight <= box.clientHeight);
    expect(await isWhole()).toBe(true);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await isWhole()).toBe(true);
    await page.locator(".dock .askwire-code").scrollIntoViewIfNeeded();
    const code = await page.locator(".dock .askwire-code").boundingBox();
    expect((await buttons.boundingBox())?.y).toBeGreaterThan((code?.y ?? 0) + (code?.height ?? 0));
  });

  test("a rejected command does not run, and the agent is told why", async () => {
    const { page, other } = await open(once);
    const told = results(other);
    await button(page, "Reject…").waitFor();
    await untilPressable(page);
    await button(page, "Reject…").click();
    await expect.poll(() => page.getByLabel("Why not?").evaluate((box) => box.matches(":focus"))).toBe(true);
    await page.keyboard.type("keep it quiet");
    await wantAccessible(page);
    await untilPressable(page);
    await button(page, "Reject with these words").click();
    const [said = ""] = await told;
    expect(said).toContain("keep it quiet");
    expect(said).not.toContain("one\n");
  });

  test("an approval of a reading command covers further commands of its program where the person says so", async () => {
    const { page, other } = await open([echo("one", "c1"), echo("two", "c2"), "text: Done."]);
    const told = results(other);
    await page.getByRole("radio", { name: "Approve echo for this session" }).check();
    await button(page, "Approve echo for this session").click();
    const [one, two] = await told;
    expect([one, two].join()).toMatch(/one\n.*two\n/s);
  });
});

describe("pictures beside an answer", () => {
  const pixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/png", buffer });
  const png = file("a.png", Buffer.from(pixel, "base64"));
  const part = { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } };

  /** Lets pictures come as a browser lets them come that are pasted or dropped. */
  const bring = (page: Page, kind: "paste" | "drop") =>
    page.getByRole("textbox", { name: words }).evaluate(
      (element, { kind, pixel }) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], "b.png", { type: "image/png" }));
        const event =
          kind === "paste"
            ? new ClipboardEvent(kind, { bubbles: true, cancelable: true, clipboardData: data })
            : new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data });
        element.dispatchEvent(event);
      },
      { kind, pixel },
    );

  test("pictures are chosen, pasted or dropped, can be removed again, and reach the program that asks", async () => {
    const { page, other, complaints } = await open();
    const asked = ask(other, [database]);
    await page.getByLabel("SQLite").check();
    await page.getByLabel("Add a picture").setInputFiles([png]);
    await page.getByRole("img", { name: "Picture 1" }).waitFor();
    await bring(page, "paste");
    await page.getByRole("img", { name: "Picture 2" }).waitFor();
    await bring(page, "drop");
    await page.getByRole("img", { name: "Picture 3" }).waitFor();
    await wantAccessible(page);
    await button(page, "Remove picture 1").click();
    expect(await page.getByRole("img").count()).toBe(2);
    await button(page, "Send answer").click();
    const [item] = (await asked).items;
    expect(item?.selected).toEqual(["q1_o1"]);
    expect(item?.attachments).toMatchObject([part, part]);
    expect(complaints).toEqual([]);
  });

  test("pictures pasted in quick succession all arrive, and the text of a spreadsheet comes before its picture", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database]);
    const box = page.getByRole("textbox", { name: words });
    await box.evaluate((element, pixel) => {
      const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
      const paste = (text: string) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], "b.png", { type: "image/png" }));
        if (text !== "") clipboardData.setData("text/plain", text);
        const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData });
        return element.dispatchEvent(event);
      };
      for (let count = 0; count < 5; count += 1) paste("");
      // The browser goes on to insert the text of this one.
      document.title = String(paste("a\tb"));
    }, pixel);
    await page.getByRole("img", { name: "Picture 5" }).waitFor();
    expect([await page.title(), await page.getByRole("img").count()]).toEqual(["true", 5]);
    await page.getByText("The text was taken, and not the picture that came with it.").waitFor();
    await page.getByLabel("SQLite").check();
    await button(page, "Send answer").click();
    expect((await asked).items?.[0]?.attachments).toHaveLength(5);
  });

  test("a picture that is wanted is asked for, beside yes or no too, until it is there (P-XQS-4)", async () => {
    const { page, other } = await open();
    const asked = ask(other, [{ question: "Is it like this?", field: { type: "boolean" }, picture: true }]);
    const hint = page.getByText("The agent would like a picture.");
    await hint.waitFor();
    await page.getByLabel("Add a picture").setInputFiles([png]);
    await page.getByRole("img", { name: "Picture 1" }).waitFor();
    expect(await hint.count()).toBe(0);
    await page.getByLabel("Yes").check();
    await button(page, "Send answer").click();
    expect((await asked).items?.[0]).toMatchObject({ own_text: "true", attachments: [part] });
  });

  test("pictures are counted where several answers are reviewed before they are sent", async () => {
    const { page, other } = await open();
    const asked = ask(other, [database, { question: "Why?", options: [] }]);
    await page.getByLabel("SQLite").check();
    await page.getByLabel("Add a picture").setInputFiles([png]);
    await page.getByRole("img", { name: "Picture 1" }).waitFor();
    await button(page, "Next").click();
    await page.getByRole("textbox", { name: words }).fill("cheap");
    await button(page, "Next").click();
    await page.getByText("1 picture", { exact: true }).waitFor();
    await button(page, "Send 2 answers").click();
    expect((await asked).items?.map(({ attachments = [] }) => attachments.length)).toEqual([1, 0]);
  });

  test("files that are no pictures, or too large, are refused with the reason", async () => {
    const { page, other, complaints } = await open();
    void ask(other, [database]);
    const input = page.getByLabel("Add a picture");
    await input.setInputFiles([file("text.png", Buffer.from("no picture"))]);
    await page.getByText("text.png is no picture that this browser can read.").waitFor();
    await input.setInputFiles([file("big.png", Buffer.alloc(5 * 1024 * 1024 + 1))]);
    await page.getByText("big.png is larger than 5 MiB").waitFor();
    const padded = file("wide.png", Buffer.concat([png.buffer, Buffer.alloc(4 * 1024 * 1024)]));
    await input.setInputFiles([padded, padded, padded]);
    await page.getByText("With wide.png the pictures are larger than 10 MiB").waitFor();
    expect(await page.getByRole("img").count()).toBe(2);
    await wantAccessible(page);
    expect(complaints).toEqual([]);
  });
});

test("a card answered by another client says by which one, and what that client was not shown", async () => {
  const { page, other, wire, complaints } = await open();
  const { promise: mayAnswer, resolve: answer } = deferred();
  const rival = await connectWebSocket(wire, {
    client: { name: "editor" },
    handlers: {
      async question() {
        await mayAnswer;
        return { answers: { "Which theme?": "Night" } };
      },
    },
  });
  onTestFinished(() => rival.close());
  const options = [{ label: "Day" }, { label: "Night", preview: "# Dark" }];
  const asked = ask(other, [{ question: "Which theme?", options }]);
  await page.getByLabel("Night").waitFor();
  answer();
  await asked;
  const note = page.getByText("Somebody in editor answered it. Not shown there: previews.", { exact: true });
  await note.waitFor();
  const isInSight = await note.evaluate((words) => {
    const { left, top } = words.getBoundingClientRect();
    return document.elementFromPoint(left + 1, top + 1) === words;
  });
  expect(isInSight).toBe(true);
  expect(await page.locator(".askwire-asked").last().textContent()).toContain(
    "by somebody in editor, not shown there: previews",
  );
  expect(complaints).toEqual([]);
});

test("many options can be searched, and chosen ones stay in sight", async () => {
  const { page, other } = await open();
  const options = Array.from({ length: 40 }, (_, at) => ({
    label: `Region ${at}`,
    description: at % 2 ? "odd" : "even",
  }));
  const asked = ask(other, [{ question: "Which region?", options }]);
  await page.getByLabel("Region 7", { exact: true }).check();
  await page.getByLabel("Search the options").fill("even 3");
  await page.getByText("6 of 40 shown").waitFor();
  expect(await page.getByRole("radio", { name: /Region/ }).count()).toBe(6);
  expect(await page.getByLabel("Region 7", { exact: true }).isChecked()).toBe(true);
  await wantAccessible(page);
  await page.getByLabel("Region 38").check();
  await button(page, "Send answer").click();
  expect((await asked).items).toEqual([{ question_id: "q1", selected: ["q1_o39"] }]);
});
