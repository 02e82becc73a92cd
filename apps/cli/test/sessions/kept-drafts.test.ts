import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type FormState, questionForm, reduceForm } from "@askwire/client/form";
import { type CoreQuestion, coreQuestion } from "@askwire/protocol";
import { describe, expect, test } from "vitest";
import { keptDrafts } from "../../src/sessions/kept-drafts.js";
import { folderWith } from "../askwire.js";

const ask = (question: string): CoreQuestion =>
  coreQuestion(
    {
      ...{ question, header: "", multi_select: false, body: "", other_label: "", other_description: "" },
      options: ["Red", "Blue"].map((label) => ({ label, description: "" })),
    },
    0,
  );
const questions = [ask("Which colour?"), { ...ask("Which other?"), id: "q2" }];

/** A form in which the first question is answered with these words. */
const answered = (text: string): FormState =>
  [{ type: "set", text, caret: text.length } as const, { type: "send" } as const].reduce(
    (form, action) => reduceForm(form, action),
    questionForm(questions),
  );

async function place() {
  const folder = join(await folderWith(), "drafts");
  return { folder, drafts: keptDrafts(() => folder), again: () => keptDrafts(() => folder) };
}

describe("unsent answers of the terminal", () => {
  test("unsent answers outlive the process, belong to this person alone, and are deleted with the end of their request", async () => {
    const { folder, drafts, again } = await place();
    drafts.keep("r-1", answered("Green"));
    drafts.flush();
    const found = again().find("r-1", questions);
    expect(found?.drafts[0]?.confirmed).toEqual({ question_id: "q1", selected: [], own_text: "Green" });
    expect([found?.tab, found?.result]).toEqual([1, undefined]);
    const [file = ""] = await readdir(folder);
    expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, file))).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
    drafts.drop("r-1");
    expect(await readdir(folder)).toEqual([]);
  });

  test("unsent answers are written by themselves a moment later", async () => {
    const { folder, drafts } = await place();
    drafts.keep("r-1", answered("Green"));
    await expect.poll(() => readdir(folder).catch(() => [])).toHaveLength(1);
  });

  test("unsent answers come back only for the same questions", async () => {
    const { drafts, again } = await place();
    drafts.keep("r-1", answered("Green"));
    drafts.flush();
    expect(again().find("r-1", [ask("Which database?"), questions[1] as CoreQuestion])).toBeUndefined();
    expect(again().find("r-2", questions)).toBeUndefined();
  });

  test.each([
    ["no JSON", () => "{"],
    ["another shape", () => '{"questions": 1}'],
    ["rows that are not there", (text: string) => text.replaceAll(/"row":\d+/g, '"row":99')],
    ["an answer of another shape", (text: string) => text.replace('"own_text":"Green"', '"own_text":7')],
  ])(
    "unsent answers from a damaged file (%s) are dropped, or kept without the damaged part",
    async (_what, damage) => {
      const { folder, drafts } = await place();
      drafts.keep("r-1", answered("Green"));
      drafts.flush();
      const [file = ""] = await readdir(folder);
      await writeFile(join(folder, file), damage(await readFile(join(folder, file), "utf8")));
      let lost = 0;
      const found = keptDrafts(
        () => folder,
        () => {
          lost += 1;
        },
      ).find("r-1", questions);
      expect(lost).toBe(1);
      expect(found?.drafts.every(({ confirmed }) => confirmed === undefined) ?? true).toBe(true);
    },
  );

  test("unsent answers are bounded: the newest thirty of ten thousand at once are written", async () => {
    const { folder, drafts, again } = await place();
    for (let count = 0; count < 10_000; count += 1) drafts.keep(`r-${count}`, answered(`Green ${count}`));
    drafts.flush();
    expect(await readdir(folder)).toHaveLength(30);
    for (const [id, there] of [
      ["r-9999", true],
      ["r-9970", true],
      ["r-9969", false],
    ] as const)
      expect(again().find(id, questions) !== undefined).toBe(there);
  });

  test("unsent answers are bounded: the newest thirty of two hundred stay, and one of a megabyte lives as long as the process", async () => {
    const { folder, drafts, again } = await place();
    await mkdir(folder, { recursive: true });
    for (let count = 0; count < 200; count += 1) {
      drafts.keep(`r-${count}`, answered(`Green ${count}`));
      drafts.flush();
      if (count !== 150) continue;
      // The clock of a file system may stand still for a moment.
      for (const name of await readdir(folder)) await utimes(join(folder, name), 0, 0);
    }
    expect(await readdir(folder)).toHaveLength(30);
    expect(again().find("r-199", questions)?.drafts[0]?.text.text).toBe("Green 199");
    const long = questionForm(questions);
    const text = "x".repeat(1024 * 1024);
    drafts.keep("r-199", { ...long, drafts: long.drafts.map((draft) => ({ ...draft, note: text })) });
    drafts.flush();
    expect(again().find("r-199", questions)).toBeUndefined();
    expect(await readdir(folder)).toHaveLength(29);
  });

  test("unsent answers that cannot be kept do not end the conversation", async () => {
    const blocked = join(await folderWith({ drafts: "a file" }), "drafts");
    const drafts = keptDrafts(() => blocked);
    drafts.keep("r-1", answered("Green"));
    drafts.flush();
    drafts.drop("r-1");
    expect(drafts.find("r-1", questions)).toBeUndefined();
    const nowhere = keptDrafts(() => undefined);
    nowhere.keep("r-1", answered("Green"));
    nowhere.flush();
    expect(nowhere.find("r-1", questions)).toBeUndefined();
  });
});
