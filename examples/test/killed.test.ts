import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Message, startProgram } from "./killed-program.js";
import { temporaryFolder } from "./run-program.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const askwire = join(root, "apps/cli/bin/askwire.js");
const session = "11111111-1111-4111-8111-111111111111";

/** Starts a program in a folder of its own, as often as the test wants. */
async function programIn(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder();
  const home = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  const env = { ...process.env, ASKWIRE_HOME: home };
  return { cwd, start: () => startProgram(process.execPath, args, { cwd, env }) };
}

interface Question {
  readonly question: string;
  readonly options: readonly { readonly label: string }[];
}

function questionOf({ params }: Message): Question {
  const [first] = (params?.payload.questions ?? []) as readonly Question[];
  return first ?? { question: "", options: [] };
}

/** Answers a question by its first option. */
const firstOption = (asked: Message) => {
  const { question, options } = questionOf(asked);
  return { answers: { [question]: options[0]?.label ?? "make test" } };
};

describe("a program that is killed at a question, and started again with the same session", () => {
  test("the custom loop of the examples finds its question again, and remembers the earlier answer (P-RES-6, P-RES-7)", async () => {
    const { start } = await programIn([join(root, "examples/resuming-loop.mjs"), session]);
    const first = start();
    await first.meet();
    first.prompt("plan my year");
    const berlin = await first.seen("QuestionRequest");
    first.reply(berlin, firstOption(berlin));
    const lagos = await first.seen("QuestionRequest", 2);
    await first.kill();

    const second = start();
    await second.meet();
    const again = await second.seen("QuestionRequest");
    expect([again.id, questionOf(again)]).toEqual([lagos.id, questionOf(lagos)]);
    second.reply(again, { answers: { "When to Lagos?": "June" } });
    await second.seen("TurnEnd");
    expect(second.said()).toBe("Berlin in May, Lagos in June");
    await second.end();
  });

  test("the shipped interview resumes at that question, and writes what was answered (P-RES-1)", async () => {
    const { cwd, start } = await programIn([askwire, "serve", "--stdio", "--session", session]);
    let program = start();
    await program.meet();
    program.prompt("go");
    const asked: string[] = [];
    let request = await program.asked();
    for (;;) {
      // Each question is killed once before it is answered.
      await program.kill();
      program = start();
      await program.meet();
      const again = await program.asked();
      expect(again.id).toBe(request.id);
      if (again.params?.type === "ApprovalRequest") {
        program.reply(again, { response: "approve", feedback: "" });
        break;
      }
      asked.push(questionOf(again).question);
      program.reply(again, firstOption(again));
      request = await program.asked(again);
    }
    await program.seen("TurnEnd");
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(1);
    expect(await readFile(join(cwd, ".github/workflows/ci.yml"), "utf8")).toContain("runs-on");
    await program.end();
  });

  test("a model asks by its dialect's tool, writes a file once it is approved, and has the last word (P-RES-5)", async () => {
    const call = (id: string, name: string, args: object) =>
      `tool_call: ${JSON.stringify({ id, name, arguments: JSON.stringify(args) })}`;
    const colour = {
      question: "Which colour?",
      header: "Colour",
      options: [{ label: "Red" }, { label: "Blue" }],
    };
    const scripts = [
      call("tc-1", "AskUserQuestion", { questions: [colour] }),
      call("tc-1", "WriteFile", { path: "colour.txt", content: "Red\n" }),
      "text: Done.",
    ];
    const { cwd, start } = await programIn(
      [askwire, "serve", "--stdio", "--session", session, "--script", "script.json"],
      { "script.json": JSON.stringify(scripts) },
    );
    const first = start();
    await first.meet();
    first.prompt("paint");
    const question = await first.seen("QuestionRequest");
    await first.kill();

    // A scripted model begins anew in each process.
    await writeFile(join(cwd, "script.json"), JSON.stringify(scripts.slice(1)));
    const second = start();
    await second.meet();
    const again = await second.seen("QuestionRequest");
    expect(again.id).toBe(question.id);
    second.reply(again, firstOption(again));
    const approval = await second.seen("ApprovalRequest");
    await second.kill();

    await writeFile(join(cwd, "script.json"), JSON.stringify([...scripts.slice(2), scripts[1]]));
    const third = start();
    await third.meet();
    const approved = await third.seen("ApprovalRequest");
    expect(approved.id).toBe(approval.id);
    expect(approved.params?.payload).toMatchObject({ sender: "WriteFile", action: "edit file" });
    third.reply(approved, { response: "approve", feedback: "" });
    await third.seen("TurnEnd");
    expect(third.said()).toBe("Done.");
    expect(await readFile(join(cwd, "colour.txt"), "utf8")).toBe("Red\n");
    await third.end();
  });
});
