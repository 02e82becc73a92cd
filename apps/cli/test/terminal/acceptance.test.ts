import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  calls,
  type ModelAnswer,
  type ModelCall,
  modelEndpoint,
  says,
  stops,
  streams,
} from "../../../../packages/agent/test/model-endpoint.js";
import { folderWith } from "../askwire.js";
import { openAskwire, type Terminal } from "../terminal.js";

const APPROVAL = /n \[why\]: no(?:, or a number)?(?:, e TEXT: change it)? >/;
/** The choices above the prompt for a command. */
const OF_A_PROGRAM =
  "y: yes, a: always in this session (further plain “echo” commands too), n [why]: no, e TEXT: change it >";
const OF_A_COMMAND = "y: yes, n [why]: no, e TEXT: change it >";

/** `askwire chat` in a terminal, with a model that an endpoint plays, in a folder with a file of 40 lines. */
async function conversation(answers: readonly ModelAnswer[]) {
  const endpoint = await modelEndpoint(answers);
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`);
  const cwd = await folderWith({ "notes.txt": lines.join("") });
  const env = { ASKWIRE_HOME: await folderWith(), OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "key-1" };
  const chat = openAskwire(["chat", "--plain", "--model", "openai-compatible:small"], {
    cwd,
    env,
    rows: 60,
  });
  await chat.waitFor(/^>$/m);
  return { chat, endpoint, notes: () => readFileSync(join(cwd, "notes.txt"), "utf8") };
}

const uses = (id: string, name: string, args: object): ModelAnswer =>
  streams(calls(0, id, name, JSON.stringify(args)), stops("tool_calls"));

const replaces = (id: string, before: string, after: string) =>
  uses(id, "StrReplaceFile", { path: "notes.txt", edit: { old: `${before}\n`, new: `${after}\n` } });

const question = { question: "Which line?", options: [{ label: "The tenth" }, { label: "The thirtieth" }] };

/** The model's last input: the result of its call, or the person's words. */
const heard = (call: ModelCall | undefined) => JSON.stringify(call?.body.messages.at(-1));

/** Types a line once this is on the screen for the n-th time. */
async function answer(chat: Terminal, prompt: string | RegExp, line: string, times = 1): Promise<void> {
  await chat.waitFor(prompt, { times });
  chat.type(`${line}\r`);
}

test("a model asks, is answered, edits a file after an approved diff, and what is approved for the session is not asked again (P-APR-3)", async () => {
  const { chat, endpoint, notes } = await conversation([
    uses("call-1", "AskUserQuestion", { questions: [question] }),
    replaces("call-2", "line 30", "line thirty"),
    replaces("call-3", "line 10", "line ten"),
    streams(says("Both are changed."), stops()),
    replaces("call-4", "line 20", "line twenty"),
    uses("call-5", "Shell", { command: "wc -l notes.txt" }),
    streams(says("There are 40 lines."), stops()),
  ]);
  chat.type("Change a line\r");
  await answer(chat, "to decline) >", "2");

  // The difference has the file's own line numbers, and nothing is written before it is approved.
  const asked = await chat.waitFor(APPROVAL);
  expect(asked).toContain("• StrReplaceFile notes.txt\n  @@ -27,7 +27,7 @@\n   line 27\n");
  expect(asked).toContain("\n  -line 30\n  +line thirty\n");
  expect(notes()).toContain("line 30\n");
  expect(heard(endpoint.calls[1])).toContain("The thirtieth");
  chat.type("a\r");

  // The second edit is made without a question, also in the next turn; lines say by which rule, and what it changed.
  const first = await chat.waitFor(/Both are changed\.\n>$/);
  expect(first.split(APPROVAL)).toHaveLength(2);
  const unasked =
    /• StrReplaceFile notes\.txt\n\(approved without asking, as decided before: [^\n]*notes\.txt[^\n]*\)\n {2}↳ notes\.txt \+1 -1\n/g;
  expect(first.match(unasked)).toHaveLength(1);
  expect(notes()).toContain("line ten\n");
  expect(notes()).toContain("line thirty\n");
  chat.type("And the twentieth\r");

  // Another action is asked about.
  const command = await chat.waitFor(APPROVAL, { times: 2 });
  expect(command.match(unasked)).toHaveLength(2);
  expect(command).toContain("! Shell asks to run command: Run the command `wc -l notes.txt`");
  expect(notes()).toContain("line twenty\n");
  chat.type("y\r");
  await answer(chat, /There are 40 lines\.\n>$/, "/exit");
  expect((await chat.ended).exitCode).toBe(0);
  expect(heard(endpoint.calls[6])).toContain("40 notes.txt");
});

test("a program approved for the session runs again without being asked about, and nothing else does (P-APR-3, P-XAO-7)", async () => {
  const { chat, endpoint, notes } = await conversation([
    uses("call-1", "Shell", { command: "echo one" }),
    uses("call-2", "Shell", { command: "echo two" }),
    uses("call-3", "Shell", { command: "echo three && rm notes.txt" }),
    streams(says("That was all."), stops()),
  ]);
  chat.type("Go\r");
  await answer(chat, OF_A_PROGRAM, "a");
  await answer(chat, OF_A_COMMAND, "n not that");
  const shown = await chat.waitFor(/That was all\.\n>$/);
  expect(shown.split(APPROVAL)).toHaveLength(3);
  expect(heard(endpoint.calls[2])).toContain("two");
  expect(heard(endpoint.calls[3])).toContain("not that");
  expect(notes()).toContain("line 30\n");
});

test("a command's output stays folded after its end, and /output shows all of it", async () => {
  const { chat } = await conversation([
    uses("call-1", "Shell", { command: "cat notes.txt; exit 3" }),
    streams(says("Read."), stops()),
  ]);
  chat.type("Read the notes\r");
  await answer(chat, APPROVAL, "y");
  const folded = ["line 1", "line 2", "line 3", "… 32 more lines (/output 1 shows all)", "line 36"];
  const shown = await chat.waitFor(/Read\.\n>$/);
  expect(shown).toContain(`${folded.map((line) => `  ${line}\n`).join("")}  line 37\n`);
  expect(shown).toContain("  line 40\n  ↳ Exit code 3\n");
  expect(shown).not.toContain("line 20");
  chat.type("/output\r");
  const all = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join("");
  expect(await chat.waitFor(/line 40\n>$/)).toContain(`> /output\n${all}`);
});

test("a rejected edit is not made and ends the turn, and after a rejection with words the model continues (P-APR-5)", async () => {
  const { chat, endpoint, notes } = await conversation([
    replaces("call-1", "line 30", "line thirty"),
    replaces("call-2", "line 30", "line dreissig"),
    streams(says("Then I leave it."), stops()),
  ]);
  chat.type("Change it\r");
  await answer(chat, APPROVAL, "n");
  await answer(chat, /Rejected by user\n>$/, "Then in German");
  await answer(chat, APPROVAL, "n leave it alone", 2);
  await chat.waitFor(/Then I leave it\.\n>$/);
  expect(heard(endpoint.calls[2])).toContain("leave it alone");
  expect(notes()).toContain("line 30\n");
});
