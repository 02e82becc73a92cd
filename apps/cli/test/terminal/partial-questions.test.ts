import { expect, test } from "vitest";
import { withoutSlowStart } from "../askwire.js";
import { inTurn } from "./agent-turn.js";

const question = "Which database?";
const options = [{ label: "SQLite" }, { label: "PostgreSQL" }];

test("a question is on the screen while the model still writes it, then its title and card replace it", async () => {
  const { terminal, calls, part, asks } = await inTurn();
  calls("AskUserQuestion", null);
  await terminal.waitFor(/^• AskUserQuestion$/m);
  part('{"questions": [{"header": "DB", "question": "Which dat');
  await terminal.waitFor(/^• AskUserQuestion Which dat$/m);
  part('abase?", "options": [{"label": "SQ');
  const shown = await terminal.waitFor(/^• AskUserQuestion Which database\?$/m);
  expect(withoutSlowStart(shown)).not.toMatch(/[{"[\]]/);
  part('Lite"}, {"label": "PostgreSQL"}]}]}');
  await terminal.waitFor(/^• Agent has a question for you: DB$/m);
  asks({ question, header: "DB", options });
  await terminal.waitFor(/^• Agent has a question for you: DB\n\? DB · Which database\?\n {2}1\. SQLite\n/m);
});

test("a question that nobody is asked appears in the title of its call", async () => {
  const { terminal, calls, part, says } = await inTurn();
  calls("ask_user", '{"question": "Which dat');
  await terminal.waitFor("Which dat");
  part('abase?"}');
  await terminal.waitFor(/^• Agent has a question for you: Which database\?$/m);
  says("No.");
  await terminal.waitFor(/^• Agent has a question for you: Which database\?\nNo\./m);
  calls("ask_user", '{"question": "Which port is');
  await terminal.waitFor("Which port is");
  says("Never mind.");
  await terminal.waitFor(/^• ask_user\nNever mind\./m);
});

test("a long question stays in its row, in wide characters too, and leaves nothing behind", async () => {
  const { terminal, calls, part, asks } = await inTurn(40);
  const long = "我应该为这个项目使用哪一个数据库来保存用户的数据和设置？";
  calls("ask_user", null);
  part(JSON.stringify({ question: long }).slice(0, -1));
  await terminal.waitFor(/^• ask_user 我应该为这个项目使用哪一…$/m);
  asks({ question: long, options });
  await terminal.waitFor(
    /^• ask_user\n\? 我应该为这个项目使用哪一个数据库来保存用户的数据和设置？\n {2}1\. SQLite$/m,
  );
});

test("a question's text cannot move the cursor while it arrives", async () => {
  const { terminal, calls } = await inTurn();
  calls("ask_user", '{"question": "a\\u001b[2J\\nb');
  await terminal.waitFor(/^• ask_user a\\u\{1b\}\[2J b$/m);
});
